/* Posterior probabilities of arcs under the dependency-and-boundary model, and expected counts:
   `synparse.inducers.dependency_boundary` in C, by the same recurrences.

   Included twice by charts.c, with REAL as float and as double. One sentence at a time. Each value has a power of two as
   its scale, in place of logarithms: its terms then need neither exp nor log. Rows of charts are by the first word of
   spans (_by_start) or by the last one (_by_end), and contiguous in the other, which is what sums run along. */

typedef struct {
    REAL *value;   /* [T][T]: of a span, by its first or its last word, then the other one */
    INT *exponent; /* a value counts times 2 to this power */
    REAL *posterior;
} NAME(Spans);

typedef struct {
    REAL *total; /* [T][T]: of the terms of a sum, by first and last word */
    INT *top;    /* the largest exponent of the terms */
} NAME(Sums);

typedef struct {
    Py_ssize_t T;
    /* S, open and arc, as in the module's docstring */
    NAME(Spans) left_by_start, left_by_end, right_by_start, right_by_end, open_left, open_right, arc_left, arc_right;
    NAME(Sums) half_left, half_right, sum_left, sum_right;
    REAL *first, *later; /* [head][dependent]: weight and attachment of the first dependent of a side and of others */
    INT *shift;          /* [head][dependent]: both count times 2 to this power */
    REAL *terms;         /* [T] */
    size_t posteriors;   /* the size of all of them in memory, which they begin */
} NAME(Arcs);

static size_t NAME(place_spans)(NAME(Spans) *spans, size_t T, char *memory)
{
    size_t size = 0;
    PLACE(spans->value, T * T);
    PLACE(spans->exponent, T * T);
    return size;
}

static size_t NAME(place_sums)(NAME(Sums) *sums, size_t T, char *memory)
{
    size_t size = 0;
    PLACE(sums->total, T * T);
    PLACE(sums->top, T * T);
    return size;
}

/* As `place_chart`. */
static size_t NAME(place_arcs)(NAME(Arcs) *chart, char *memory)
{
    const size_t T = chart->T;
    NAME(Spans) *const spans[] = {
        &chart->left_by_start, &chart->left_by_end, &chart->right_by_start, &chart->right_by_end,
        &chart->open_left, &chart->open_right, &chart->arc_left, &chart->arc_right,
    };
    NAME(Sums) *const sums[] = {&chart->half_left, &chart->half_right, &chart->sum_left, &chart->sum_right};
    size_t size = 0;
    for (int number = 0; number < 8; number++)
        PLACE(spans[number]->posterior, T * T);
    chart->posteriors = size;
    for (int number = 0; number < 8; number++)
        size += NAME(place_spans)(spans[number], T, memory ? memory + size : NULL);
    for (int number = 0; number < 4; number++)
        size += NAME(place_sums)(sums[number], T, memory ? memory + size : NULL);
    PLACE(chart->first, T * T);
    PLACE(chart->later, T * T);
    PLACE(chart->shift, T * T);
    PLACE(chart->terms, T);
    return size;
}

/* The value of a span, and its scale brought to where it is between a half and 1. */
static INLINE void NAME(set)(NAME(Spans) *spans, Py_ssize_t at, REAL value, INT exponent)
{
    const INT shift = NAME(exponent)(value);
    spans->value[at] = value * NAME(power)(-shift);
    const INT least = (INT)LEAST_EXPONENT, scale = value > 0 ? exponent + shift : least;
    spans->exponent[at] = CLIPPED(scale, least);
}

static INLINE void NAME(copy)(NAME(Spans) *to, Py_ssize_t at, const NAME(Spans) *from, Py_ssize_t from_at)
{
    to->value[at] = from->value[from_at];
    to->exponent[at] = from->exponent[from_at];
}

