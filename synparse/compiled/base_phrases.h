/* Posterior probabilities of pairs of tags, `_posterior` of `synparse.inducers.base_phrases` in C. */

enum { PAIRS = 7, TAGS = 4, BEGINS = 0, OUTSIDE = 2, EDGE = 3 };

static const int FIRST[PAIRS] = {0, 1, 1, 1, 2, 2, 2}, NEXT[PAIRS] = {1, 1, 2, 3, 0, 2, 3};

/* Of B segments of n words. start [2]: of B and O; steps [PAIRS]; emission [words][PAIRS] → events [B][n][PAIRS], and the
   log-likelihood of all. Returns 0 without memory. */
static int base_phrases(
    Py_ssize_t B, Py_ssize_t n, const double *start, const double *steps, const double *emission,
    const int64_t *words, double *all_events, double *log_likelihood)
{
    double *forward = malloc(sizeof(double) * TAGS * (n + 1));
    if (!forward)
        return 0;
    *log_likelihood = 0;
    for (Py_ssize_t b = 0; b < B; b++) {
        double *events = all_events + b * n * PAIRS;
        memset(forward, 0, sizeof(double) * TAGS);
        forward[BEGINS] = start[0], forward[OUTSIDE] = start[1];
        for (Py_ssize_t t = 0; t < n; t++) {
            const double *now = forward + t * TAGS, *emitted = emission + words[b * n + t] * PAIRS;
            double *next = forward + (t + 1) * TAGS, *weights = events + t * PAIRS, scale = 0;
            memset(next, 0, sizeof(double) * TAGS);
            for (int pair = 0; pair < PAIRS; pair++) {
                weights[pair] = (NEXT[pair] == EDGE) == (t == n - 1) ? steps[pair] * emitted[pair] : 0;
                next[NEXT[pair]] += now[FIRST[pair]] * weights[pair];
            }
            for (int tag = 0; tag < TAGS; tag++)
                scale += next[tag];
            for (int tag = 0; tag < TAGS; tag++)
                next[tag] /= scale;
            for (int pair = 0; pair < PAIRS; pair++)
                weights[pair] /= scale;
            *log_likelihood += log(scale);
        }
        double after[TAGS] = {[EDGE] = 1};
        for (Py_ssize_t t = n - 1; t >= 0; t--) {
            double *weights = events + t * PAIRS, before[TAGS] = {0};
            for (int pair = 0; pair < PAIRS; pair++) {
                const double onwards = weights[pair] * after[NEXT[pair]];
                before[FIRST[pair]] += onwards;
                weights[pair] = forward[t * TAGS + FIRST[pair]] * onwards;
            }
            memcpy(after, before, sizeof after);
        }
    }
    free(forward);
    return 1;
}
