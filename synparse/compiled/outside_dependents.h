/* Expected dependents outside of spans, `outside_dependents` of `synparse.trees.phrase_boundaries` in C, to the last
   bit. */

/* Of B sentences of T words: heads [B][T][T], row = dependent → expected [B][T + 1][T + 1], zeros before. Returns 0
   without memory. */
static VARIANTS int NAME(outside_dependents)(Py_ssize_t B, Py_ssize_t T, const void *of_words, void *of_spans)
{
    const REAL *heads = of_words;
    REAL *expected = of_spans;
    REAL *head = calloc(2 * (T + 1), sizeof(REAL)), *dependents = head + T + 1; /* of a word, before each position */
    for (Py_ssize_t b = 0; head && b < B; b++, heads += T * T, expected += (T + 1) * (T + 1))
        for (Py_ssize_t word = 0; word < T; word++) {
            for (Py_ssize_t other = 0; other < T; other++) {
                head[other + 1] = head[other] + (other == word ? 0 : heads[word * T + other]);
                dependents[other + 1] = dependents[other] + (other == word ? 0 : heads[other * T + word]);
            }
            for (Py_ssize_t start = 0; start <= word; start++) {
                REAL *RESTRICT of_start = expected + start * (T + 1);
                for (Py_ssize_t end = word + 1; end <= T; end++)
                    of_start[end] -= (head[end] - head[start]) * (dependents[end] - dependents[start] - dependents[T]);
            }
        }
    free(head);
    return head != NULL;
}
