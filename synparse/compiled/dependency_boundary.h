/* Posterior probabilities of arcs under the dependency-and-boundary model, and expected counts:
   `synparse.inducers.dependency_boundary` in C, by the same recurrences.

   Included twice by charts.c, with REAL as float and as double. Several sentences side by side, in lanes (spans.h). Rows
   of charts are by the first word of spans (_by_start) or by the last one (_by_end), and contiguous in the other, which
   is what sums run along. */

typedef struct {
    Py_ssize_t T, C;
    /* S, open and arc, as in the module's docstring */
    NAME(Spans) left_by_start, left_by_end, right_by_start, right_by_end, open_left, open_right, arc_left, arc_right;
    NAME(Sums) half_left, half_right, sum_left, sum_right;
    REAL *first, *later; /* [head][dependent][lanes]: weight and attachment of a side's first dependent and of others */
    INT *shift;          /* [head][dependent][lanes]: both count times 2 to this power */
    REAL *stop, *goes_on; /* [word][side][adjacent][lanes]: 1 less the other, which rounding would make 0 here */
    double *root;        /* [word][lanes] */
    double *attach;      /* [side][adjacent][C]: of a head with several classes */
    int64_t *words;      /* [T][lanes]: the first class of each */
    size_t posteriors;   /* the size of all of them in memory, which they begin */
} NAME(Arcs);

/* As `place_chart`. */
static size_t NAME(place_arcs)(NAME(Arcs) *chart, int lanes, char *memory)
{
    const size_t count = chart->T * chart->T * lanes;
    NAME(Spans) *const spans[] = {
        &chart->left_by_start, &chart->left_by_end, &chart->right_by_start, &chart->right_by_end,
        &chart->open_left, &chart->open_right, &chart->arc_left, &chart->arc_right,
    };
    NAME(Sums) *const sums[] = {&chart->half_left, &chart->half_right, &chart->sum_left, &chart->sum_right};
    size_t size = 0;
    for (int number = 0; number < 8; number++)
        PLACE(spans[number]->posterior, count);
    chart->posteriors = size;
    for (int number = 0; number < 8; number++)
        size += NAME(place_spans)(spans[number], count, memory ? memory + size : NULL);
    for (int number = 0; number < 4; number++)
        size += NAME(place_sums)(sums[number], count, memory ? memory + size : NULL);
    PLACE(chart->first, count);
    PLACE(chart->later, count);
    PLACE(chart->shift, count);
    PLACE(chart->stop, chart->T * 4 * lanes);
    PLACE(chart->goes_on, chart->T * 4 * lanes);
    PLACE(chart->root, chart->T * lanes);
    PLACE(chart->attach, chart->C * 4);
    PLACE(chart->words, chart->T * lanes);
    return size;
}

/* The sentences from the first of ``used``, with the classes of their words and weights [used][dependent][head], or NULL
   for 0. Lanes without a sentence of their own have the last one. */
