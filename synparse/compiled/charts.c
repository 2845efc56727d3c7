/* The charts of synparse as an extension of Python. See synparse/compiled/__init__.py. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER)
#define INLINE __forceinline
#define RESTRICT __restrict
#define NOT_UNROLLED
#else
#define INLINE inline __attribute__((always_inline))
#define RESTRICT restrict
#define NOT_UNROLLED _Pragma("GCC unroll 1")
#endif

/* Where the loader can choose, functions are compiled for AVX2 and AVX-512 as well. Nothing is contracted to fused
   operations and no sum is reordered, so results are the same to the last bit. */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__)
#define VARIANTS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VARIANTS
#endif

#define LOG2_E 1.4426950408889634
#define LEAST_EXPONENT (-5e8) /* of what has no probability; sums of four exponents are still 32-bit numbers */
#define LANES 8 /* numbers that are computed side by side: rows are padded to whole ones */
/* Not unrolled by itself, a loop over lanes becomes vector instructions. */
#define EACH(x, width) NOT_UNROLLED for (int x = 0; x < (width); x++)
#define FOURS(n) (((n) + 3) / 4 * 4) /* n, or the next multiple of 4 */
/* The columns x … x + WIDTH − 1 of rows of P, as many side by side as there are: WIDTH is a constant. */
#define COLUMNS 64
#define FOR_COLUMNS(x, P, statement) \
    { \
        Py_ssize_t x = 0; \
        for (; x + COLUMNS <= (P); x += COLUMNS) { enum { WIDTH = COLUMNS }; statement; } \
        for (; x + COLUMNS / 2 <= (P); x += COLUMNS / 2) { enum { WIDTH = COLUMNS / 2 }; statement; } \
        for (; x < (P); x += LANES) { enum { WIDTH = LANES }; statement; } \
    }

/* All spans i … j with j ≤ last and j − i ≥ gap, narrow ones before those that they are in, or after them: in blocks, so
   that the rows of charts that a block reads stay in the cache. */
#define BLOCK 8
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define EACH_SPAN_UPWARDS(i, j, last, gap) \
    for (Py_ssize_t J = 0; J <= (last); J += BLOCK) \
        for (Py_ssize_t I = J; I >= 0; I -= BLOCK) \
            for (Py_ssize_t j = J; j <= SMALLER(J + BLOCK - 1, last); j++) \
                for (Py_ssize_t i = SMALLER(I + BLOCK - 1, j - (gap)); i >= I; i--)
#define EACH_SPAN_DOWNWARDS(i, j, last, gap) \
    for (Py_ssize_t J = (last) / BLOCK * BLOCK; J >= 0; J -= BLOCK) \
        for (Py_ssize_t I = 0; I <= J; I += BLOCK) \
            for (Py_ssize_t j = SMALLER(J + BLOCK - 1, last); j >= J; j--) \
                for (Py_ssize_t i = I; i <= SMALLER(I + BLOCK - 1, j - (gap)); i++)

/* Arrays are placed one after the other in a block of memory, each at the beginning of a line of the cache: a vector
   that lies in two lines takes twice the time to read. */
#define LINE 64
#define PLACE(array, count) \
    ((array) = memory ? (void *)(memory + size) : NULL, size += (sizeof *(array) * (count) + LINE - 1) / LINE * LINE)

#define CLIPPED(exponent, least) ((exponent) > (least) ? (exponent) < -(least) ? (exponent) : -(least) : (least))

/* Zeros in whole lines, before which stands where they begin in their block; NULL without memory. */
static char *new_lines(size_t size)
{
    char *block = calloc(1, size + LINE), *lines = block ? block + LINE - (uintptr_t)block % LINE : NULL;
    if (lines)
        lines[-1] = (char)(lines - block);
    return lines;
}

static void free_lines(char *lines)
{
    if (lines)
        free(lines - lines[-1]);
}

static INLINE float power_float(int32_t exponent)
{
    const union { int32_t bits; float value; } power = {(exponent < -127 ? 0 : exponent + 127) << 23};
    return power.value;
}

static INLINE double power_double(int64_t exponent)
{
    const union { int64_t bits; double value; } power = {(exponent < -1023 ? 0 : exponent + 1023) << 52};
    return power.value;
}

