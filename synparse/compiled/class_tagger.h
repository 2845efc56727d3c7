/* Classes of words in their sentences, and expected counts: `_posterior` of `synparse.inducers.class_tagger` in C.

   Included twice by charts.c, with REAL as float and as double. One sentence at a time. A vector has C classes, padded
   with one zero or more to P, whole LANES. Only classes whose probability is not negligible pass something on: α
   forwards, the posterior probability backwards. */

typedef struct {
    Py_ssize_t C, P, K;
    REAL negligible;           /* probability of a class */
    const int64_t *candidates; /* [M][K]; NULL: all classes, K = C */
    const REAL *emission;      /* [M][K] */
    REAL *first, *last;        /* [P]: p(class | beginning), p(end | class) */
    REAL *onwards, *back;      /* [C + 1][P]: p(next class | class), and its transpose; the last row is 0 */
    REAL *emitted, *forward, *posterior; /* [longest][P]: e, which becomes what arrives from behind, e β / scale; α; α β */
    REAL *scales;              /* [longest] */
    REAL *backward;            /* [P]: β of a word */
    REAL *pairs;               /* [C][P]: α of a word times what arrives at the next one, of some words */
    Py_ssize_t *chosen;        /* [C + 3]: classes that pass something on, and C after them up to a multiple of 4 */
} NAME(Tagger);

