/* Values of the spans of several sentences of one length, computed side by side, and sums over the splits of spans.

   Included twice by charts.c, with REAL as float and as double. Each value has a power of two as its scale, in place of
   logarithms: the terms of sums then need neither exp nor log. The last axis of all arrays is that of the sentences, one
   in each of ``lanes`` lanes, a constant where functions are called: nothing that is done in a lane depends on others. */

typedef struct {
    REAL *value;   /* [T][T][lanes]: of a span, by its first or its last word, then the other one */
    INT *exponent; /* a value counts times 2 to this power */
    REAL *posterior;
} NAME(Spans);

typedef struct {
    REAL *total; /* [T][T][lanes]: of the terms of a sum, by first and last word */
    INT *top;    /* the largest exponent of the terms */
} NAME(Sums);

/* e^ω as weight times 2^shift, by a series. −∞ becomes `LEAST_EXPONENT`. */
static INLINE void NAME(exponentiate)(double omega, REAL *weight, INT *shift)
{
    const double exponent = omega * LOG2_E, bits = CLIPPED(exponent, LEAST_EXPONENT), whole = floor(bits + 0.5);
    const REAL rest = (REAL)((bits - whole) / LOG2_E);
    REAL sum = 1;
    for (int n = TERMS; n > 0; n--)
        sum = 1 + rest * sum * (REAL)(1.0 / n);
    *weight = sum;
    *shift = (INT)whole;
}

/* values and exponents of ``count`` spans; those of posterior probabilities are placed apart. */
static size_t NAME(place_spans)(NAME(Spans) *spans, size_t count, char *memory)
{
    size_t size = 0;
    PLACE(spans->value, count);
    PLACE(spans->exponent, count);
    return size;
}

static size_t NAME(place_sums)(NAME(Sums) *sums, size_t count, char *memory)
{
    size_t size = 0;
    PLACE(sums->total, count);
    PLACE(sums->top, count);
    return size;
}

/* The value of a span in each lane, and its scale brought to where it is between a half and 1. */
static INLINE void NAME(set)(
    NAME(Spans) *spans, Py_ssize_t at, const REAL *values, const INT *exponents, const int lanes)
{
    const INT least = (INT)LEAST_EXPONENT;
    REAL *RESTRICT value = spans->value + at * lanes;
    INT *RESTRICT exponent = spans->exponent + at * lanes;
    EACH(x, lanes) {
        const INT shift = NAME(exponent)(values[x]), scale = values[x] > 0 ? exponents[x] + shift : least;
        value[x] = values[x] * NAME(power)(-shift);
        exponent[x] = CLIPPED(scale, least);
    }
}

static INLINE void NAME(copy)(
    NAME(Spans) *to, Py_ssize_t at, const NAME(Spans) *from, Py_ssize_t from_at, const int lanes)
{
    EACH(x, lanes) {
        to->value[at * lanes + x] = from->value[from_at * lanes + x];
        to->exponent[at * lanes + x] = from->exponent[from_at * lanes + x];
    }
}

/* top [lanes]: the largest power of two of the terms a_k b_k, k < count, 1 ≤ count. */
static INLINE void NAME(find_top)(
    const NAME(Spans) *a, Py_ssize_t at_a, const NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t count, INT *top,
    const int lanes)
{
    const INT *of_a = a->exponent + at_a * lanes, *of_b = b->exponent + at_b * lanes;
    INT tops[LANES];
    EACH(x, lanes)
        tops[x] = of_a[x] + of_b[x];
    for (Py_ssize_t k = 1; k < count; k++) {
        of_a += lanes, of_b += lanes;
        EACH(x, lanes) {
            const INT exponent = of_a[x] + of_b[x];
            tops[x] = exponent > tops[x] ? exponent : tops[x];
        }
    }
    EACH(x, lanes)
        top[x] = tops[x];
}

/* sums [lanes] = Σ_k a_k b_k beside 2 to the power of top. */
static INLINE void NAME(sum_of_terms)(
    const NAME(Spans) *a, Py_ssize_t at_a, const NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t count, const INT *top,
    REAL *sums, const int lanes)
{
    const REAL *value_a = a->value + at_a * lanes, *value_b = b->value + at_b * lanes;
    const INT *exponent_a = a->exponent + at_a * lanes, *exponent_b = b->exponent + at_b * lanes;
    REAL totals[LANES] = {0};
    INT tops[LANES];
    EACH(x, lanes)
        tops[x] = top[x];
    for (Py_ssize_t k = 0; k < count; k++) {
        EACH(x, lanes)
            totals[x] += value_a[x] * value_b[x] * NAME(power)(exponent_a[x] + exponent_b[x] - tops[x]);
        value_a += lanes, value_b += lanes, exponent_a += lanes, exponent_b += lanes;
    }
    EACH(x, lanes)
        sums[x] = totals[x];
}

/* The part of ``total`` that a posterior probability has; 0 where it is at most ``negligible``, so that it has no effect
   on what is inside of it. Returns whether that is so in all lanes. */
static INLINE int NAME(are_negligible)(
    const REAL *posterior, REAL negligible, const REAL *total, REAL *parts, const int lanes)
{
    INT matter = 0;
    EACH(x, lanes)
        matter |= posterior[x] > negligible;
    if (!matter)
        return 1;
    EACH(x, lanes)
        parts[x] = posterior[x] > negligible ? posterior[x] / total[x] : 0;
    return 0;
}

/* Adds the posterior probabilities of the terms a_k b_k of a sum, ``parts`` [lanes] times each, to those of a and of b;
   sums [lanes]: what it added. */
static INLINE void NAME(pass_down)(
    NAME(Spans) *a, Py_ssize_t at_a, NAME(Spans) *b, Py_ssize_t at_b, Py_ssize_t count, const INT *top,
    const REAL *parts, REAL *sums, const int lanes)
{
    const REAL *value_a = a->value + at_a * lanes, *value_b = b->value + at_b * lanes;
    const INT *exponent_a = a->exponent + at_a * lanes, *exponent_b = b->exponent + at_b * lanes;
    REAL *RESTRICT posterior_a = a->posterior + at_a * lanes, *RESTRICT posterior_b = b->posterior + at_b * lanes;
    REAL totals[LANES] = {0}, shares[LANES];
    INT tops[LANES];
    EACH(x, lanes)
        tops[x] = top[x], shares[x] = parts[x];
    for (Py_ssize_t k = 0; k < count; k++) {
        EACH(x, lanes) {
            const INT exponent = exponent_a[x] + exponent_b[x] - tops[x];
            const REAL term = shares[x] * (value_a[x] * value_b[x]) * NAME(power)(exponent);
            posterior_a[x] += term;
            posterior_b[x] += term;
            totals[x] += term;
        }
        value_a += lanes, value_b += lanes, exponent_a += lanes, exponent_b += lanes;
        posterior_a += lanes, posterior_b += lanes;
    }
    EACH(x, lanes)
        sums[x] = totals[x];
}
