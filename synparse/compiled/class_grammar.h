/* Posterior probabilities of spans under class grammars, and expected counts: `synparse.inducers.class_grammar` in C.

   Included twice by charts.c, with REAL as float and as double. One sentence under one grammar at a time. The values of
   a span are kept with a power of two as their scale: factors of splits are then exact, and need neither exp nor log.

   T words, N nonterminals, C classes; P = N padded with zeros to whole LANES, in rows and columns; S = T + 1, the side
   of charts. Rows of charts by start or by end are contiguous in the other boundary, which is what sums over splits run
   along. */

typedef struct {
    Py_ssize_t T, N, P, S, C;
    REAL negligible;              /* probability of a span */
    REAL *left_rules, *right_rules; /* [P][P]: of each parent to all parts */
    REAL *parents_by_left, *parents_by_right; /* [P][P]: of each part to all parents */
    REAL *left_words, *right_words; /* [C][P]: l and r of a word, by its class */
    REAL *left;                   /* [start][end][P]: l */
    REAL *right;                  /* [end][start][P]: r */
    REAL *inner;                  /* [start][end][P]: s */
    REAL *factor;                 /* [start][end]: of the products of all splits, beside their powers of two */
    INT *top;                     /* [start][end]: the largest exponent of a split */
    INT *by_start, *by_end;       /* [start][end], [end][start]: values count times 2 to this power */
    REAL *left_derivatives, *right_derivatives; /* of log Z by left and right */
    REAL *gradient;               /* [P]: of log Z by s of a span */
    /* [spans][P]: s, and the derivatives by l and r, of the spans that count, one after the other */
    REAL *counted, *counted_left, *counted_right;
    REAL *by_left_rules, *by_right_rules; /* [N][P]: derivatives of log Z by rules, of all sentences */
    REAL *left_word_counts, *right_word_counts; /* [C][P]: expected counts of words, by their class */
    REAL *weight;                 /* [start][end]: e^ω as weight times 2^shift, ½ ≤ weight² ≤ 2 */
    INT *shift;
    REAL *factors;                /* [S]: of all splits of a span, by their gaps */
    REAL *split_factors;          /* [S]: of those that count, and P times their gaps */
    Py_ssize_t *gaps;
} NAME(Chart);

/* Places the arrays of a chart, whose sizes are set, in memory; or only says how much they need, where it is NULL. */
static size_t NAME(place_chart)(NAME(Chart) *chart, char *memory)
{
    const size_t N = chart->N, P = chart->P, S = chart->S, C = chart->C;
    size_t size = 0;
    PLACE(chart->left_rules, P * P);
    PLACE(chart->right_rules, P * P);
    PLACE(chart->parents_by_left, P * P);
    PLACE(chart->parents_by_right, P * P);
    PLACE(chart->left_words, C * P);
    PLACE(chart->right_words, C * P);
    PLACE(chart->left, S * S * P);
    PLACE(chart->right, S * S * P);
    PLACE(chart->inner, S * S * P);
    PLACE(chart->left_derivatives, S * S * P);
    PLACE(chart->right_derivatives, S * S * P);
    PLACE(chart->gradient, P);
    PLACE(chart->counted, S * S / 2 * P);
    PLACE(chart->counted_left, S * S / 2 * P);
    PLACE(chart->counted_right, S * S / 2 * P);
    PLACE(chart->by_left_rules, N * P);
    PLACE(chart->by_right_rules, N * P);
    PLACE(chart->left_word_counts, C * P);
    PLACE(chart->right_word_counts, C * P);
    PLACE(chart->factor, S * S);
    PLACE(chart->top, S * S);
    PLACE(chart->by_start, S * S);
    PLACE(chart->by_end, S * S);
    PLACE(chart->weight, S * S);
    PLACE(chart->shift, S * S);
    PLACE(chart->factors, S);
    PLACE(chart->split_factors, S);
    PLACE(chart->gaps, S);
    return size;
}

