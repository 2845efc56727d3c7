/* Classes of words in their sentences, and expected counts: `_posterior` of `synparse.inducers.class_tagger` in C.

   Included twice by charts.c, with REAL as float and as double. One sentence at a time. A vector has C classes, padded
   with zeros to P, whole LANES. Only classes whose probability is not negligible pass something on: α forwards, the
   posterior probability backwards. */

typedef struct {
    Py_ssize_t C, P, K;
    REAL negligible;           /* probability of a class */
    const int64_t *candidates; /* [M][K]; NULL: all classes, K = C */
    const REAL *emission;      /* [M][K] */
    REAL *first, *last;        /* [P]: p(class | beginning), p(end | class) */
    REAL *onwards, *back;      /* [C][P]: p(next class | class), and its transpose */
    REAL *emitted, *forward, *posterior; /* [longest][P]: e, which becomes what arrives from behind, e β / scale; α; α β */
    REAL *scales;              /* [longest] */
    REAL *sums;                /* [P]; β of a word */
    Py_ssize_t *chosen;        /* [C or longest]: classes, or words, that pass something on */
} NAME(Tagger);

static size_t NAME(place_tagger)(NAME(Tagger) *tagger, size_t longest, char *memory)
{
    const size_t C = tagger->C, P = tagger->P;
    size_t size = 0;
    PLACE(tagger->first, P);
    PLACE(tagger->last, P);
    PLACE(tagger->onwards, C * P);
    PLACE(tagger->back, C * P);
    PLACE(tagger->emitted, longest * P);
    PLACE(tagger->forward, longest * P);
    PLACE(tagger->posterior, longest * P);
    PLACE(tagger->scales, longest);
    PLACE(tagger->sums, P);
    PLACE(tagger->chosen, C > longest ? C : longest);
    return size;
}

/* transition [C + 1][C + 1]. */
static void NAME(load_transitions)(NAME(Tagger) *tagger, const REAL *transition)
{
    const Py_ssize_t C = tagger->C, P = tagger->P;
    for (Py_ssize_t c = 0; c < C; c++) {
        tagger->first[c] = transition[C * (C + 1) + c];
        tagger->last[c] = transition[c * (C + 1) + C];
        for (Py_ssize_t d = 0; d < C; d++)
            tagger->onwards[c * P + d] = tagger->back[d * P + c] = transition[c * (C + 1) + d];
    }
}

static INLINE int64_t NAME(candidate)(const NAME(Tagger) *tagger, int64_t word, Py_ssize_t k)
{
    return tagger->candidates ? tagger->candidates[word * tagger->K + k] : k;
}

/* How many probabilities are not negligible, of ``count`` that are ``step`` apart; tagger->chosen: which ones. */
static INLINE Py_ssize_t NAME(choose)(
    const NAME(Tagger) *tagger, const REAL *probabilities, Py_ssize_t step, Py_ssize_t count)
{
    Py_ssize_t *RESTRICT chosen = tagger->chosen, so_far = 0;
    for (Py_ssize_t n = 0; n < count; n++) {
        chosen[so_far] = n;
        so_far += probabilities[n * step] > tagger->negligible;
    }
    return so_far;
}

/* out [P] = Σ_c values[c] matrix[c][P], over classes of these probabilities. */
static INLINE void NAME(passed_on)(
    const NAME(Tagger) *tagger, const REAL *probabilities, const REAL *values, const REAL *matrix, REAL *RESTRICT out)
{
    const Py_ssize_t count = NAME(choose)(tagger, probabilities, 1, tagger->C);
    memset(out, 0, sizeof(REAL) * tagger->P);
    NAME(add_product)(values, 1, matrix, tagger->chosen, count, tagger->P, out);
}

