/* The best binary trees of spans, and the best heads of a binary tree's constituents: `best_binary_spans` and
   `several_best_trees` of `synparse.trees.span_chart` and `phrase_heads` of `synparse.trees.heads` in C, to the last
   bit. */

/* Where a tree of a span is split, and which of the best trees of its two parts it has. */
typedef struct { int32_t gap, left, right; } Split;

/* The N best trees of the span i … j, the best first: sums of two trees' scores, in a row of N, and how they are made.
   The charts have rows of N: by_start at [start][end], by_end at [end][start]. Of equal ones, the first stays first. */
static INLINE void best_splits(
    Py_ssize_t S, Py_ssize_t i, Py_ssize_t j, Py_ssize_t N, const double *by_start, const double *by_end,
    double *RESTRICT best, Split *RESTRICT splits)
{
    for (Py_ssize_t n = 0; n < N; n++)
        best[n] = -INFINITY;
    splits[0] = (Split){(int32_t)(i + 1), 0, 0}; /* also where all scores are −∞ */
    for (Py_ssize_t k = i + 1; k < j; k++) {
        const double *left = by_start + (i * S + k) * N, *right = by_end + (j * S + k) * N;
        for (Py_ssize_t a = 0; a < N; a++)
            for (Py_ssize_t b = 0; (a + 1) * (b + 1) <= N && left[a] + right[b] > best[N - 1]; b++) {
                Py_ssize_t n = N - 1;
                for (; n > 0 && left[a] + right[b] > best[n - 1]; n--)
                    best[n] = best[n - 1], splits[n] = splits[n - 1];
                best[n] = left[a] + right[b];
                splits[n] = (Split){(int32_t)k, (int32_t)a, (int32_t)b};
            }
    }
}

/* scores [S][S] of spans, S = T + 1, T > 1 → spans [N][T − 1][2] in pre-order and totals [N], −∞ where there are fewer
   trees than N. Charts [S][S][N] and a stack of 3 S numbers are the caller's. */
static INLINE void best_trees(
    Py_ssize_t S, Py_ssize_t N, const double *scores, double *by_start, double *by_end, Split *splits,
    Py_ssize_t *waiting, int64_t *spans, double *totals)
{
    for (Py_ssize_t j = 1; j < S; j++)
        for (Py_ssize_t i = j - 1; i >= 0; i--) {
            double *best = by_start + (i * S + j) * N, *same = by_end + (j * S + i) * N;
            if (j - i > 1)
                best_splits(S, i, j, N, by_start, by_end, best, splits + (i * S + j) * N);
            for (Py_ssize_t n = 0; n < N; n++)
                same[n] = best[n] = j - i > 1 ? best[n] + scores[i * S + j] : n ? -INFINITY : 0;
        }
    for (Py_ssize_t n = 0; n < N; n++) {
        totals[n] = by_start[(S - 1) * N + n];
        Py_ssize_t count = 3;
        waiting[0] = 0, waiting[1] = S - 1, waiting[2] = n;
        while (count && (n == 0 || totals[n] > -INFINITY)) {
            const Py_ssize_t rank = waiting[--count], end = waiting[--count], start = waiting[--count];
            const Split split = splits[(start * S + end) * N + rank];
            *spans++ = start, *spans++ = end;
            if (end - split.gap > 1)
                waiting[count++] = split.gap, waiting[count++] = end, waiting[count++] = split.right;
            if (split.gap - start > 1)
                waiting[count++] = start, waiting[count++] = split.gap, waiting[count++] = split.left;
        }
    }
}