/* left, right [N][N + C] of one grammar. */
static void NAME(load_grammar)(NAME(Chart) *chart, const REAL *left, const REAL *right)
{
    const Py_ssize_t N = chart->N, P = chart->P, C = chart->C, symbols = N + C;
    for (Py_ssize_t A = 0; A < N; A++) {
        for (Py_ssize_t B = 0; B < N; B++) {
            chart->parents_by_left[B * P + A] = chart->left_rules[A * P + B] = left[A * symbols + B];
            chart->parents_by_right[B * P + A] = chart->right_rules[A * P + B] = right[A * symbols + B];
        }
        for (Py_ssize_t c = 0; c < C; c++) {
            chart->left_words[c * P + A] = left[A * symbols + N + c];
            chart->right_words[c * P + A] = right[A * symbols + N + c];
        }
    }
}

/* omega [S][S], or NULL for 0. */
static VARIANTS void NAME(load_weights)(NAME(Chart) *chart, const double *omega)
{
    for (Py_ssize_t i = 0; i < chart->T; i++)
        for (Py_ssize_t at = i * chart->S + i + 2; at < (i + 1) * chart->S; at++)
            NAME(exponentiate)(omega ? omega[at] : 0.0, &chart->weight[at], &chart->shift[at]);
}

/* out [width] += Σ_row values[row] · matrix [rows][P], over all rows, or those that are ``chosen``, four at a
   time: rows is a multiple of 4. The sums stay in registers: width is a constant. */
static INLINE void NAME(add_columns)(
    const REAL *values, const REAL *matrix, const Py_ssize_t *chosen, Py_ssize_t rows, Py_ssize_t P, REAL *RESTRICT out,
    const int width)
{
    REAL sums[COLUMNS];
    for (int x = 0; x < width; x++)
        sums[x] = out[x];
    for (Py_ssize_t n = 0; n < rows; n += 4) {
        const Py_ssize_t of_a = chosen ? chosen[n] : n, of_b = chosen ? chosen[n + 1] : n + 1;
        const Py_ssize_t of_c = chosen ? chosen[n + 2] : n + 2, of_d = chosen ? chosen[n + 3] : n + 3;
        const REAL *a = matrix + of_a * P, *b = matrix + of_b * P, *c = matrix + of_c * P, *d = matrix + of_d * P;
        const REAL by_a = values[of_a], by_b = values[of_b], by_c = values[of_c], by_d = values[of_d];
        for (int x = 0; x < width; x++)
            sums[x] += (by_a * a[x] + by_b * b[x]) + (by_c * c[x] + by_d * d[x]);
    }
    for (int x = 0; x < width; x++)
        out[x] = sums[x];
}

/* out [P] += Σ_row values[row] · matrix [rows][P], over all rows, or those that are ``chosen``, which are a
   multiple of 4. */
static INLINE void NAME(add_product)(
    const REAL *values, const REAL *matrix, const Py_ssize_t *chosen, Py_ssize_t rows, Py_ssize_t P, REAL *RESTRICT out)
{
    FOR_COLUMNS(x, P, NAME(add_columns)(values, matrix + x, chosen, rows, P, out + x, WIDTH));
}

/* out [N][width] += Σ_row values[row][N]ᵀ · matrix [row][width], of rows [rows][P], a multiple of 4: so many are read for
   each sum that is written. Width is a constant. */
static INLINE void NAME(add_outer_columns)(
    const REAL *values, const REAL *matrix, Py_ssize_t rows, Py_ssize_t N, Py_ssize_t P, REAL *RESTRICT out,
    const int width)
{
    for (Py_ssize_t n = 0; n < rows; n += 4, values += 4 * P, matrix += 4 * P)
        for (Py_ssize_t A = 0; A < N; A++) {
            const REAL a = values[A], b = values[P + A], c = values[2 * P + A], d = values[3 * P + A];
            for (int x = 0; x < width; x++)
                out[A * P + x] += (a * matrix[x] + b * matrix[P + x]) + (c * matrix[2 * P + x] + d * matrix[3 * P + x]);
        }
}

