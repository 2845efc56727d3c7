from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from synparse.drawing.cells import width_of
from synparse.drawing.direction import runs_from_right
from synparse.drawing.layout import Bars, HeadMap
from synparse.drawing.text import LABEL, LINE, NOTE, WORD, picture_lines, plain
from synparse.trees.constituency import induced_tree
from synparse.trees.dependency import DependencyTree
from tests.trees.written import tree


def drawn(structure, width=0):
    return [plain(line) for line in picture_lines(structure, width)]


def picture(lines):
    """The lines of a picture written down in a test, under its indentation."""
    return dedent(lines).strip("\n").split("\n")


OLD_MAN = tree(
    "(ROOT (S (NP (DT The) (JJ old) (NN man)) (VP (VBD saw) (NP (NP (DT the) (NNS boats)) (SBAR (WHNP (WDT that))"
    " (S (VP (VBD sank)))))) (. .)))"
)


def test_a_tree():
    assert drawn(OLD_MAN) == picture("""
        ROOT
        S
        ├──────────────┬────────────────────────────┐
        │              VP                           │
        │              ├────┐                       │
        │              │    NP                      │
        │              │    ├───────────┐           │
        │              │    │           SBAR        │
        │              │    │           ├─────┐     │
        │              │    │           │     S     │
        NP             │    NP          WHNP  VP    │
        ├────┬────┐    │    ├────┐      │     │     │
        DT   JJ   NN   VBD  DT   NNS    WDT   VBD   .
        The  old  man  saw  the  boats  that  sank  .
        """)


def test_a_tree_that_is_folded():
    assert drawn(OLD_MAN, 32) == picture("""
        ROOT
        S
        ├──────────────┬────────────────
        │              VP
        │              ├────┐
        │              │    NP
        │              │    ├───────────
        NP             │    NP
        ├────┬────┐    │    ├────┐
        DT   JJ   NN   VBD  DT   NNS
        The  old  man  saw  the  boats

        ────────────┐
        ┐           │
        SBAR        │
        ├─────┐     │
        │     S     │
        WHNP  VP    │
        WDT   VBD   .
        that  sank  .
        """)


def test_words_without_tags_and_labels_wider_than_words():
    assert drawn(tree("(FRAGMENT a (ADVP b c))")) == picture("""
        FRAGMENT
        ├────────┐
        │        ADVP
        │        ├────┐
        a        b    c
        """)
    assert drawn(tree("(S (DT a) b)")) == picture("""
        S
        ├───┐
        DT  │
        a   b
        """)


def test_induced_labels_and_classes_and_words_without():
    assert drawn(tree("(NT7 (C12 the) (NT3 (C4 old) (NT10 (C9 man))) (X (_ and) (C100 so)) on (C0 .))")) == picture("""
        NT7
        ├────┬─────────┬──────────┬───┐
        │    NT3       │          │   │
        │    ├────┐    │          │   │
        │    │    NT10 X          │   │
        │    │    │    ├────┐     │   │
        C12  C4   C9   │    C100  │   C0
        the  old  man  and  so    on  .
        """)


def test_a_chain_of_constituents_and_none_at_all():
    assert drawn(tree("(A (B (C c)))")) == ["A", "B", "C", "c"]
    assert drawn(induced_tree("ab", [])) == ["a  b"]


def test_arcs():
    words = tuple("The old man saw the boats that sank .".split())
    relations = tuple("det amod nsubj root det obj nsubj acl:relcl punct".split())
    assert drawn(DependencyTree(words, (3, 3, 4, 0, 6, 4, 8, 6, 4), relations)) == picture("""
                           │┌──────────────────────────────────┐
         ┌─────────┐       │├─────────┐┌────────────┐          │
         │    ┌────┤┌─────┐││    ┌───┐││     ┌─────┐│          │
         ▼    ▼    │▼     │▼│    ▼   │▼│     ▼     │▼          ▼
        The  old   man    saw   the  boats  that   sank       .
        det  amod  nsubj  root  det  obj    nsubj  acl:relcl  punct
        """)


