/* The charts that are compiled for each type of numbers: charts.c defines the type and its constants before. */

#include "spans.h"
#include "class_grammar.h"
#include "class_tagger.h"
#include "dependency_boundary.h"
#include "outside_dependents.h"

#undef REAL
#undef INT
#undef NAME
#undef TERMS
#undef NEGLIGIBLE_BITS
#undef NEGLIGIBLE
#undef UNCOUNTED_SPAN
#undef UNCOUNTED_CLASS