static INLINE void NAME(load_arcs)(
    NAME(Arcs) *chart, const Model *model, Words words, const double *weights, const int lanes, int used)
{
    const Py_ssize_t T = chart->T, C = model->C;
    Py_ssize_t sentence[LANES];
    EACH(x, lanes)
        sentence[x] = x < used ? x : used - 1;
    for (Py_ssize_t word = 0; word < T; word++)
        for (int x = 0; x < lanes; x++) {
            const Words of_word = words_from(words, sentence[x] * T + word);
            chart->words[word * lanes + x] = of_word.classes[0];
            chart->root[word * lanes + x] = mean_of_classes(model->root, 1, of_word);
            for (int event = 0; event < 4; event++) {
                const double stop = fmin(1, mean_of_classes(model->stop + event, 4, of_word));
                chart->stop[(word * 4 + event) * lanes + x] = (REAL)stop;
                chart->goes_on[(word * 4 + event) * lanes + x] = (REAL)(1 - stop);
            }
        }
    for (Py_ssize_t head = 0; head < T; head++) {
        for (int x = 0; x < lanes; x++) {
            const Words of_head = words_from(words, sentence[x] * T + head);
            const double *of_class = model->attach + of_head.classes[0] * C * 4;
            if (of_head.shares[0] < 1) {
                memset(chart->attach, 0, sizeof(double) * C * 4);
                for (Py_ssize_t k = 0; k < words.K && of_head.shares[k] > 0; k++)
                    for (Py_ssize_t event = 0; event < C * 4; event++)
                        chart->attach[event] += of_head.shares[k] * model->attach[of_head.classes[k] * C * 4 + event];
                of_class = chart->attach;
            }
            for (Py_ssize_t dependent = 0; dependent < T; dependent++) {
                const Words of_dependent = words_from(words, sentence[x] * T + dependent);
                const double *attach = of_class + (dependent > head ? RIGHT : LEFT) * 2 * C;
                const Py_ssize_t at = (head * T + dependent) * lanes + x;
                chart->first[at] = head == dependent ? 1 : (REAL)mean_of_classes(attach + ADJACENT * C, 1, of_dependent);
                chart->later[at] = head == dependent ? 1 : (REAL)mean_of_classes(attach + LATER * C, 1, of_dependent);
            }
        }
        for (Py_ssize_t dependent = 0; dependent < T; dependent++) {
            const Py_ssize_t at = (head * T + dependent) * lanes;
            REAL weight[LANES];
            double omega[LANES] = {0};
            for (int x = 0; weights && x < lanes; x++)
                omega[x] = weights[(sentence[x] * T + dependent) * T + head];
            EACH(x, lanes)
                NAME(exponentiate)(omega[x], &weight[x], &chart->shift[at + x]);
            EACH(x, lanes) {
                chart->first[at + x] *= weight[x];
                chart->later[at + x] *= weight[x];
            }
        }
    }
}

/* Where the probabilities [lanes] are with which a word stops or goes on. */
static INLINE Py_ssize_t NAME(event_of)(Py_ssize_t word, int side, int adjacent, const int lanes)
{
    return ((word * 2 + side) * 2 + adjacent) * lanes;
}

/* A head and its dependent, over the words start … end: the sum of a_k b_k, whose first dependent is at the k ``near``,
   the first or the last one of n, with its weights at ``arc``. */
static INLINE void NAME(set_arc)(
    NAME(Arcs) *chart, const NAME(Spans) *a, Py_ssize_t at_a, const NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t n,
    Py_ssize_t near, NAME(Sums) *sums, Py_ssize_t start, NAME(Spans) *arcs, Py_ssize_t arc, const int lanes)
{
    const Py_ssize_t others = near == 0;
    const REAL *first = chart->first + arc * lanes, *later = chart->later + arc * lanes;
    INT *top = sums->top + start * lanes, exponents[LANES];
    REAL *total = sums->total + start * lanes, of_first[LANES], of_later[LANES];
    NAME(find_top)(a, at_a, b, at_b, n, top, lanes);
    NAME(sum_of_terms)(a, at_a + near, b, at_b + near, 1, top, of_first, lanes);
    NAME(sum_of_terms)(a, at_a + others, b, at_b + others, n - 1, top, of_later, lanes);
    EACH(x, lanes) {
        total[x] = first[x] * of_first[x] + later[x] * of_later[x];
        exponents[x] = top[x] + chart->shift[arc * lanes + x];
    }
    NAME(set)(arcs, arc, total, exponents, lanes);
}

/* A head and some dependents on one side, the sum of n terms a_k b_k: with another dependent to come, or with none, by
   the probabilities at ``event``. */