/* terms [count] of a sum over k of a_k b_k, beside the largest of their powers of two; returns this one's exponent. */
static INLINE INT NAME(terms)(
    const NAME(Spans) *a, Py_ssize_t at_a, const NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t count, REAL *RESTRICT terms)
{
    const REAL *value_a = a->value + at_a, *value_b = b->value + at_b;
    const INT *exponent_a = a->exponent + at_a, *exponent_b = b->exponent + at_b;
    INT top = exponent_a[0] + exponent_b[0];
    for (Py_ssize_t k = 1; k < count; k++) {
        const INT exponent = exponent_a[k] + exponent_b[k];
        top = exponent > top ? exponent : top;
    }
    for (Py_ssize_t k = 0; k < count; k++)
        terms[k] = value_a[k] * value_b[k] * NAME(power)(exponent_a[k] + exponent_b[k] - top);
    return top;
}

/* In four lanes, so that any processor adds in the same order. */
static INLINE REAL NAME(sum)(const REAL *terms, Py_ssize_t count)
{
    REAL a = 0, b = 0, c = 0, d = 0;
    Py_ssize_t k = 0;
    for (; k + 4 <= count; k += 4)
        a += terms[k], b += terms[k + 1], c += terms[k + 2], d += terms[k + 3];
    for (; k < count; k++)
        a += terms[k];
    return (a + b) + (c + d);
}

/* weights [dependent][head], or NULL for 0. */
static void NAME(load_arcs)(
    NAME(Arcs) *chart, const Model *model, const int64_t *words, const double *weights)
{
    const Py_ssize_t T = chart->T, C = model->C;
    for (Py_ssize_t head = 0; head < T; head++) {
        for (Py_ssize_t dependent = 0; dependent < T; dependent++) {
            const Py_ssize_t at = head * T + dependent;
            const double exponent = weights ? weights[dependent * T + head] * LOG2_E : 0.0;
            const double bits = CLIPPED(exponent, LEAST_EXPONENT), whole = floor(bits);
            const double weight = exp2(bits - whole), *attach = model->attach + words[dependent];
            const Py_ssize_t row = (words[head] * 2 + (dependent > head ? RIGHT : LEFT)) * 2;
            chart->first[at] = (REAL)(weight * (head == dependent ? 1.0 : attach[(row + ADJACENT) * C]));
            chart->later[at] = (REAL)(weight * (head == dependent ? 1.0 : attach[(row + LATER) * C]));
            chart->shift[at] = (INT)whole;
        }
    }
}

static VARIANTS void NAME(inside_arcs)(NAME(Arcs) *chart, const Model *model, const int64_t *words)
{
    const Py_ssize_t T = chart->T;
    REAL *terms = chart->terms;
    for (Py_ssize_t j = 0; j < T; j++) {
        const Py_ssize_t word = j * T + j;
        const double stop_left = stopping(model, words[j], LEFT, ADJACENT);
        const double stop_right = stopping(model, words[j], RIGHT, ADJACENT);
        NAME(set)(&chart->left_by_start, word, (REAL)stop_left, 0);
        NAME(set)(&chart->left_by_end, word, (REAL)stop_left, 0);
        NAME(set)(&chart->open_left, word, (REAL)(1 - stop_left), 0);
        NAME(set)(&chart->right_by_start, word, (REAL)stop_right, 0);
        NAME(set)(&chart->right_by_end, word, (REAL)stop_right, 0);
        NAME(set)(&chart->open_right, word, (REAL)(1 - stop_right), 0);
        for (Py_ssize_t i = j - 1; i >= 0; i--) {
            const Py_ssize_t n = j - i, start = i * T + j, end = j * T + i;
            INT top = NAME(terms)(&chart->open_right, i * T + i, &chart->left_by_end, end + 1, n, terms);
            REAL total = chart->first[start] * terms[0] + chart->later[start] * NAME(sum)(terms + 1, n - 1);
            chart->sum_right.total[start] = total, chart->sum_right.top[start] = top;
            NAME(set)(&chart->arc_right, start, total, top + chart->shift[start]);

            top = NAME(terms)(&chart->right_by_start, i * T + i, &chart->open_left, end + 1, n, terms);
            total = chart->first[end] * terms[n - 1] + chart->later[end] * NAME(sum)(terms, n - 1);
            chart->sum_left.total[start] = total, chart->sum_left.top[start] = top;
            NAME(set)(&chart->arc_left, end, total, top + chart->shift[end]);

            const int64_t first = words[i], last = words[j];
            top = NAME(terms)(&chart->arc_right, i * T + i + 1, &chart->right_by_end, end + 1, n, terms);
            total = NAME(sum)(terms, n);
            chart->half_right.total[start] = total, chart->half_right.top[start] = top;
            const double stops_right = stopping(model, model->stops_by_head ? first : last, RIGHT, LATER);
            NAME(set)(&chart->open_right, start, total * (REAL)(1 - stops_right), top);
            NAME(set)(&chart->right_by_start, start, total * (REAL)stops_right, top);
            NAME(copy)(&chart->right_by_end, end, &chart->right_by_start, start);

            top = NAME(terms)(&chart->left_by_start, i * T + i, &chart->arc_left, end, n, terms);
            total = NAME(sum)(terms, n);
            chart->half_left.total[start] = total, chart->half_left.top[start] = top;
            const double stops_left = stopping(model, model->stops_by_head ? last : first, LEFT, LATER);
            NAME(set)(&chart->open_left, end, total * (REAL)(1 - stops_left), top);
            NAME(set)(&chart->left_by_start, start, total * (REAL)stops_left, top);
            NAME(copy)(&chart->left_by_end, end, &chart->left_by_start, start);
        }
    }
}