enum { LEFT, RIGHT };     /* sides of a head */
enum { LATER, ADJACENT }; /* whether a head already has dependents on that side */

/* A dependency model for C classes: root [C], stop [C][side][adjacent], attach [C][side][adjacent][C]. */
typedef struct {
    Py_ssize_t C;
    const double *root, *stop, *attach;
    int stops_by_head;
} Model;

/* The K classes of each word, and the share of each, from the largest one on. */
typedef struct {
    Py_ssize_t K;
    const int64_t *classes;
    const double *shares;
} Words;

static INLINE Words words_from(Words words, Py_ssize_t word)
{
    return (Words){words.K, words.classes + word * words.K, words.shares + word * words.K};
}

/* The mean of the numbers of its classes, which are ``step`` apart, over the shares of the first word. */
static INLINE double mean_of_classes(const double *numbers, Py_ssize_t step, Words word)
{
    double sum = 0;
    for (Py_ssize_t k = 0; k < word.K && word.shares[k] > 0; k++)
        sum += word.shares[k] * numbers[word.classes[k] * step];
    return sum;
}

/* Expected counts of its events, of the same shapes; all or none of them NULL. */
typedef struct {
    double *root, *stop, *goes_on, *attach;
} Counts;

/* The exponent e of a value v ≥ 0 with 2^(e − 1) ≤ v < 2^e; the least one for 0. */
static INLINE int32_t exponent_float(float value)
{
    const union { float value; int32_t bits; } number = {value};
    return (number.bits >> 23) - 126;
}

static INLINE int64_t exponent_double(double value)
{
    const union { double value; int64_t bits; } number = {value};
    return (number.bits >> 52) - 1022;
}

/* NEGLIGIBLE probabilities have no effect on others; while grammars are learned, UNCOUNTED ones of spans and classes. */
#define REAL float
#define INT int32_t
#define NAME(name) name##_float
#define TERMS 8
#define NEGLIGIBLE_BITS 40
#define NEGLIGIBLE 1e-6f
#define UNCOUNTED_SPAN 1e-5f
#define UNCOUNTED_CLASS 1e-4f
#include "of_each_precision.h"

#define REAL double
#define INT int64_t
#define NAME(name) name##_double
#define TERMS 14
#define NEGLIGIBLE_BITS 80
#define NEGLIGIBLE 1e-19
#define UNCOUNTED_SPAN 1e-19
#define UNCOUNTED_CLASS 1e-19
#include "of_each_precision.h"

#include "base_phrases.h"
#include "binary_trees.h"
#include "exchange.h"
#include "lstm.h"

/* An array of Python's: what is expected of it, and its buffer. */
typedef struct {
    const char *name;
    char kind;        /* 'i': 64-bit integers, 'f': floats, 'd': doubles, 'r': either; a capital is written to */
    const char *axes; /* a letter for each; those of one letter have one size, in all arrays */
    int is_optional;  /* None will do */
    Py_buffer view;
} Array;

typedef struct {
    Py_ssize_t of[128];
} Sizes; /* by letter; 0: not known yet */

static int is_of_kind(const Py_buffer *view, int kind)
{
    const char format = view->format && strlen(view->format) == 1 ? *view->format : '?';
    if (kind == 'i')
        return (format == 'l' || format == 'q') && view->itemsize == 8;
    return kind == 'r' ? format == 'd' || format == 'f' : format == kind;
}

static int has_axes(const Py_buffer *view, const char *axes, Sizes *sizes)
{
    int fits = (size_t)view->ndim == strlen(axes);
    for (int axis = 0; fits && axis < view->ndim; axis++) {
        Py_ssize_t *size = &sizes->of[(int)axes[axis]];
        fits = view->shape[axis] > 0 && (*size == 0 || *size == view->shape[axis]);
        *size = view->shape[axis];
    }
    return fits;
}

static void release(Array *arrays, int count)
{
    for (int number = 0; number < count; number++)
        PyBuffer_Release(&arrays[number].view);
}