static INLINE void NAME(set_half)(
    const NAME(Arcs) *chart, const NAME(Spans) *a, Py_ssize_t at_a, const NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t n,
    NAME(Sums) *sums, Py_ssize_t start, Py_ssize_t event, NAME(Spans) *open, Py_ssize_t at_open, NAME(Spans) *by_start,
    NAME(Spans) *by_end, Py_ssize_t end, const int lanes)
{
    INT *top = sums->top + start * lanes;
    REAL *total = sums->total + start * lanes, goes_on[LANES], stops[LANES];
    NAME(find_top)(a, at_a, b, at_b, n, top, lanes);
    NAME(sum_of_terms)(a, at_a, b, at_b, n, top, total, lanes);
    EACH(x, lanes)
        goes_on[x] = total[x] * chart->goes_on[event + x], stops[x] = total[x] * chart->stop[event + x];
    NAME(set)(open, at_open, goes_on, top, lanes);
    NAME(set)(by_start, start, stops, top, lanes);
    NAME(copy)(by_end, end, by_start, start, lanes);
}

static INLINE void NAME(inside_arcs)(NAME(Arcs) *chart, int stops_by_head, const int lanes)
{
    const Py_ssize_t T = chart->T;
    for (Py_ssize_t j = 0; j < T; j++) {
        const Py_ssize_t word = j * T + j;
        const INT exponents[LANES] = {0};
        for (int side = 0; side < 2; side++) {
            const Py_ssize_t event = NAME(event_of)(j, side, ADJACENT, lanes);
            const REAL *stop = chart->stop + event, *goes_on = chart->goes_on + event;
            NAME(set)(side ? &chart->open_right : &chart->open_left, word, goes_on, exponents, lanes);
            NAME(set)(side ? &chart->right_by_start : &chart->left_by_start, word, stop, exponents, lanes);
            NAME(set)(side ? &chart->right_by_end : &chart->left_by_end, word, stop, exponents, lanes);
        }
    }
    EACH_SPAN_UPWARDS(i, j, T - 1, 1) {
        const Py_ssize_t n = j - i, start = i * T + j, end = j * T + i, from = i * T + i;
        NAME(set_arc)(chart, &chart->open_right, from, &chart->left_by_end, end + 1, n, 0,
            &chart->sum_right, start, &chart->arc_right, start, lanes);
        NAME(set_arc)(chart, &chart->right_by_start, from, &chart->open_left, end + 1, n, n - 1,
            &chart->sum_left, start, &chart->arc_left, end, lanes);
        NAME(set_half)(chart, &chart->arc_right, from + 1, &chart->right_by_end, end + 1, n, &chart->half_right, start,
            NAME(event_of)(stops_by_head ? i : j, RIGHT, LATER, lanes),
            &chart->open_right, start, &chart->right_by_start, &chart->right_by_end, end, lanes);
        NAME(set_half)(chart, &chart->left_by_start, from, &chart->arc_left, end, n, &chart->half_left, start,
            NAME(event_of)(stops_by_head ? j : i, LEFT, LATER, lanes),
            &chart->open_left, end, &chart->left_by_start, &chart->left_by_end, end, lanes);
    }
}

/* Adds expected counts of the first ``used`` lanes: of the events of a head and a dependent, or of a word's side. */
static INLINE void NAME(count_arcs)(
    const NAME(Arcs) *chart, const Model *model, const Counts *counts, Py_ssize_t head, int side, Py_ssize_t dependent,
    const REAL *first, const REAL *later, const int lanes, int used)
{
    for (int x = 0; counts->attach && x < used; x++) {
        double *row = counts->attach + (chart->words[head * lanes + x] * 2 + side) * 2 * model->C
            + chart->words[dependent * lanes + x];
        row[ADJACENT * model->C] += first[x];
        row[LATER * model->C] += later[x];
    }
}

static INLINE void NAME(count_stops)(
    const NAME(Arcs) *chart, const Counts *counts, Py_ssize_t word, int side, int adjacent, const REAL *stops,
    const REAL *goes_on, const int lanes, int used)
{
    for (int x = 0; counts->stop && x < used; x++) {
        const Py_ssize_t event = (chart->words[word * lanes + x] * 2 + side) * 2 + adjacent;
        counts->stop[event] += stops[x];
        counts->goes_on[event] += goes_on[x];
    }
}