/* The same for scores [B][S][S] → spans [B][N][S − 2][2], totals [B][N]. Whether there was enough memory. */
static int best_binary_trees(
    Py_ssize_t B, Py_ssize_t S, Py_ssize_t N, const double *scores, int64_t *spans, double *totals)
{
    double *by_start = malloc(2 * sizeof(double) * S * S * N), *by_end = by_start + S * S * N;
    Split *splits = malloc(sizeof(Split) * S * S * N);
    Py_ssize_t *waiting = malloc(3 * sizeof(Py_ssize_t) * S);
    const int has_memory = by_start && splits && waiting;
    for (Py_ssize_t b = 0; has_memory && b < B; b++) {
        const double *of_sentence = scores + b * S * S;
        int64_t *trees = spans + b * N * (S - 2) * 2;
        if (N == 1) /* for one tree, the compiler leaves the rows and ranks out */
            best_trees(S, 1, of_sentence, by_start, by_end, splits, waiting, trees, totals + b);
        else
            best_trees(S, N, of_sentence, by_start, by_end, splits, waiting, trees, totals + b * N);
    }
    free(by_start), free(splits), free(waiting);
    return has_memory;
}

enum { NO_TREE = -1 };

/* scores [dependent][head], the root on the diagonal; spans [T − 1][2] of a binary tree in pre-order, T > 1 → heads [T],
   from 1, 0 for the root. Returns whether there was enough memory; or NO_TREE for other spans, before any use of them. */
static int phrase_heads(
    Py_ssize_t T, const double *scores, const int64_t *spans, int with_prior, int64_t *heads)
{
    const Py_ssize_t count = T - 1;
    double *best = calloc(2 * T, sizeof(double)), *highest = best + T; /* of each word as a head so far; of one span */
    int64_t *end_of = malloc(sizeof(int64_t) * 5 * T); /* of the largest part so far that starts at each word */
    int64_t *gaps = end_of + T, *waiting = gaps + T;
    int32_t *chosen = malloc(sizeof(int32_t) * count * T); /* [span][head]: the head of the other part, its dependent */
    int done = best && end_of && chosen;
    for (Py_ssize_t word = 0; done && word < T; word++)
        end_of[word] = word + 1;
    for (Py_ssize_t number = count - 1; done > 0 && number >= 0; number--) {
        const int64_t start = spans[2 * number], end = spans[2 * number + 1];
        const int64_t gap = start >= 0 && start < T ? end_of[start] : T;
        if (end > T || gap >= end || end_of[gap] != end || (number == 0 && (start != 0 || end != T))) {
            done = NO_TREE;
            break;
        }
        end_of[start] = end, gaps[number] = gap;
        int32_t *dependents = chosen + number * T;
        for (int side = 0; side < 2; side++) { /* heads in the left part, then in the right one */
            const int64_t from = side ? gap : start, to = side ? end : gap;
            const int64_t first = side ? start : gap, last = side ? gap : end;
            for (int64_t head = from; head < to; head++)
                highest[head] = scores[first * T + head] + best[first], dependents[head] = (int32_t)first;
            for (int64_t other = first + 1; other < last; other++)
                for (int64_t head = from; head < to; head++) {
                    const double total = scores[other * T + head] + best[other];
                    dependents[head] = total > highest[head] ? (int32_t)other : dependents[head];
                    highest[head] = total > highest[head] ? total : highest[head];
                }
        }
        const double of_left = with_prior ? log((double)(end - gap)) : 0, of_right = with_prior ? log((double)(gap - start)) : 0;
        for (int64_t head = start; head < end; head++)
            best[head] += highest[head] + (head < gap ? of_left : of_right);
    }
    if (done > 0) {
        int64_t root = 0;
        for (int64_t word = 1; word < T; word++)
            if (best[word] + scores[word * T + word] > best[root] + scores[root * T + root])
                root = word;
        heads[root] = 0;
        /* In pre-order the head of a span is known before its parts': kept at the first word of each. */
        Py_ssize_t depth = 0;
        waiting[depth++] = root;
        for (Py_ssize_t number = 0; number < count; number++) {
            const int64_t start = spans[2 * number], end = spans[2 * number + 1], gap = gaps[number];
            const int64_t head = waiting[--depth], other = chosen[number * T + head];
            heads[other] = head + 1;
            if (end - gap > 1)
                waiting[depth++] = head < gap ? other : head;
            if (gap - start > 1)
                waiting[depth++] = head < gap ? head : other;
        }
    }
    free(best), free(end_of), free(chosen);
    return done;
}