def test_arcs_that_are_folded():
    words = tuple("The old man saw the boats that sank .".split())
    assert drawn(DependencyTree(words, (3, 3, 4, 0, 6, 4, 8, 6, 4)), 32) == picture("""
                        │┌──────────────
         ┌────────┐     │├────────┐┌────
         │    ┌───┤┌───┐││   ┌───┐││
         ▼    ▼   │▼   │▼│   ▼   │▼│
        The  old  man  saw  the  boats

        ─────────────┐
        ───────┐     │
         ┌────┐│     │
         ▼    │▼     ▼
        that  sank  .
        """)


def test_arcs_that_cross():
    assert drawn(DependencyTree(("a", "b", "c", "d"), (3, 4, 0, 3))) == picture("""
             ┌───┼──┐
         ┌───┼──┐│┌─┼┐
         ▼   ▼  │▼│ │▼
        a   b   c   d
        """)


def test_wide_characters_and_marks_take_the_room_they_take():
    expected = picture("""
             ┌────────┐│
         ┌──┐│   ┌────┤│
         ▼  │▼   ▼    │▼
        猫  が  cafE  x
        """)
    assert drawn(DependencyTree(("猫", "が", "cafe\u0301", "x"), (2, 4, 4, 0))) == [
        line.replace("E", "e\u0301") for line in expected
    ]


def test_bars():
    assert drawn(Bars("distances", ("猫", "が", "dog", "x"), (1.0, None, 2.5, None), True)) == picture("""
        distances, 1 to 2.5
                   ██
                   ██
          ▁▁       ██
        猫  が  dog  x
        """)
    assert drawn(Bars("heights", ("a", "b", "c", "d"), (-0.0, 3.0, 2.5, 1.0)), 9) == picture("""
        heights, 0 to 3
           ██ ▄▄
           ██ ██
        ▁▁ ██ ██
        a  b  c

        ▁▁
        ██
        d
        """)
    assert drawn(Bars("heights", ("a", "b"), (None, None))) == ["heights: none", "a  b"]


def test_pieces_say_what_they_are():
    assert list(picture_lines(tree("(S (DT a) (X b c))"))) == [
        [("S", LABEL)],
        [("├───┐", LINE)],
        [("│   ", LINE), ("X", LABEL)],
        [("│   ├──┐", LINE)],
        [("DT", NOTE), ("  │  │", LINE)],
        [("a", WORD), ("   ", LINE), ("b", WORD), ("  ", LINE), ("c", WORD)],
    ]


def without_isolates(line):
    return line.replace("\u2067", "").replace("\u2069", "")


def test_a_sentence_from_right_to_left_begins_at_the_right():
    lines = drawn(tree("(S (NP (DT הַ) (NN כלב)) (VP ראה (NP PC)))"))
    assert lines[-1] == "  PC  \u2067ראה\u2069  \u2067כלב\u2069   \u2067הַ\u2069"
    assert lines[:-1] == [
        "                 S",
        "        ┌────────┤",
        "       VP       NP",
        "   ┌────┤    ┌───┤",
        "  NP    │   NN  DT",
    ]


ARCS = DependencyTree(("הכלב", "ראה", "(", "חתול"), (2, 0, 4, 2))


def test_arcs_from_right_to_left_and_folds_that_end_at_the_same_column():
    assert [without_isolates(line) for line in drawn(ARCS)] == [
        "    ┌───────┐│",
        "    │┌──┐   ││┌────┐",
        "    ▼│  ▼   │▼│    ▼",
        "  חתול   (  ראה  הכלב",
    ]
    assert [without_isolates(line) for line in drawn(ARCS, 14)] == [
        "──┐│",
        "  ││┌────┐",
        "  │▼│    ▼",
        "  ראה  הכלב",
        "",
        "     ┌─────",
        "     │┌──┐",
        "     ▼│  ▼",
        "   חתול   (",
    ]