/* From wide spans to narrow ones, after the posterior probabilities of the whole sentence's halves. */
static INLINE void NAME(outside_arcs)(
    NAME(Arcs) *chart, const Model *model, const Counts *counts, const int lanes, int used)
{
    const Py_ssize_t T = chart->T;
    EACH_SPAN_DOWNWARDS(i, j, T - 1, 0) {
        const Py_ssize_t start = i * T + j, end = j * T + i, n = j - i, from = i * T + i;
        const int adjacent = i == j ? ADJACENT : LATER;
        REAL stops[2][LANES], both[2][LANES], parts[LANES], first[LANES], later[LANES];
        const REAL *goes_on[2] = {
            chart->open_left.posterior + end * lanes, chart->open_right.posterior + start * lanes};
        EACH(x, lanes) {
            const Py_ssize_t by_start = start * lanes + x, by_end = end * lanes + x;
            stops[LEFT][x] = chart->left_by_start.posterior[by_start] + chart->left_by_end.posterior[by_end];
            stops[RIGHT][x] = chart->right_by_start.posterior[by_start] + chart->right_by_end.posterior[by_end];
            both[LEFT][x] = stops[LEFT][x] + goes_on[LEFT][x];
            both[RIGHT][x] = stops[RIGHT][x] + goes_on[RIGHT][x];
        }
        NAME(count_stops)(chart, counts, model->stops_by_head ? i : j, RIGHT, adjacent, stops[RIGHT],
            goes_on[RIGHT], lanes, used);
        NAME(count_stops)(chart, counts, model->stops_by_head ? j : i, LEFT, adjacent, stops[LEFT],
            goes_on[LEFT], lanes, used);
        if (i == j)
            continue;
        if (!NAME(are_negligible)(both[RIGHT], NEGLIGIBLE, chart->half_right.total + start * lanes, parts, lanes))
            NAME(pass_down)(&chart->arc_right, from + 1, &chart->right_by_end, end + 1, n,
                chart->half_right.top + start * lanes, parts, later, lanes);
        if (!NAME(are_negligible)(both[LEFT], NEGLIGIBLE, chart->half_left.total + start * lanes, parts, lanes))
            NAME(pass_down)(&chart->left_by_start, from, &chart->arc_left, end, n,
                chart->half_left.top + start * lanes, parts, later, lanes);
        for (int side = 0; side < 2; side++) {
            const Py_ssize_t arc = side ? start : end, near = side ? 0 : n - 1, others = near == 0;
            NAME(Spans) *a = side ? &chart->open_right : &chart->right_by_start;
            NAME(Spans) *b = side ? &chart->left_by_end : &chart->open_left;
            const NAME(Sums) *sums = side ? &chart->sum_right : &chart->sum_left;
            const REAL *posterior = (side ? &chart->arc_right : &chart->arc_left)->posterior + arc * lanes;
            REAL of_first[LANES], of_later[LANES];
            if (NAME(are_negligible)(posterior, NEGLIGIBLE, sums->total + start * lanes, parts, lanes))
                continue;
            EACH(x, lanes) {
                of_first[x] = parts[x] * chart->first[arc * lanes + x];
                of_later[x] = parts[x] * chart->later[arc * lanes + x];
            }
            const INT *top = sums->top + start * lanes;
            NAME(pass_down)(a, from + near, b, end + 1 + near, 1, top, of_first, first, lanes);
            NAME(pass_down)(a, from + others, b, end + 1 + others, n - 1, top, of_later, later, lanes);
            NAME(count_arcs)(chart, model, counts, side ? i : j, side, side ? j : i, first, later, lanes, used);
        }
    }
}