/* The splits of a span that count, with the factor of each; returns how many they are. */
static INLINE Py_ssize_t NAME(splits)(NAME(Chart) *chart, Py_ssize_t i, Py_ssize_t j, INT top, REAL factor)
{
    const INT *left = chart->by_start + i * chart->S, *right = chart->by_end + j * chart->S;
    const REAL least = factor * NAME(power)(-NEGLIGIBLE_BITS);
    REAL *RESTRICT factors = chart->factors, *RESTRICT kept = chart->split_factors;
    Py_ssize_t *RESTRICT gaps = chart->gaps, count = 0;
    for (Py_ssize_t k = i + 1; k < j; k++)
        factors[k] = factor * NAME(power)(left[k] + right[k] - top);
    for (Py_ssize_t k = i + 1; k < j; k++) {
        gaps[count] = k * chart->P;
        kept[count] = factors[k];
        count += factors[k] > least;
    }
    return count;
}

/* sums [width] = Σ_k factor_k l_ik r_kj, of the splits that count. The sums stay in registers: width is a constant. */
static INLINE void NAME(sum_of_splits)(
    const NAME(Chart) *chart, Py_ssize_t count, const REAL *left, const REAL *right, REAL *RESTRICT sums,
    const int width)
{
    REAL totals[COLUMNS];
    for (int x = 0; x < width; x++)
        totals[x] = 0;
    for (Py_ssize_t n = 0; n < count; n++) {
        const REAL factor = chart->split_factors[n], *l = left + chart->gaps[n], *r = right + chart->gaps[n];
        for (int x = 0; x < width; x++)
            totals[x] += factor * l[x] * r[x];
    }
    for (int x = 0; x < width; x++)
        sums[x] = totals[x];
}

/* Adds the derivatives by l_ik and r_kj of the splits that count, from that by s_ij, the gradient [width]. */
static INLINE void NAME(pass_to_splits)(
    const NAME(Chart) *chart, Py_ssize_t count, Py_ssize_t at_left, Py_ssize_t at_right, const REAL *gradient,
    const int width)
{
    for (Py_ssize_t n = 0; n < count; n++) {
        const REAL factor = chart->split_factors[n];
        const Py_ssize_t left_part = at_left + chart->gaps[n], right_part = at_right + chart->gaps[n];
        const REAL *l = chart->left + left_part, *r = chart->right + right_part;
        REAL *RESTRICT below_left = chart->left_derivatives + left_part;
        REAL *RESTRICT below_right = chart->right_derivatives + right_part;
        for (int x = 0; x < width; x++) {
            const REAL through = factor * gradient[x];
            below_left[x] += through * r[x];
            below_right[x] += through * l[x];
        }
    }
}

/* In lanes, as `dot`. values [P] ≥ 0. */
static INLINE REAL NAME(largest)(const REAL *values, Py_ssize_t P)
{
    REAL tops[LANES] = {0}, top = 0;
    for (Py_ssize_t x = 0; x < P; x += LANES)
        EACH(lane, LANES)
            tops[lane] = values[x + lane] > tops[lane] ? values[x + lane] : tops[lane];
    for (int lane = 0; lane < LANES; lane++)
        top = tops[lane] > top ? tops[lane] : top;
    return top;
}