static size_t NAME(place_tagger)(NAME(Tagger) *tagger, size_t longest, char *memory)
{
    const size_t C = tagger->C, P = tagger->P;
    size_t size = 0;
    PLACE(tagger->first, P);
    PLACE(tagger->last, P);
    PLACE(tagger->onwards, (C + 1) * P);
    PLACE(tagger->back, (C + 1) * P);
    PLACE(tagger->emitted, longest * P);
    PLACE(tagger->forward, longest * P);
    PLACE(tagger->posterior, longest * P);
    PLACE(tagger->scales, longest);
    PLACE(tagger->backward, P);
    PLACE(tagger->pairs, C * P);
    PLACE(tagger->chosen, C + 3);
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

/* How many classes of these probabilities [C] are not negligible; tagger->chosen: which ones. */
static INLINE Py_ssize_t NAME(choose)(const NAME(Tagger) *tagger, const REAL *probabilities)
{
    Py_ssize_t *RESTRICT chosen = tagger->chosen, count = 0;
    for (Py_ssize_t c = 0; c < tagger->C; c++) {
        chosen[count] = c;
        count += probabilities[c] > tagger->negligible;
    }
    for (Py_ssize_t n = count; n % 4; n++)
        chosen[n] = tagger->C;
    return count;
}

/* out [P] = Σ_c values[c] matrix[c][P], over the ``count`` classes that are chosen. */
static INLINE void NAME(passed_on)(
    const NAME(Tagger) *tagger, Py_ssize_t count, const REAL *values, const REAL *matrix, REAL *RESTRICT out)
{
    memset(out, 0, sizeof(REAL) * tagger->P);
    NAME(add_product)(values, matrix, tagger->chosen, FOURS(count), tagger->P, out);
}

/* α of all words of a sentence, and their scales. */
static INLINE void NAME(pass_forward)(const NAME(Tagger) *tagger, const int64_t *words, Py_ssize_t T)
{
    const Py_ssize_t P = tagger->P, K = tagger->K;
    for (Py_ssize_t t = 0; t < T; t++) {
        const REAL *emission = tagger->emission + words[t] * K;
        REAL *emitted = tagger->emitted + t * P, *forward = tagger->forward + t * P, scale;
        memset(emitted, 0, sizeof(REAL) * P);
        for (Py_ssize_t k = 0; k < K; k++)
            emitted[NAME(candidate)(tagger, words[t], k)] = emission[k];
        if (t)
            NAME(passed_on)(tagger, NAME(choose)(tagger, forward - P), forward - P, tagger->onwards, forward);
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
}

/* α β, and what arrives from behind. Adds the expected counts of a sentence to pairs and uses [M][C], if not NULL. */
static INLINE void NAME(pass_backward)(const NAME(Tagger) *tagger, const int64_t *words, Py_ssize_t T, double *uses)
{
    const Py_ssize_t C = tagger->C, P = tagger->P;
    Py_ssize_t count = 0;
    for (Py_ssize_t t = T - 1; t >= 0; t--) {
        const REAL *forward = tagger->forward + t * P;
        REAL *emitted = tagger->emitted + t * P, *posterior = tagger->posterior + t * P, *backward = tagger->backward;
        if (t < T - 1)
            NAME(passed_on)(tagger, count, emitted + P, tagger->back, backward);
        else {
            const REAL scale = NAME(dot)(forward, tagger->last, P);
            for (Py_ssize_t x = 0; x < P; x++)
                backward[x] = tagger->last[x] / scale;
        }
        for (Py_ssize_t x = 0; x < P; x++) {
            posterior[x] = forward[x] * backward[x];
            emitted[x] *= backward[x] / tagger->scales[t];
        }
        count = NAME(choose)(tagger, posterior);
        for (Py_ssize_t c = 0; uses && c < C; c++)
            uses[words[t] * C + c] += posterior[c];
        for (Py_ssize_t n = 0; uses && t < T - 1 && n < count; n++) {
            const REAL value = forward[tagger->chosen[n]], *arriving = emitted + P;
            REAL *RESTRICT pairs = tagger->pairs + tagger->chosen[n] * P;
            for (Py_ssize_t x = 0; x < P; x++)
                pairs[x] += value * arriving[x];
        }
    }
}

/* Adds what the pairs of some words count to the expected transitions [C + 1][C + 1], and begins anew. */
static INLINE void NAME(count_pairs)(const NAME(Tagger) *tagger, double *transitions)
{
    const Py_ssize_t C = tagger->C, P = tagger->P;
    for (Py_ssize_t c = 0; c < C; c++)
        for (Py_ssize_t d = 0; d < C; d++)
            transitions[c * (C + 1) + d] += tagger->pairs[c * P + d] * tagger->onwards[c * P + d];
    memset(tagger->pairs, 0, sizeof(REAL) * C * P);
}

/* Of sentences of ``lengths`` words, which follow each other: the probabilities of the candidates of each word, ``shares``
   [K], or expected counts; the others are NULL. Returns whether there was enough memory. */
static VARIANTS int NAME(class_tagger)(
    Py_ssize_t C, Py_ssize_t K, const void *transition, const int64_t *candidates, const void *emission,
    const int64_t *words, const int64_t *lengths, Py_ssize_t sentences, double *transitions, double *uses, void *all_shares)
{
    NAME(Tagger) tagger = {
        .C = C, .P = (C / LANES + 1) * LANES, .K = K, .candidates = candidates, .emission = emission,
        .negligible = all_shares ? NEGLIGIBLE : UNCOUNTED_CLASS};
    REAL *shares = all_shares;
    int64_t longest = 0;
    for (Py_ssize_t s = 0; s < sentences; s++)
        longest = lengths[s] > longest ? lengths[s] : longest;
    char *memory = new_lines(NAME(place_tagger)(&tagger, longest, NULL));
    if (!memory)
        return 0;
    NAME(place_tagger)(&tagger, longest, memory);
    NAME(load_transitions)(&tagger, transition);
    Py_ssize_t uncounted = 0;
    for (Py_ssize_t s = 0; s < sentences; words += lengths[s], s++) {
        NAME(pass_forward)(&tagger, words, lengths[s]);
        NAME(pass_backward)(&tagger, words, lengths[s], uses);
        for (Py_ssize_t t = 0; shares && t < lengths[s]; t++, shares += K)
            for (Py_ssize_t k = 0; k < K; k++)
                shares[k] = tagger.posterior[t * tagger.P + NAME(candidate)(&tagger, words[t], k)];
        if (!uses || !lengths[s])
            continue;
        for (Py_ssize_t c = 0; c < C; c++) {
            transitions[C * (C + 1) + c] += tagger.posterior[c];
            transitions[c * (C + 1) + C] += tagger.posterior[(lengths[s] - 1) * tagger.P + c];
        }
        uncounted += lengths[s];
        if (uncounted >= 256) { /* not more, for the precision of sums */
            NAME(count_pairs)(&tagger, transitions);
            uncounted = 0;
        }
    }
    if (uses)
        NAME(count_pairs)(&tagger, transitions);
    free_lines(memory);
    return 1;
}
