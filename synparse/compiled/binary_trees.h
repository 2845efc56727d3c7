/* The best binary tree of spans, and the best heads of a binary tree's constituents: `best_binary_spans` of
   `synparse.trees.span_chart` and `phrase_heads` of `synparse.trees.heads` in C, to the last bit. */

/* scores [B][S][S] of spans, S = T + 1, T > 1 → spans [B][T − 1][2] in pre-order. Whether there was enough memory. */
static int best_binary_spans(Py_ssize_t B, Py_ssize_t T, const double *all_scores, int64_t *all_spans)
{
    const Py_ssize_t S = T + 1;
    double *by_start = malloc(2 * sizeof(double) * S * S), *by_end = by_start + S * S; /* [start][end], [end][start] */
    int64_t *gaps = malloc(sizeof(int64_t) * S * (S + 2)), *waiting = gaps + S * S;    /* [start][end]; a stack */
    const int has_memory = by_start && gaps;
    for (Py_ssize_t b = 0; has_memory && b < B; b++) {
        const double *scores = all_scores + b * S * S;
        int64_t *spans = all_spans + b * (T - 1) * 2;
        for (Py_ssize_t j = 1; j <= T; j++) {
            by_start[(j - 1) * S + j] = by_end[j * S + j - 1] = 0;
            for (Py_ssize_t i = j - 2; i >= 0; i--) {
                const double *left = by_start + i * S, *right = by_end + j * S;
                Py_ssize_t best = i + 1;
                for (Py_ssize_t k = i + 2; k < j; k++)
                    if (left[k] + right[k] > left[best] + right[best])
                        best = k;
                gaps[i * S + j] = best;
                by_start[i * S + j] = by_end[j * S + i] = left[best] + right[best] + scores[i * S + j];
            }
        }
        Py_ssize_t count = 2;
        waiting[0] = 0, waiting[1] = T;
        while (count) {
            const int64_t end = waiting[--count], start = waiting[--count], gap = gaps[start * S + end];
            *spans++ = start, *spans++ = end;
            if (end - gap > 1)
                waiting[count++] = gap, waiting[count++] = end;
            if (gap - start > 1)
                waiting[count++] = start, waiting[count++] = gap;
        }
    }
    free(by_start), free(gaps);
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