/* Adds the posterior probabilities of the terms a_k b_k of a sum, ``share`` times each, to those of a and of b; returns
   what it added. */
static INLINE REAL NAME(pass_down)(
    NAME(Spans) *a, Py_ssize_t at_a, NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t count, INT top, REAL share, REAL *terms)
{
    const REAL *value_a = a->value + at_a, *value_b = b->value + at_b;
    const INT *exponent_a = a->exponent + at_a, *exponent_b = b->exponent + at_b;
    REAL *RESTRICT posterior_a = a->posterior + at_a, *RESTRICT posterior_b = b->posterior + at_b;
    for (Py_ssize_t k = 0; k < count; k++) {
        terms[k] = share * value_a[k] * value_b[k] * NAME(power)(exponent_a[k] + exponent_b[k] - top);
        posterior_a[k] += terms[k];
        posterior_b[k] += terms[k];
    }
    return NAME(sum)(terms, count);
}

/* From wide spans to narrow ones, after the posterior probabilities of the whole sentence's halves. A span that is
   hardly in any tree has no effect on what is inside of it. arcs [dependent][head]: of arcs. */
static VARIANTS void NAME(outside_arcs)(
    NAME(Arcs) *chart, const Model *model, const int64_t *words, REAL *arcs, const Counts *counts)
{
    const Py_ssize_t T = chart->T;
    REAL *terms = chart->terms;
    for (Py_ssize_t j = T - 1; j >= 0; j--) {
        for (Py_ssize_t i = 0; i <= j; i++) {
            const Py_ssize_t start = i * T + j, end = j * T + i;
            const REAL stops_right = chart->right_by_start.posterior[start] + chart->right_by_end.posterior[end];
            const REAL stops_left = chart->left_by_start.posterior[start] + chart->left_by_end.posterior[end];
            const REAL on_right = chart->open_right.posterior[start], on_left = chart->open_left.posterior[end];
            if (counts->stop) {
                const int adjacent = i == j ? ADJACENT : LATER;
                const int64_t right_decides = words[model->stops_by_head ? i : j];
                const int64_t left_decides = words[model->stops_by_head ? j : i];
                counts->stop[(right_decides * 2 + RIGHT) * 2 + adjacent] += stops_right;
                counts->stop[(left_decides * 2 + LEFT) * 2 + adjacent] += stops_left;
                counts->goes_on[(right_decides * 2 + RIGHT) * 2 + adjacent] += on_right;
                counts->goes_on[(left_decides * 2 + LEFT) * 2 + adjacent] += on_left;
            }
            if (i == j)
                continue;
            const Py_ssize_t n = j - i, from = i * T + i;
            if (stops_right + on_right > NEGLIGIBLE)
                NAME(pass_down)(&chart->arc_right, from + 1, &chart->right_by_end, end + 1, n,
                    chart->half_right.top[start], (stops_right + on_right) / chart->half_right.total[start], terms);
            if (stops_left + on_left > NEGLIGIBLE)
                NAME(pass_down)(&chart->left_by_start, from, &chart->arc_left, end, n,
                    chart->half_left.top[start], (stops_left + on_left) / chart->half_left.total[start], terms);

            const REAL to_right = arcs[end] = chart->arc_right.posterior[start];
            const REAL to_left = arcs[start] = chart->arc_left.posterior[end];
            if (to_right > NEGLIGIBLE) {
                const REAL share = to_right / chart->sum_right.total[start];
                const INT top = chart->sum_right.top[start];
                const REAL first = NAME(pass_down)(&chart->open_right, from, &chart->left_by_end, end + 1, 1,
                    top, share * chart->first[start], terms);
                const REAL later = NAME(pass_down)(&chart->open_right, from + 1, &chart->left_by_end, end + 2, n - 1,
                    top, share * chart->later[start], terms);
                count_arc(model, counts, words[i], RIGHT, words[j], first, later);
            }
            if (to_left > NEGLIGIBLE) {
                const REAL share = to_left / chart->sum_left.total[start];
                const INT top = chart->sum_left.top[start];
                const REAL later = NAME(pass_down)(&chart->right_by_start, from, &chart->open_left, end + 1, n - 1,
                    top, share * chart->later[end], terms);
                const REAL first = NAME(pass_down)(&chart->right_by_start, from + n - 1, &chart->open_left, end + n, 1,
                    top, share * chart->first[end], terms);
                count_arc(model, counts, words[j], LEFT, words[i], first, later);
            }
        }
    }
}