/* What a function returns once it is done with its arrays: None, or NULL where an exception is set. */
static PyObject *released(Array *arrays, int count)
{
    release(arrays, count);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* Takes the buffers of contiguous arrays as described, none of them empty; on failure sets an exception and returns 0. */
static int take(
    PyObject *const *objects, Py_ssize_t given, Array *arrays, void **buffer, int count, Sizes *sizes)
{
    if (given != count) {
        PyErr_Format(PyExc_TypeError, "%d arrays are expected, not %zd", count, given);
        return 0;
    }
    for (int number = 0; number < count; number++) {
        Array *array = &arrays[number];
        if (array->is_optional && objects[number] == Py_None)
            continue;
        const int access = Py_ISUPPER(array->kind) ? PyBUF_WRITABLE : 0;
        if (PyObject_GetBuffer(objects[number], &array->view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | access) < 0) {
            release(arrays, number);
            return 0;
        }
        if (!is_of_kind(&array->view, Py_TOLOWER(array->kind)) || !has_axes(&array->view, array->axes, sizes)) {
            PyErr_Format(PyExc_ValueError, "%s: the type or the shape [%s] is wrong", array->name, array->axes);
            release(arrays, number + 1);
            return 0;
        }
    }
    for (int number = 0; number < count; number++)
        buffer[number] = arrays[number].view.buf;
    return 1;
}

/* Whether all numbers are below a limit; if not, sets an exception. */
static int are_below(const Array *array, Py_ssize_t limit)
{
    const int64_t *numbers = array->view.buf;
    for (Py_ssize_t at = 0; at < array->view.len / 8; at++)
        if (numbers[at] < 0 || numbers[at] >= limit) {
            PyErr_Format(PyExc_ValueError, "%s: %lld is not below %zd", array->name, (long long)numbers[at], limit);
            return 0;
        }
    return 1;
}

/* Takes the arrays that a function was given: declares their buffers and sizes, or returns NULL. */
#define TAKE(arrays) \
    Sizes sizes = {{0}}; \
    void *buffer[COUNT]; \
    if (!take(objects, given, arrays, buffer, COUNT, &sizes)) \
        return NULL

#define DO_NOT_FIT "the types or shapes of these arrays do not fit together"

/* Calls a function that returns whether it had memory, while other threads may run Python. */
#define COMPUTE(call) \
    do { \
        int has_memory; \
        Py_BEGIN_ALLOW_THREADS \
        has_memory = (call); \
        Py_END_ALLOW_THREADS \
        if (!has_memory) \
            PyErr_NoMemory(); \
    } while (0)

static PyObject *class_grammar(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { ROOT, LEFT, RIGHT, CLASSES, WEIGHTS, LIKELIHOOD, SPANS, ROOTS, LEFTS, RIGHTS, COUNT };
    Array arrays[COUNT] = {
        [ROOT] = {"root", 'r', "GN"}, [LEFT] = {"left", 'r', "GNM"}, [RIGHT] = {"right", 'r', "GNM"},
        [CLASSES] = {"classes", 'i', "BT"}, [WEIGHTS] = {"weights", 'd', "WBSS", 1},
        [LIKELIHOOD] = {"log_likelihood", 'D', "GB"}, [SPANS] = {"spans", 'D', "BSS"},
        [ROOTS] = {"root_counts", 'D', "GN", 1}, [LEFTS] = {"left_counts", 'D', "GNM", 1},
        [RIGHTS] = {"right_counts", 'D', "GNM", 1},
    };
    TAKE(arrays);
    const Py_ssize_t G = sizes.of['G'], N = sizes.of['N'], C = sizes.of['M'] - N, B = sizes.of['B'];
    const Py_ssize_t T = sizes.of['T'], W = sizes.of['W'];
    const char *format = arrays[ROOT].view.format;
    const int is_consistent = C >= 0 && T > 1 && sizes.of['S'] == T + 1 && (W == 0 || W == 1 || W == G)
        && *format == *arrays[LEFT].view.format && *format == *arrays[RIGHT].view.format
        && !buffer[ROOTS] == !buffer[LEFTS] && !buffer[ROOTS] == !buffer[RIGHTS];
    if (!is_consistent)
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else if (are_below(&arrays[CLASSES], C))
        COMPUTE((*format == 'f' ? class_grammar_float : class_grammar_double)(
            G, N, C, B, T, W, buffer[ROOT], buffer[LEFT], buffer[RIGHT], buffer[CLASSES], buffer[WEIGHTS],
            buffer[LIKELIHOOD], buffer[SPANS], buffer[ROOTS], buffer[LEFTS], buffer[RIGHTS]));
    return released(arrays, COUNT);
}

static PyObject *dependency_boundary(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum {
        ROOT, STOP, ATTACH, BY_HEAD, CLASSES, SHARES, WEIGHTS, LIKELIHOOD, ARCS, ROOTS, STOPS, GOES_ON, ATTACHED, COUNT
    };
    Array arrays[COUNT] = {
        [ROOT] = {"root", 'd', "C"}, [STOP] = {"stop", 'd', "CXX"}, [ATTACH] = {"attach", 'd', "CXXC"},
        [BY_HEAD] = {"stops_by_head", 'i', ""}, [CLASSES] = {"classes", 'i', "BTK"}, [SHARES] = {"shares", 'd', "BTK"},
        [WEIGHTS] = {"weights", 'd', "BTT", 1}, [LIKELIHOOD] = {"log_likelihood", 'D', "B"},
        [ARCS] = {"arcs", 'R', "BTT"}, [ROOTS] = {"root_counts", 'D', "C", 1}, [STOPS] = {"stop_counts", 'D', "CXX", 1},
        [GOES_ON] = {"goes_on_counts", 'D', "CXX", 1}, [ATTACHED] = {"attach_counts", 'D', "CXXC", 1},
    };
    TAKE(arrays);
    const Model model = {
        sizes.of['C'], buffer[ROOT], buffer[STOP], buffer[ATTACH], *(const int64_t *)buffer[BY_HEAD] != 0};
    const Counts counts = {buffer[ROOTS], buffer[STOPS], buffer[GOES_ON], buffer[ATTACHED]};
    const Words words = {sizes.of['K'], buffer[CLASSES], buffer[SHARES]};
    if (sizes.of['X'] != 2 || words.K < 1 || (counts.root && words.K > 1) || !counts.root != !counts.stop
        || !counts.root != !counts.goes_on || !counts.root != !counts.attach)
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else if (are_below(&arrays[CLASSES], model.C))
        COMPUTE((*arrays[ARCS].view.format == 'f' ? dependency_boundary_float : dependency_boundary_double)(
            sizes.of['B'], sizes.of['T'], &model, words, buffer[WEIGHTS], buffer[LIKELIHOOD], buffer[ARCS], &counts));
    return released(arrays, COUNT);
}

static PyObject *dependents_outside(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { HEADS, EXPECTED, COUNT };
    Array arrays[COUNT] = {[HEADS] = {"heads", 'r', "BTT"}, [EXPECTED] = {"expected", 'R', "BSS"}};
    TAKE(arrays);
    const Py_ssize_t T = sizes.of['T'];
    const char *format = arrays[HEADS].view.format;
    if (sizes.of['S'] != T + 1 || *format != *arrays[EXPECTED].view.format)
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else
        COMPUTE((*format == 'f' ? outside_dependents_float : outside_dependents_double)(
            sizes.of['B'], T, buffer[HEADS], buffer[EXPECTED]));
    return released(arrays, COUNT);
}

static PyObject *binary_trees(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { SCORES, SPANS, TOTALS, COUNT };
    Array arrays[COUNT] = {
        [SCORES] = {"scores", 'd', "BSS"}, [SPANS] = {"spans", 'I', "BNKX"}, [TOTALS] = {"totals", 'D', "BN"},
    };
    TAKE(arrays);
    const Py_ssize_t S = sizes.of['S'], N = sizes.of['N'];
    if (S < 3 || N < 1 || sizes.of['K'] != S - 2 || sizes.of['X'] != 2)
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else
        COMPUTE(best_binary_trees(sizes.of['B'], S, N, buffer[SCORES], buffer[SPANS], buffer[TOTALS]));
    return released(arrays, COUNT);
}

static PyObject *heads_of_phrases(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { SCORES, SPANS, PRIOR, HEADS, COUNT };
    Array arrays[COUNT] = {
        [SCORES] = {"scores", 'd', "TT"}, [SPANS] = {"spans", 'i', "KX"}, [PRIOR] = {"with_prior", 'i', ""},
        [HEADS] = {"heads", 'I', "T"},
    };
    TAKE(arrays);
    const Py_ssize_t T = sizes.of['T'];
    const int with_prior = *(const int64_t *)buffer[PRIOR] != 0;
    int done = NO_TREE;
    if (sizes.of['K'] == T - 1 && sizes.of['X'] == 2) {
        Py_BEGIN_ALLOW_THREADS
        done = phrase_heads(T, buffer[SCORES], buffer[SPANS], with_prior, buffer[HEADS]);
        Py_END_ALLOW_THREADS
    }
    if (done == NO_TREE)
        PyErr_SetString(PyExc_ValueError, "spans: not those of a binary tree in pre-order");
    else if (!done)
        PyErr_NoMemory();
    return released(arrays, COUNT);
}

static PyObject *phrases_of_segments(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { START, STEPS, EMISSION, WORDS, EVENTS, LIKELIHOOD, COUNT };
    Array arrays[COUNT] = {
        [START] = {"start", 'd', "S"}, [STEPS] = {"steps", 'd', "X"}, [EMISSION] = {"emission", 'd', "MX"},
        [WORDS] = {"words", 'i', "BN"}, [EVENTS] = {"events", 'D', "BNX"}, [LIKELIHOOD] = {"log_likelihood", 'D', ""},
    };
    TAKE(arrays);
    if (sizes.of['S'] != 2 || sizes.of['X'] != PAIRS)
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else if (are_below(&arrays[WORDS], sizes.of['M']))
        COMPUTE(base_phrases(
            sizes.of['B'], sizes.of['N'], buffer[START], buffer[STEPS], buffer[EMISSION], buffer[WORDS],
            buffer[EVENTS], buffer[LIKELIHOOD]));
    return released(arrays, COUNT);
}

static PyObject *step_of_lstm(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { GATES, PRODUCT, CELL, OUT, SIDE, COUNT };
    Array arrays[COUNT] = {
        [GATES] = {"gates", 'F', "NG"}, [PRODUCT] = {"product", 'f', "MG", 1}, [CELL] = {"cell", 'F', "BD"},
        [OUT] = {"out", 'F', "NO"}, [SIDE] = {"side", 'i', ""},
    };
    TAKE(arrays);
    const Py_ssize_t N = sizes.of['N'], M = sizes.of['M'], D = sizes.of['D'];
    if (sizes.of['G'] != 4 * D || sizes.of['O'] != 2 * D || M > N || N > sizes.of['B'])
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else if (are_below(&arrays[SIDE], 2)) {
        Py_BEGIN_ALLOW_THREADS
        lstm_step(N, M, D, 2 * D, buffer[GATES], buffer[PRODUCT], buffer[CELL],
            (float *)buffer[OUT] + *(const int64_t *)buffer[SIDE] * D);
        Py_END_ALLOW_THREADS
    }
    return released(arrays, COUNT);
}

static PyObject *pass_of_exchange(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { STARTS, TYPES, COUNTS, LEFT_STARTS, LEFT_TYPES, LEFT_COUNTS, BOUNDS, OPEN, TABLE, CLASSES, BIGRAMS, COUNT };
    Array arrays[COUNT] = {
        [STARTS] = {"starts", 'i', "S"}, [TYPES] = {"types", 'i', "R"}, [COUNTS] = {"counts", 'i', "R"},
        [LEFT_STARTS] = {"left_starts", 'i', "S"}, [LEFT_TYPES] = {"left_types", 'i', "R"},
        [LEFT_COUNTS] = {"left_counts", 'i', "R"}, [BOUNDS] = {"bounds", 'i', "B"}, [OPEN] = {"open", 'i', ""},
        [TABLE] = {"table", 'i', "T"}, [CLASSES] = {"classes", 'I', "V"}, [BIGRAMS] = {"bigrams", 'I', "KK"},
    };
    TAKE(arrays);
    const Py_ssize_t V = sizes.of['V'], K = sizes.of['K'], R = sizes.of['R'];
    Exchange exchange = {
        .K = K, .open = *(const int64_t *)buffer[OPEN], .table = buffer[TABLE], .tabled = sizes.of['T'],
        .starts = {buffer[STARTS], buffer[LEFT_STARTS]}, .types = {buffer[TYPES], buffer[LEFT_TYPES]},
        .counts = {buffer[COUNTS], buffer[LEFT_COUNTS]}, .classes = buffer[CLASSES], .N = buffer[BIGRAMS],
    };
    if (sizes.of['S'] != V + 1)
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else if (are_below(&arrays[STARTS], R + 1) && are_below(&arrays[LEFT_STARTS], R + 1)
        && are_below(&arrays[TYPES], V) && are_below(&arrays[LEFT_TYPES], V) && are_below(&arrays[BOUNDS], V + 1)
        && are_below(&arrays[OPEN], K + 1) && are_below(&arrays[CLASSES], K))
        COMPUTE(exchange_pass(&exchange, V, buffer[BOUNDS], sizes.of['B'] - 1));
    return released(arrays, COUNT);
}

static PyObject *classes_in_context(PyObject *Py_UNUSED(module), PyObject *const *objects, Py_ssize_t given)
{
    enum { TRANSITION, CANDIDATES, EMISSION, WORDS, LENGTHS, TRANSITIONS, USES, SHARES, COUNT };
    Array arrays[COUNT] = {
        [TRANSITION] = {"transition", 'r', "RR"}, [CANDIDATES] = {"candidates", 'i', "MK", 1},
        [EMISSION] = {"emission", 'r', "MK"}, [WORDS] = {"words", 'i', "W"}, [LENGTHS] = {"lengths", 'i', "S"},
        [TRANSITIONS] = {"transitions", 'D', "RR", 1}, [USES] = {"uses", 'D', "MK", 1},
        [SHARES] = {"shares", 'R', "WK", 1},
    };
    TAKE(arrays);
    const Py_ssize_t C = sizes.of['R'] - 1, K = sizes.of['K'], W = sizes.of['W'];
    const char *format = arrays[TRANSITION].view.format;
    const int is_learned = !buffer[CANDIDATES] && buffer[TRANSITIONS] && buffer[USES] && !buffer[SHARES] && K == C;
    const int is_used = buffer[CANDIDATES] && !buffer[TRANSITIONS] && !buffer[USES] && buffer[SHARES];
    int64_t left = W; /* words without a sentence */
    for (Py_ssize_t s = 0; s < sizes.of['S'] && left >= 0; s++) {
        const int64_t length = ((const int64_t *)buffer[LENGTHS])[s];
        left = length < 0 ? -1 : left - length;
    }
    if (left || !(is_learned || is_used) || *format != *arrays[EMISSION].view.format
        || (is_used && *format != *arrays[SHARES].view.format))
        PyErr_SetString(PyExc_ValueError, DO_NOT_FIT);
    else if (are_below(&arrays[WORDS], sizes.of['M']) && (is_learned || are_below(&arrays[CANDIDATES], C)))
        COMPUTE((*format == 'f' ? class_tagger_float : class_tagger_double)(
            C, K, buffer[TRANSITION], buffer[CANDIDATES], buffer[EMISSION], buffer[WORDS], buffer[LENGTHS],
            sizes.of['S'], buffer[TRANSITIONS], buffer[USES], buffer[SHARES]));
    return released(arrays, COUNT);
}

#define FUNCTION(name, function) {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL}

static PyMethodDef functions[] = {
    FUNCTION("class_grammar", class_grammar),
    FUNCTION("class_tagger", classes_in_context),
    FUNCTION("dependency_boundary", dependency_boundary),
    FUNCTION("outside_dependents", dependents_outside),
    FUNCTION("best_binary_trees", binary_trees),
    FUNCTION("phrase_heads", heads_of_phrases),
    FUNCTION("base_phrases", phrases_of_segments),
    FUNCTION("lstm_step", step_of_lstm),
    FUNCTION("exchange_pass", pass_of_exchange),
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "charts", .m_size = 0, .m_methods = functions};

PyMODINIT_FUNC PyInit_charts(void)
{
    return PyModuleDef_Init(&module);
}