/* possible [S][S]: which spans are to be computed, or NULL for all. Returns whether they make a tree. */
static VARIANTS int NAME(inside)(NAME(Chart) *chart, const int64_t *classes, const uint8_t *possible)
{
    const INT least = (INT)LEAST_EXPONENT;
    const Py_ssize_t T = chart->T, P = chart->P, S = chart->S;
    for (Py_ssize_t j = 1; j <= T; j++) {
        const Py_ssize_t word = j - 1;
        memcpy(chart->left + (word * S + j) * P, chart->left_words + classes[word] * P, sizeof(REAL) * P);
        memcpy(chart->right + (j * S + word) * P, chart->right_words + classes[word] * P, sizeof(REAL) * P);
        chart->by_start[word * S + j] = chart->by_end[j * S + word] = 0;
    }
    EACH_SPAN_UPWARDS(i, j, T, 2) {
        const INT *left_scale = chart->by_start + i * S, *right_scale = chart->by_end + j * S;
        const Py_ssize_t at = i * S + j;
        chart->by_start[at] = chart->by_end[j * S + i] = least;
        if (possible && !possible[at])
            continue;
        INT top = left_scale[i + 1] + right_scale[i + 1];
        for (Py_ssize_t k = i + 2; k < j; k++) {
            const INT scale = left_scale[k] + right_scale[k];
            top = scale > top ? scale : top;
        }
        if (possible && top <= least / 2)
            continue;
        const Py_ssize_t count = NAME(splits)(chart, i, j, top, chart->weight[at]);
        const REAL *left = chart->left + i * S * P, *right = chart->right + j * S * P;
        REAL *inner = chart->inner + at * P;
        FOR_COLUMNS(x, P, NAME(sum_of_splits)(chart, count, left + x, right + x, inner + x, WIDTH));
        const REAL largest = NAME(largest)(inner, P);
        const INT exponent = NAME(exponent)(largest);
        const REAL size = NAME(power)(-exponent);
        for (Py_ssize_t A = 0; A < P; A++)
            inner[A] *= size;
        chart->top[at] = top;
        chart->factor[at] = chart->weight[at] * size;
        const INT scale = largest > 0 ? top + chart->shift[at] + exponent : least;
        chart->by_start[at] = chart->by_end[j * S + i] = CLIPPED(scale, least);
        REAL *up_left = chart->left + at * P, *up_right = chart->right + (j * S + i) * P;
        memset(up_left, 0, sizeof(REAL) * P);
        memset(up_right, 0, sizeof(REAL) * P);
        if (j < T) /* nothing is on the right of the others */
            NAME(add_product)(inner, chart->parents_by_left, NULL, FOURS(chart->N), P, up_left);
        if (i > 0)
            NAME(add_product)(inner, chart->parents_by_right, NULL, FOURS(chart->N), P, up_right);
    }
    return chart->by_start[T] > least / 2;
}