def test_bars_from_right_to_left():
    bars = Bars("distances", ("הכלב", "ראה", "x", "חתול"), (1.0, 3.0, 2.0, None), True)
    assert [without_isolates(line) for line in drawn(bars)] == [
        "distances, 1 to 3",
        "         ██",
        "      ▅▅ ██",
        "      ██ ██   ▁▁",
        "  חתול  x  ראה  הכלב",
    ]


def test_a_word_from_right_to_left_stands_alone_in_other_sentences():
    assert drawn(tree("(X a שלום עולם b c)"))[-1] == "a  \u2067שלום\u2069  \u2067עולם\u2069  b  c"


MIRRORED = str.maketrans("└┌├┘┐┤א", "┘┐┤└┌├a")


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.randoms())
def test_the_picture_from_the_right_is_the_mirror_image(lengths, source):
    heads = tuple([0] + [source.randint(1, position) for position in range(1, len(lengths))])
    spans = {(0, len(lengths)), (0, source.randint(1, len(lengths)))}
    for make in (lambda words: DependencyTree(words, heads), lambda words: induced_tree(words, spans)):
        left = drawn(make(tuple("a" * length for length in lengths)))
        right = [without_isolates(line) for line in drawn(make(tuple("א" * length for length in lengths)))]
        total = max(map(len, right))
        assert [line.ljust(total)[::-1].translate(MIRRORED).rstrip() for line in right] == left


words_of = st.lists(
    st.sampled_from(["a", "dog", "犬小屋", "e\u0301", "שלום", "antidisestablishment"]), min_size=1, max_size=9
)


@given(words_of, st.integers(1, 60), st.randoms())
def test_no_fold_is_wider_than_asked_for_and_every_word_is_there_once(words, width, source):
    heads = [0] + [source.randint(1, position) for position in range(1, len(words))]
    end = source.randint(1, len(words))
    for structure in (
        DependencyTree(tuple(words), tuple(heads)),
        induced_tree(words, {(0, len(words)), (0, end)}),
    ):
        lines = list(picture_lines(structure, width))
        column = max(4, 2 + max(map(width_of, words)))
        assert all(width_of(without_isolates(plain(line))) <= max(width, column) for line in lines)
        shown = [[without_isolates(piece) for piece, kind in line if kind == WORD] for line in lines]
        from_right = runs_from_right(words)
        assert [word for line in shown for word in (reversed(line) if from_right else line)] == words
        assert all(plain(line) == plain(line).rstrip() for line in lines)


@given(words_of, st.randoms())
def test_every_arc_ends_in_one_arrow(words, source):
    heads = [0] + [source.randint(1, position) for position in range(1, len(words))]
    assert "".join(drawn(DependencyTree(tuple(words), tuple(heads)))).count("▼") == len(words)


def test_depth_is_no_matter():
    count = 1000
    lines = drawn(induced_tree("w" * count, [(position, count) for position in range(count - 1)]), 80)
    assert sum(line.count("w") for line in lines) == count
    assert sum(line.count("X") for line in lines) == count - 1


def test_a_map_of_heads():
    heads = HeadMap(("the", "dog", "."), ((0.1, 0.0, 0.9, 0.0), (1.0, 0.0, 0.0, 0.0), None))
    assert drawn(heads) == [
        "root       ██",
        "the",
        "dog   ██",
        ".",
        "      the  dog  .",
    ]


def test_work_is_in_proportion_to_the_words(lines_run):
    def work(make, count, width):
        structure = make(count)
        return lines_run(lambda: drawn(structure, width))

    def flat(count):
        return induced_tree(("a",) * count, {(0, count)})

    def chain(count):
        return DependencyTree(("a",) * count, tuple(range(count)))

    for make in (flat, chain):
        for width in (0, 40):
            assert work(make, 2000, width) < 4.5 * work(make, 500, width)