/* α, α β and what arrives from behind, of a sentence of T words. */
static INLINE void NAME(forward_backward)(const NAME(Tagger) *tagger, const int64_t *words, Py_ssize_t T)
{
    const Py_ssize_t P = tagger->P;
    for (Py_ssize_t t = 0; t < T; t++) {
        REAL *emitted = tagger->emitted + t * P, *forward = tagger->forward + t * P, scale;
        memset(emitted, 0, sizeof(REAL) * P);
        for (Py_ssize_t k = 0; k < tagger->K; k++)
            emitted[NAME(candidate)(tagger, words[t], k)] = tagger->emission[words[t] * tagger->K + k];
        if (t)
            NAME(passed_on)(tagger, forward - P, forward - P, tagger->onwards, forward);
        else
            memcpy(forward, tagger->first, sizeof(REAL) * P);
        tagger->scales[t] = scale = NAME(dot)(forward, emitted, P);
        for (Py_ssize_t x = 0; x < P; x++) {
            const REAL probability = forward[x] * (emitted[x] / scale);
            const int matters = probability > tagger->negligible;
            forward[x] = matters ? probability : 0;
            emitted[x] = matters ? emitted[x] : 0; /* or what arrives from behind makes it certain after all */
        }
    }
    for (Py_ssize_t t = T - 1; t >= 0; t--) {
        const REAL *forward = tagger->forward + t * P;
        REAL *emitted = tagger->emitted + t * P, *posterior = tagger->posterior + t * P, *backward = tagger->sums;
        if (t < T - 1)
            NAME(passed_on)(tagger, posterior + P, emitted + P, tagger->back, backward);
        else {
            const REAL scale = NAME(dot)(forward, tagger->last, P);
            for (Py_ssize_t x = 0; x < P; x++)
                backward[x] = tagger->last[x] / scale;
        }
        for (Py_ssize_t x = 0; x < P; x++) {
            posterior[x] = forward[x] * backward[x];
            emitted[x] *= backward[x] / tagger->scales[t];
        }
    }
}

/* Adds the expected counts of a sentence: transitions [C + 1][C + 1]; uses [M][C]. */
static INLINE void NAME(count_classes)(
    const NAME(Tagger) *tagger, const int64_t *words, Py_ssize_t T, double *transitions, double *uses)
{
    const Py_ssize_t C = tagger->C, P = tagger->P;
    for (Py_ssize_t c = 0; c < C; c++) {
        const REAL *posterior = tagger->posterior + c, *onwards = tagger->onwards + c * P;
        const Py_ssize_t count = NAME(choose)(tagger, posterior, P, T - 1);
        double *row = transitions + c * (C + 1);
        transitions[C * (C + 1) + c] += posterior[0];
        row[C] += posterior[(T - 1) * P];
        memset(tagger->sums, 0, sizeof(REAL) * P);
        NAME(add_product)(tagger->forward + c, P, tagger->emitted + P, tagger->chosen, count, P, tagger->sums);
        for (Py_ssize_t d = 0; d < C; d++)
            row[d] += tagger->sums[d] * onwards[d];
    }
    for (Py_ssize_t t = 0; t < T; t++)
        for (Py_ssize_t c = 0; c < C; c++)
            uses[words[t] * C + c] += tagger->posterior[t * P + c];
}

/* Of sentences of ``lengths`` words, which follow each other: the probabilities of the candidates of each word, ``shares``
   [K], or expected counts; the others are NULL. Returns whether there was enough memory. */
static VARIANTS int NAME(class_tagger)(
    Py_ssize_t C, Py_ssize_t K, const void *transition, const int64_t *candidates, const void *emission,
    const int64_t *words, const int64_t *lengths, Py_ssize_t sentences, double *transitions, double *uses, void *all_shares)
{
    NAME(Tagger) tagger = {
        .C = C, .P = (C + LANES - 1) / LANES * LANES, .K = K, .candidates = candidates, .emission = emission,
        .negligible = all_shares ? NEGLIGIBLE : UNCOUNTED};
    REAL *shares = all_shares;
    int64_t longest = 0;
    for (Py_ssize_t s = 0; s < sentences; s++)
        longest = lengths[s] > longest ? lengths[s] : longest;
    char *memory = new_lines(NAME(place_tagger)(&tagger, longest, NULL));
    if (!memory)
        return 0;
    NAME(place_tagger)(&tagger, longest, memory);
    NAME(load_transitions)(&tagger, transition);
    for (Py_ssize_t s = 0; s < sentences; words += lengths[s], s++) {
        NAME(forward_backward)(&tagger, words, lengths[s]);
        for (Py_ssize_t t = 0; shares && t < lengths[s]; t++, shares += K)
            for (Py_ssize_t k = 0; k < K; k++)
                shares[k] = tagger.posterior[t * tagger.P + NAME(candidate)(&tagger, words[t], k)];
        if (!shares && lengths[s])
            NAME(count_classes)(&tagger, words, lengths[s], transitions, uses);
    }
    free_lines(memory);
    return 1;
}
