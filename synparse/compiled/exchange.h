/* A pass of exchange clustering, `Exchange.one_pass` of `synparse.corpora.exchange` in C: the same whole numbers, by the
   same equations. */

typedef struct {
    Py_ssize_t K, open;
    const int64_t *table;       /* [tabled]: n log n */
    Py_ssize_t tabled;
    const int64_t *starts[2], *types[2], *counts[2]; /* neighbours on the right and on the left */
    int64_t *classes, *N;       /* N [K][K] */
    int64_t *by_second;         /* N by columns */
    int64_t *terms, *terms_by_second, *sizes, *size_terms;
    int64_t *neighbours[2];     /* [K]: how often the neighbours of a type on a side are of each class, but for itself */
    int64_t *gains;             /* [K] */
    int64_t *target;            /* [V]: where each type of a block would go, or the class that it had before */
    int64_t likelihood;         /* F, from 0 at the beginning of the pass */
} Exchange;

static size_t place_exchange(Exchange *exchange, size_t V, char *memory)
{
    const size_t K = exchange->K;
    size_t size = 0;
    PLACE(exchange->by_second, K * K);
    PLACE(exchange->terms, K * K);
    PLACE(exchange->terms_by_second, K * K);
    PLACE(exchange->sizes, K);
    PLACE(exchange->size_terms, K);
    PLACE(exchange->neighbours[0], K);
    PLACE(exchange->neighbours[1], K);
    PLACE(exchange->gains, K);
    PLACE(exchange->target, V);
    return size;
}

static INLINE int64_t n_log_n(const Exchange *exchange, int64_t n)
{
    if ((uint64_t)n < (uint64_t)exchange->tabled)
        return exchange->table[n];
    return (int64_t)rint((double)n * log((double)n) * 65536.0);
}

/* Counts the neighbours of a type by class. Returns how often it follows itself. */
static int64_t count_neighbours(const Exchange *exchange, int64_t type)
{
    int64_t twins = 0;
    for (int side = 0; side < 2; side++) {
        memset(exchange->neighbours[side], 0, sizeof(int64_t) * exchange->K);
        for (int64_t at = exchange->starts[side][type]; at < exchange->starts[side][type + 1]; at++) {
            const int64_t other = exchange->types[side][at], count = exchange->counts[side][at];
            if (other == type)
                twins = count;
            else
                exchange->neighbours[side][exchange->classes[other]] += count;
        }
    }
    return twins;
}

static int64_t occurrences(const Exchange *exchange, int64_t twins)
{
    int64_t sum = twins;
    for (Py_ssize_t c = 0; c < exchange->K; c++)
        sum += exchange->neighbours[0][c];
    return sum;
}

/* The class to which it is best that this type alone moves; its own, if F does not rise. */
static int64_t best_class(const Exchange *exchange, int64_t type)
{
    const Py_ssize_t K = exchange->K;
    const int64_t a = exchange->classes[type], twins = count_neighbours(exchange, type);
    const int64_t total = occurrences(exchange, twins), *sizes = exchange->sizes, *size_terms = exchange->size_terms;
    const int64_t *right = exchange->neighbours[0], *left = exchange->neighbours[1];
    const int64_t *row = exchange->N + a * K, *column = exchange->by_second + a * K;
    const int64_t *row_terms = exchange->terms + a * K, *column_terms = exchange->terms_by_second + a * K;
    int64_t *gains = exchange->gains;
    int64_t leaving = n_log_n(exchange, row[a] - right[a] - left[a] - twins) - row_terms[a]
        - 2 * (n_log_n(exchange, sizes[a] - total) - size_terms[a]);
    memset(gains, 0, sizeof(int64_t) * K);
    for (Py_ssize_t c = 0; c < K; c++) {
        if (c == a)
            continue;
        const int64_t lost = n_log_n(exchange, row[c] - right[c]) - row_terms[c]
            + n_log_n(exchange, column[c] - left[c]) - column_terms[c];
        leaving += lost, gains[c] -= lost;
        const int64_t *counts[2] = {exchange->by_second + c * K, exchange->N + c * K};
        const int64_t *terms[2] = {exchange->terms_by_second + c * K, exchange->terms + c * K};
        for (int side = 0; side < 2; side++) {
            const int64_t more = exchange->neighbours[side][c];
            for (Py_ssize_t b = 0; more && b < exchange->open; b++)
                gains[b] += n_log_n(exchange, counts[side][b] + more) - terms[side][b];
        }
    }
    int64_t best = a, highest = 0;
    for (Py_ssize_t b = 0; b < exchange->open; b++) {
        const int64_t inside = exchange->N[b * K + b];
        const int64_t gain = leaving + gains[b] + n_log_n(exchange, inside + right[b] + left[b] + twins)
            - n_log_n(exchange, inside + right[b]) - n_log_n(exchange, inside + left[b]) + exchange->terms[b * K + b]
            + n_log_n(exchange, column[b] + right[a] - left[b]) - column_terms[b]
            + n_log_n(exchange, row[b] + left[a] - right[b]) - row_terms[b]
            - 2 * (n_log_n(exchange, sizes[b] + total) - size_terms[b]);
        if (b != a && gain > highest)
            best = b, highest = gain;
    }
    return best;
}