/* Of B sentences. weights [B][dependent][head], or NULL; counts: all or none of them NULL; they are added to what is
   there. Returns whether there was enough memory. */
static int NAME(dependency_boundary)(
    Py_ssize_t B, Py_ssize_t T, const Model *model, const int64_t *classes, const double *weights,
    double *log_likelihood, void *all_arcs, const Counts *counts)
{
    NAME(Arcs) chart = {.T = T};
    const size_t size = NAME(place_arcs)(&chart, NULL);
    char *memory = malloc(size);
    if (!memory)
        return 0;
    NAME(place_arcs)(&chart, memory);
    for (Py_ssize_t b = 0; b < B; b++) {
        const int64_t *words = classes + b * T;
        REAL *arcs = (REAL *)all_arcs + b * T * T;
        memset(memory, 0, chart.posteriors);
        NAME(load_arcs)(&chart, model, words, weights ? weights + b * T * T : NULL);
        NAME(inside_arcs)(&chart, model, words);
        const Py_ssize_t last = (T - 1) * T;
        double total = 0, top = 4 * LEAST_EXPONENT; /* of each word as the root */
        for (Py_ssize_t word = 0; word < T; word++)
            top = fmax(top, (double)chart.left_by_start.exponent[word] + chart.right_by_end.exponent[last + word]
                + chart.shift[word * T + word]);
        for (Py_ssize_t word = 0; word < T; word++) {
            const double exponent = (double)chart.left_by_start.exponent[word]
                + chart.right_by_end.exponent[last + word] + chart.shift[word * T + word] - top;
            const double value = exp2(exponent) * model->root[words[word]] * chart.first[word * T + word]
                * chart.left_by_start.value[word] * chart.right_by_end.value[last + word];
            arcs[word * T + word] = (REAL)value;
            total += value;
        }
        const int has_tree = total > 0 && top > LEAST_EXPONENT / 2;
        log_likelihood[b] = has_tree ? log(total) + top / LOG2_E : -INFINITY;
        for (Py_ssize_t word = 0; word < T; word++) {
            const REAL probability = has_tree ? (REAL)(arcs[word * T + word] / total) : 0;
            arcs[word * T + word] = probability;
            chart.left_by_start.posterior[word] = chart.right_by_end.posterior[last + word] = probability;
            if (counts->root)
                counts->root[words[word]] += probability;
        }
        NAME(outside_arcs)(&chart, model, words, arcs, counts);
    }
    free(memory);
    return 1;
}