/* The products of two rows, added up in lanes, so that any processor adds in the same order. P is a multiple of LANES. */
static INLINE REAL NAME(dot)(const REAL *a, const REAL *b, Py_ssize_t P)
{
    REAL sums[LANES] = {0}, sum = 0;
    for (Py_ssize_t x = 0; x < P; x += LANES)
        EACH(lane, LANES)
            sums[lane] += a[x + lane] * b[x + lane];
    for (int lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

/* From wide spans to narrow ones. Adds ``share`` times the posterior probability of each span to spans [S][S]; returns
   how many spans are kept to be counted, all that count but the whole sentence, where they are to be, and zeros after
   them up to a multiple of 4. A span that is hardly in any tree has no effect on what is inside of it, and other
   grammars under the same weights need not compute it: it becomes impossible. total: Σ root · s of the whole sentence. */
static VARIANTS Py_ssize_t NAME(outside)(
    NAME(Chart) *chart, const REAL *root, double total, double share, double *spans, int with_counts,
    uint8_t *possible)
{
    Py_ssize_t counted = 0;
    const Py_ssize_t T = chart->T, N = chart->N, P = chart->P, S = chart->S;
    REAL *gradient = chart->gradient;
    for (Py_ssize_t word = 0; word < T; word++) {
        memset(chart->left_derivatives + (word * S + word + 1) * P, 0, sizeof(REAL) * (T - word) * P);
        memset(chart->right_derivatives + (word + 1) * S * P, 0, sizeof(REAL) * (word + 1) * P);
    }
    EACH_SPAN_DOWNWARDS(i, j, T, 2) {
        const Py_ssize_t at = i * S + j, at_end = j * S + i;
        if (possible && chart->by_start[at] <= (INT)LEAST_EXPONENT / 2)
            continue;
        const REAL *by_left = chart->left_derivatives + at * P, *by_right = chart->right_derivatives + at_end * P;
        memset(gradient, 0, sizeof(REAL) * P);
        if (j - i == T) {
            for (Py_ssize_t A = 0; A < N; A++)
                gradient[A] = (REAL)(root[A] / total);
            spans[at] += share;
        } else {
            const REAL probability = NAME(dot)(by_left, chart->left + at * P, P)
                + NAME(dot)(by_right, chart->right + at_end * P, P);
            spans[at] += share * probability;
            if (possible)
                possible[at] = probability >= chart->negligible;
            if (probability < chart->negligible)
                continue;
            if (j < T)
                NAME(add_product)(by_left, chart->left_rules, NULL, FOURS(N), P, gradient);
            if (i > 0)
                NAME(add_product)(by_right, chart->right_rules, NULL, FOURS(N), P, gradient);
            if (with_counts) {
                memcpy(chart->counted + counted * P, chart->inner + at * P, sizeof(REAL) * P);
                memcpy(chart->counted_left + counted * P, by_left, sizeof(REAL) * P);
                memcpy(chart->counted_right + counted * P, by_right, sizeof(REAL) * P);
                counted++;
            }
        }
        const Py_ssize_t count = NAME(splits)(chart, i, j, chart->top[at], chart->factor[at]);
        FOR_COLUMNS(x, P, NAME(pass_to_splits)(chart, count, i * S * P + x, j * S * P + x, gradient + x, WIDTH));
    }
    for (; counted % 4; counted++) { /* `count` takes four */
        memset(chart->counted + counted * P, 0, sizeof(REAL) * P);
        memset(chart->counted_left + counted * P, 0, sizeof(REAL) * P);
        memset(chart->counted_right + counted * P, 0, sizeof(REAL) * P);
    }
    return counted;
}

/* Adds what one sentence counts to the derivatives by rules and to the counts of words. */
static VARIANTS void NAME(count)(NAME(Chart) *chart, Py_ssize_t counted, const int64_t *classes)
{
    const Py_ssize_t T = chart->T, N = chart->N, P = chart->P, S = chart->S;
    FOR_COLUMNS(x, P, NAME(add_outer_columns)(
        chart->counted_left, chart->counted + x, counted, N, P, chart->by_left_rules + x, WIDTH));
    FOR_COLUMNS(x, P, NAME(add_outer_columns)(
        chart->counted_right, chart->counted + x, counted, N, P, chart->by_right_rules + x, WIDTH));
    for (Py_ssize_t word = 0; word < T; word++) {
        const Py_ssize_t at = (word * S + word + 1) * P, at_end = ((word + 1) * S + word) * P;
        REAL *RESTRICT of_left = chart->left_word_counts + classes[word] * P;
        REAL *RESTRICT of_right = chart->right_word_counts + classes[word] * P;
        for (Py_ssize_t A = 0; A < P; A++) {
            of_left[A] += chart->left_derivatives[at + A] * chart->left[at + A];
            of_right[A] += chart->right_derivatives[at_end + A] * chart->right[at_end + A];
        }
    }
}

/* Adds what all sentences counted to left_counts, right_counts [N][N + C], and begins anew. */
static void NAME(add_counts)(NAME(Chart) *chart, double *left_counts, double *right_counts)
{
    const Py_ssize_t N = chart->N, P = chart->P, C = chart->C, symbols = N + C;
    for (Py_ssize_t A = 0; A < N; A++) {
        for (Py_ssize_t B = 0; B < N; B++) {
            left_counts[A * symbols + B] += (double)chart->by_left_rules[A * P + B] * chart->left_rules[A * P + B];
            right_counts[A * symbols + B] += (double)chart->by_right_rules[A * P + B] * chart->right_rules[A * P + B];
        }
        for (Py_ssize_t c = 0; c < C; c++) {
            left_counts[A * symbols + N + c] += chart->left_word_counts[c * P + A];
            right_counts[A * symbols + N + c] += chart->right_word_counts[c * P + A];
        }
    }
    memset(chart->by_left_rules, 0, sizeof(REAL) * N * P);
    memset(chart->by_right_rules, 0, sizeof(REAL) * N * P);
    memset(chart->left_word_counts, 0, sizeof(REAL) * C * P);
    memset(chart->right_word_counts, 0, sizeof(REAL) * C * P);
}

/* Trees by their weights alone. */
typedef struct {
    NAME(Spans) by_start, by_end; /* [start][end], [end][start] */
    NAME(Sums) splits;            /* [start][end] */
} NAME(WeightedTrees);

static size_t NAME(place_trees)(NAME(WeightedTrees) *trees, size_t count, char *memory)
{
    size_t size = 0;
    PLACE(trees->by_start.posterior, count);
    PLACE(trees->by_end.posterior, count);
    size += NAME(place_spans)(&trees->by_start, count, memory ? memory + size : NULL);
    size += NAME(place_spans)(&trees->by_end, count, memory ? memory + size : NULL);
    size += NAME(place_sums)(&trees->splits, count, memory ? memory + size : NULL);
    return size;
}

/* Which spans trees have with more than a negligible probability, where a tree of ``used`` sentences is as probable as
   the product of its spans' e^ω. omega, possible [used][S][S]. */
static INLINE void NAME(find_possible)(
    NAME(WeightedTrees) *trees, Py_ssize_t T, const double *omega, REAL negligible, uint8_t *possible, const int lanes,
    int used)
{
    const Py_ssize_t S = T + 1;
    REAL values[LANES], parts[LANES];
    INT exponents[LANES] = {0};
    for (Py_ssize_t j = 1; j <= T; j++) {
        EACH(x, lanes)
            values[x] = 1, exponents[x] = 0;
        NAME(set)(&trees->by_start, (j - 1) * S + j, values, exponents, lanes);
        NAME(set)(&trees->by_end, j * S + j - 1, values, exponents, lanes);
    }
    EACH_SPAN_UPWARDS(i, j, T, 2) {
        const Py_ssize_t at = i * S + j, left = i * S + i + 1, right = j * S + i + 1;
        INT *top = trees->splits.top + at * lanes, shift[LANES];
        REAL *total = trees->splits.total + at * lanes, weight[LANES];
        double of_span[LANES];
        NAME(find_top)(&trees->by_start, left, &trees->by_end, right, j - i - 1, top, lanes);
        NAME(sum_of_terms)(&trees->by_start, left, &trees->by_end, right, j - i - 1, top, total, lanes);
        for (int x = 0; x < lanes; x++) /* lanes without a sentence of their own have the last one */
            of_span[x] = omega[(x < used ? x : used - 1) * S * S + at];
        EACH(x, lanes)
            NAME(exponentiate)(of_span[x], &weight[x], &shift[x]);
        EACH(x, lanes)
            values[x] = total[x] * weight[x], exponents[x] = top[x] + shift[x];
        NAME(set)(&trees->by_start, at, values, exponents, lanes);
        NAME(copy)(&trees->by_end, j * S + i, &trees->by_start, at, lanes);
    }
    EACH(x, lanes)
        trees->by_start.posterior[T * lanes + x] = 1;
    EACH_SPAN_DOWNWARDS(i, j, T, 2) {
        const Py_ssize_t at = i * S + j;
        const REAL *by_start = trees->by_start.posterior + at * lanes;
        const REAL *by_end = trees->by_end.posterior + (j * S + i) * lanes;
        EACH(x, lanes)
            values[x] = by_start[x] + by_end[x];
        for (int x = 0; x < used; x++)
            possible[x * S * S + at] = values[x] > negligible;
        if (!NAME(are_negligible)(values, negligible, trees->splits.total + at * lanes, parts, lanes))
            NAME(pass_down)(&trees->by_start, i * S + i + 1, &trees->by_end, j * S + i + 1, j - i - 1,
                trees->splits.top + at * lanes, parts, values, lanes);
    }
}

/* Of all sentences. omega, possible [sentences][S][S]. Returns whether there was enough memory. */
static VARIANTS int NAME(possible_spans)(
    Py_ssize_t sentences, Py_ssize_t T, const double *omega, REAL negligible, uint8_t *possible)
{
    const Py_ssize_t size = (T + 1) * (T + 1);
    const int most = sentences > LANES / 2 ? LANES : LANES / 2;
    NAME(WeightedTrees) trees;
    char *memory = new_lines(NAME(place_trees)(&trees, size * most, NULL));
    for (Py_ssize_t s = 0; memory && s < sentences; s += most) {
        const int used = (int)(sentences - s < most ? sentences - s : most);
        NAME(place_trees)(&trees, size * most, memory);
        memset(trees.by_start.posterior, 0, sizeof(REAL) * size * most);
        memset(trees.by_end.posterior, 0, sizeof(REAL) * size * most);
        if (used > LANES / 2)
            NAME(find_possible)(&trees, T, omega + s * size, negligible, possible + s * size, LANES, used);
        else
            NAME(find_possible)(&trees, T, omega + s * size, negligible, possible + s * size, LANES / 2, used);
    }
    free_lines(memory);
    return memory != NULL;
}

/* Of B sentences under G grammars. weights [W][B][S][S]: for each grammar, or for all; or NULL; counts: all or none of
   them NULL. Spans and counts are added to what is there. Returns whether there was enough memory. */
static int NAME(class_grammar)(
    Py_ssize_t G, Py_ssize_t N, Py_ssize_t C, Py_ssize_t B, Py_ssize_t T, Py_ssize_t W,
    const void *roots, const void *lefts, const void *rights, const int64_t *classes, const double *weights,
    double *log_likelihood, double *spans, double *root_counts, double *left_counts, double *right_counts)
{
    const Py_ssize_t P = (N + LANES - 1) / LANES * LANES, size = (T + 1) * (T + 1), parameters = N * (N + C);
    const REAL negligible = root_counts ? UNCOUNTED_SPAN : NEGLIGIBLE;
    NAME(Chart) chart = {.T = T, .N = N, .P = P, .S = T + 1, .C = C, .negligible = negligible};
    char *memory = new_lines(NAME(place_chart)(&chart, NULL)); /* zeros: padding stays so */
    uint8_t *possible = weights ? malloc(W * B * size) : NULL;
    if (!memory || (weights && (!possible || !NAME(possible_spans)(W * B, T, weights, negligible, possible)))) {
        free_lines(memory), free(possible);
        return 0;
    }
    NAME(place_chart)(&chart, memory);
    for (Py_ssize_t g = 0; g < G; g++) {
        const REAL *root = (const REAL *)roots + g * N;
        NAME(load_grammar)(&chart, (const REAL *)lefts + g * parameters, (const REAL *)rights + g * parameters);
        for (Py_ssize_t b = 0; b < B; b++) {
            const int64_t *words = classes + b * T;
            const Py_ssize_t weighted = ((W == G ? g : 0) * B + b) * size;
            uint8_t *computed = weights ? possible + weighted : NULL;
            NAME(load_weights)(&chart, weights ? weights + weighted : NULL);
            if (!NAME(inside)(&chart, words, computed) && computed)
                NAME(inside)(&chart, words, computed = NULL);
            double total = 0;
            for (Py_ssize_t A = 0; A < N; A++)
                total += (double)root[A] * chart.inner[T * P + A];
            log_likelihood[g * B + b] = log(total) + (double)chart.by_start[T] / LOG2_E;
            const Py_ssize_t counted = NAME(outside)(
                &chart, root, total, 1.0 / G, spans + b * size, root_counts != NULL, computed);
            if (root_counts) {
                for (Py_ssize_t A = 0; A < N; A++)
                    root_counts[g * N + A] += root[A] * chart.inner[T * P + A] / total;
                NAME(count)(&chart, counted, words);
            }
        }
        if (root_counts)
            NAME(add_counts)(&chart, left_counts + g * parameters, right_counts + g * parameters);
    }
    free_lines(memory), free(possible);
    return 1;
}