/* Of ``used`` sentences, at most one in each lane. arcs [used][dependent][head]. */
static INLINE void NAME(posterior_arcs)(
    NAME(Arcs) *chart, const Model *model, Words words, const double *weights, double *log_likelihood,
    REAL *all_arcs, const Counts *counts, const int lanes, int used)
{
    const Py_ssize_t T = chart->T, last = (T - 1) * T;
    NAME(load_arcs)(chart, model, words, weights, lanes, used);
    NAME(inside_arcs)(chart, model->stops_by_head, lanes);
    for (int x = 0; x < used; x++) {
        REAL *arcs = all_arcs + x * T * T;
        double total = 0, top = 4 * LEAST_EXPONENT; /* of each word as the root */
        for (Py_ssize_t word = 0; word < T; word++)
            top = fmax(top, (double)chart->left_by_start.exponent[word * lanes + x]
                + chart->right_by_end.exponent[(last + word) * lanes + x]
                + chart->shift[(word * T + word) * lanes + x]);
        for (Py_ssize_t word = 0; word < T; word++) {
            const Py_ssize_t left = word * lanes + x, right = (last + word) * lanes + x;
            const Py_ssize_t root = (word * T + word) * lanes + x;
            const double exponent = (double)chart->left_by_start.exponent[left] + chart->right_by_end.exponent[right]
                + chart->shift[root] - top;
            const double value = exp2(exponent) * chart->root[left] * chart->first[root]
                * chart->left_by_start.value[left] * chart->right_by_end.value[right];
            arcs[word * T + word] = (REAL)value;
            total += value;
        }
        const int has_tree = total > 0 && top > LEAST_EXPONENT / 2;
        log_likelihood[x] = has_tree ? log(total) + top / LOG2_E : -INFINITY;
        for (Py_ssize_t word = 0; word < T; word++) {
            const REAL probability = has_tree ? (REAL)(arcs[word * T + word] / total) : 0;
            arcs[word * T + word] = probability;
            chart->left_by_start.posterior[word * lanes + x] = probability;
            chart->right_by_end.posterior[(last + word) * lanes + x] = probability;
            if (counts->root)
                counts->root[chart->words[word * lanes + x]] += probability;
        }
    }
    NAME(outside_arcs)(chart, model, counts, lanes, used);
    for (Py_ssize_t i = 0; i < T; i++)
        for (Py_ssize_t j = i + 1; j < T; j++)
            for (int x = 0; x < used; x++) {
                REAL *arcs = all_arcs + x * T * T;
                arcs[j * T + i] = chart->arc_right.posterior[(i * T + j) * lanes + x];
                arcs[i * T + j] = chart->arc_left.posterior[(j * T + i) * lanes + x];
            }
}

/* The same by the number of lanes. */
static VARIANTS void NAME(posterior_arcs_in_lanes)(
    NAME(Arcs) *chart, const Model *model, Words words, const double *weights, double *log_likelihood,
    REAL *arcs, const Counts *counts, int lanes, int used)
{
    if (lanes == LANES)
        NAME(posterior_arcs)(chart, model, words, weights, log_likelihood, arcs, counts, LANES, used);
    else
        NAME(posterior_arcs)(chart, model, words, weights, log_likelihood, arcs, counts, LANES / 2, used);
}

/* Of B sentences. weights [B][dependent][head], or NULL; counts, of words with one class: all or none of them NULL; they
   are added to what is there. Returns whether there was enough memory. */
static int NAME(dependency_boundary)(
    Py_ssize_t B, Py_ssize_t T, const Model *model, Words words, const double *weights, double *log_likelihood,
    void *arcs, const Counts *counts)
{
    NAME(Arcs) chart = {.T = T, .C = model->C};
    const int most = B > LANES / 2 ? LANES : LANES / 2;
    char *memory = new_lines(NAME(place_arcs)(&chart, most, NULL));
    if (!memory)
        return 0;
    for (Py_ssize_t b = 0; b < B; b += most) {
        const int used = (int)(B - b < most ? B - b : most), lanes = used > LANES / 2 ? LANES : LANES / 2;
        NAME(place_arcs)(&chart, lanes, memory);
        memset(memory, 0, chart.posteriors);
        NAME(posterior_arcs_in_lanes)(&chart, model, words_from(words, b * T), weights ? weights + b * T * T : NULL,
            log_likelihood + b, (REAL *)arcs + b * T * T, counts, lanes, used);
    }
    free_lines(memory);
    return 1;
}