static INLINE void add_bigrams(Exchange *exchange, int64_t first, int64_t second, int64_t count)
{
    const Py_ssize_t at = first * exchange->K + second, by_second = second * exchange->K + first;
    exchange->by_second[by_second] = exchange->N[at] += count;
    const int64_t term = n_log_n(exchange, exchange->N[at]);
    exchange->likelihood += term - exchange->terms[at];
    exchange->terms[at] = exchange->terms_by_second[by_second] = term;
}

static INLINE void add_size(Exchange *exchange, int64_t word_class, int64_t count)
{
    exchange->sizes[word_class] += count;
    const int64_t term = n_log_n(exchange, exchange->sizes[word_class]);
    exchange->likelihood -= 2 * (term - exchange->size_terms[word_class]);
    exchange->size_terms[word_class] = term;
}

/* Moves the types of a block to their targets, which are then where they were before. */
static void move_all(Exchange *exchange, int64_t start, int64_t stop)
{
    for (int64_t type = start; type < stop; type++) {
        const int64_t from = exchange->classes[type], to = exchange->target[type];
        if (from == to)
            continue;
        const int64_t twins = count_neighbours(exchange, type), total = occurrences(exchange, twins);
        for (Py_ssize_t c = 0; c < exchange->K; c++) {
            const int64_t right = exchange->neighbours[0][c], left = exchange->neighbours[1][c];
            if (right)
                add_bigrams(exchange, from, c, -right), add_bigrams(exchange, to, c, right);
            if (left)
                add_bigrams(exchange, c, from, -left), add_bigrams(exchange, c, to, left);
        }
        add_bigrams(exchange, from, from, -twins), add_bigrams(exchange, to, to, twins);
        add_size(exchange, from, -total), add_size(exchange, to, total);
        exchange->classes[type] = to, exchange->target[type] = from;
    }
}

static void move_block(Exchange *exchange, int64_t start, int64_t stop)
{
    const int64_t before = exchange->likelihood, middle = (start + stop) / 2;
    for (int64_t type = start; type < stop; type++)
        exchange->target[type] = best_class(exchange, type);
    move_all(exchange, start, stop);
    if (exchange->likelihood < before && stop - start > 1) { /* a type alone has an exact gain */
        move_all(exchange, start, stop);
        move_block(exchange, start, middle);
        move_block(exchange, middle, stop);
    }
}

/* starts [2][V + 1], types and counts [2][bigrams] of neighbours; bounds [count + 1] of blocks → classes, N. */
static int exchange_pass(Exchange *exchange, Py_ssize_t V, const int64_t *bounds, Py_ssize_t count)
{
    const Py_ssize_t K = exchange->K;
    char *memory = new_lines(place_exchange(exchange, V, NULL));
    if (!memory)
        return 0;
    place_exchange(exchange, V, memory);
    for (Py_ssize_t c = 0; c < K; c++)
        for (Py_ssize_t d = 0; d < K; d++) {
            const int64_t n = exchange->N[c * K + d];
            exchange->by_second[d * K + c] = n;
            exchange->sizes[c] += n;
            exchange->terms[c * K + d] = exchange->terms_by_second[d * K + c] = n_log_n(exchange, n);
        }
    for (Py_ssize_t c = 0; c < K; c++)
        exchange->size_terms[c] = n_log_n(exchange, exchange->sizes[c]);
    for (Py_ssize_t block = 0; block < count; block++)
        move_block(exchange, bounds[block], bounds[block + 1]);
    free_lines(memory);
    return 1;
}
