/* One step of an LSTM: `_step` of `synparse.inducers.kernels.lstm_parser` in C, but for its matrix product. */

/* 1 / (1 + e^(−2v)), to 1e-7: by a polynomial, so that any processor computes the same. */
static INLINE float squashed(float v)
{
    const float most = 60, rounding = 12582912; /* beside 1.5 · 2^23, a number has no place after the point */
    float bits = v * (float)(-2 * LOG2_E);
    bits = bits > most ? most : bits;
    bits = bits < -most ? -most : bits;
    const float whole = bits + rounding - rounding, x = bits - whole;
    const float power = 1 + x * (0.6931472f + x * (0.2402265f + x * (0.05550327f + x * (0.009618408f + x * 0.00133907f))));
    return 1 / (1 + power * power_float((int32_t)whole));
}

/* gates [n][4D]: of the inputs, i, f and o halved, then ĉ; product [m][4D], m ≤ n, is added to the first; cell [n][D] in
   place → hidden [n], D numbers each, ``stride`` apart. */
static VARIANTS void lstm_step(
    Py_ssize_t n, Py_ssize_t m, Py_ssize_t D, Py_ssize_t stride, float *RESTRICT gates, const float *product,
    float *RESTRICT cell, float *RESTRICT hidden)
{
    for (Py_ssize_t sentence = 0; sentence < n; sentence++, gates += 4 * D, cell += D, hidden += stride) {
        for (Py_ssize_t x = 0; sentence < m && x < 4 * D; x++)
            gates[x] += product[sentence * 4 * D + x];
        for (Py_ssize_t x = 0; x < D; x++) {
            const float candidate = 2 * squashed(gates[3 * D + x]) - 1;
            cell[x] = squashed(gates[D + x]) * cell[x] + squashed(gates[x]) * candidate;
            hidden[x] = squashed(gates[2 * D + x]) * (2 * squashed(cell[x]) - 1);
        }
    }
}
