import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees import brackets
from synparse.trees.beginning import beginning_of
from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import ConstituencyTree, Constituent, format_brackets, induced_tree
from synparse.trees.distances import unbiased_spans
from synparse.trees.errors import DataError


def read(text):
    return [tree for _, tree in read_brackets(text.splitlines(keepends=True), "file")]


def test_a_penn_tree_is_words_tags_and_constituents():
    [tree] = read("( (S (NP (DT the) (NN dog)) (VP (VBD barked))) )")
    assert tree == ConstituencyTree(
        ("the", "dog", "barked"),
        ("DT", "NN", "VBD"),
        (Constituent("", 0, 3), Constituent("S", 0, 3), Constituent("NP", 0, 2), Constituent("VP", 2, 3)),
    )


def test_line_breaks_are_ignored_and_each_tree_has_its_line_number():
    text = "\n(S (NP (DT the)\n(NN\n dog))\n\n)(X (_ hi)) (X\n(_ there))\n"
    trees = list(read_brackets(text.splitlines(keepends=True), "file"))
    assert [line for line, _ in trees] == [2, 6, 6]
    assert trees[0].tree.tags == ("DT", "NN")
    assert trees[0].tree == read("(S (NP (DT the) (NN dog)))")[0]


def test_a_notice_before_the_trees_is_ignored():
    notice = "*x*x*x*x*x*\n*x* (C) 1995 *x*\n"
    assert read(notice + "(S (A a))") == read("(S (A a))")
    assert beginning_of(notice.splitlines())[0] == ""
    assert beginning_of([*notice.splitlines(), " (S"])[0] == "("


@pytest.mark.parametrize("line", ["<DOC>", "<S ID=1>", "</S> (1", "( END_OF_TEXT_UNIT )"])
def test_lines_of_markup_between_trees_are_ignored(line):
    text = "{0}\n(S (A a)\n  (B <b>))\n{0}\n(S (A a)\n(B\n<b>))"
    assert read(text.format(line)) == read("(S (A a) (B <b>))") * 2
    assert beginning_of([line, "(S"])[0] == "("


def test_bare_words_have_no_tag():
    [tree] = read("(X the (Y dog barked))")
    assert tree.words == ("the", "dog", "barked")
    assert tree.tags == ("", "", "")
    assert tree.constituents == (Constituent("X", 0, 3), Constituent("Y", 1, 3))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("(S (NP (DT the)", 1, "never closed"),
        ("(S (DT the))\n)", 2, "not opened"),
        ("(S (DT the)) dog", 1, "outside"),
        ("\n()", 2, "without words"),
        ("(())", 1, "without words"),
        ("(S (NP) (DT the))", 1, "without words"),
        ("hello", 1, "outside"),
        ("1\thi\t_\t_\t_\t_\t0\troot\t_\t_", 1, "for CoNLL-U: --from conllu"),
    ],
)
def test_malformed_brackets_are_errors_that_name_the_line(text, line, what):
    with pytest.raises(DataError, match=what) as caught:
        read(text)
    assert str(caught.value).startswith(f"file:{line}: ")


@pytest.mark.parametrize(
    ("text", "line"), [("(S (NP the dog))", 5), ("(S\n(NN\ndog)\n(NP\nold\n(NN dog)))", 9), ("(S (NN a) b)", 5)]
)
def test_bare_words_are_errors_if_tags_are_required(text, line):
    lines = text.splitlines(keepends=True)
    with pytest.raises(DataError, match="a word without a tag") as caught:
        list(read_brackets(lines, "file", first_line=5, tags_required=True))
    assert caught.value.line == line
    assert next(read_brackets(lines, "file", first_line=5)).line == 5


def test_a_word_on_the_line_after_its_tag_is_not_bare():
    [(_, tree)] = read_brackets(["(S (NN\n", "dog) (_\n", "barks))"], "file", tags_required=True)
    assert tree.tags == ("NN", "")


words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=6).filter(
    lambda word: not any(character.isspace() for character in word)
)
plain = words.filter(lambda word: "(" not in word and ")" not in word and word != "_")


@st.composite
def trees(draw):
    count = draw(st.integers(1, 12))
    distances = draw(st.lists(st.floats(0, 1), min_size=count - 1, max_size=count - 1))
    spans = draw(st.lists(st.sampled_from(unbiased_spans(distances)), unique=True))
    chosen = [draw(plain) for _ in range(count)]
    tags = [draw(st.one_of(st.just(""), plain)) for _ in range(count)]
    tree = induced_tree(chosen, {(0, count), *spans}, tags)
    labels = [draw(plain) for _ in tree.constituents]
    constituents = [
        constituent._replace(label=label) for constituent, label in zip(tree.constituents, labels, strict=True)
    ]
    constituents.insert(0, Constituent("TOP", 0, count))  # a unary chain
    return ConstituencyTree(tree.words, tree.tags, tuple(constituents))


@given(trees())
def test_a_written_tree_is_read_back(tree):
    assert read(format_brackets(tree)) == [tree]


def test_parentheses_are_escaped():
    assert format_brackets(induced_tree(["(", "a)b", " "], [(0, 3)])) == "(X (_ -LRB-) (_ a-RRB-b) (_ _))"
    assert format_brackets(induced_tree(["a", "b"], [(0, 2)], labels=["N)"])) == "(N-RRB- (_ a) (_ b))"


def test_trees_of_any_depth():
    count = 5000
    tree = induced_tree(["x"] * count, unbiased_spans(list(range(count, 1, -1))))
    assert read(format_brackets(tree)) == [tree]
    assert hash(tree) == hash(read(format_brackets(tree))[0])


def test_brackets_opened_without_end_are_an_error(monkeypatch):
    monkeypatch.setattr(brackets, "LARGEST_TREE", 100_000)
    with pytest.raises(DataError, match="file:2: a tree of more than 100000 words and brackets"):
        read("\n" + "(" * 110_000)


@pytest.mark.parametrize(("fits", "too_large"), [("(X a b c)", "(X a b c d)"), ("(X (Y (T a)))", "(X (Y (Z (T a))))")])
def test_a_tree_larger_than_the_limit_is_an_error(fits, too_large, monkeypatch):
    monkeypatch.setattr(brackets, "LARGEST_TREE", 4 if " b" in fits else 3)
    assert len(read(fits * 3)) == 3  # the size of each, not of the file
    with pytest.raises(DataError, match="file:1: a tree of more than"):
        read(too_large)


@given(st.text("() ab\t\n_", max_size=60))
def test_long_lines_are_read_like_short_ones(text):
    results = []
    with pytest.MonkeyPatch.context() as patch:
        for longest in (1000, 0):
            patch.setattr(brackets, "_LONG_LINE", longest)
            try:
                results.append(list(read_brackets(text.splitlines(keepends=True), "file")))
            except DataError as error:
                results.append(str(error))
    assert results[0] == results[1]


@pytest.mark.parametrize("text", ["(a" + " " * 200_000, "(" + " " * 200_000 + "(", "(a b" + " " * 200_000 + "("])
def test_no_line_takes_quadratic_time(text):
    with pytest.raises(DataError, match="never closed"):
        read(text)


def test_an_error_quotes_one_short_line():
    with pytest.raises(DataError) as caught:
        list(read_brackets(["x\x1b[31m\x07\ud800" + "y" * 10_000_000], "file"))
    assert str(caught.value).startswith("file:1: text outside of brackets: 'x\\x1b[31m")
    assert len(str(caught.value)) < 1000


def test_a_treebank_is_written_as_it_is_read(fixtures):
    for name in ("sentences.mrg", "sentences.brackets"):
        with (fixtures / name).open(encoding="utf-8") as lines:
            trees = [tree for _, tree in read_brackets(lines, name)]
        assert len(trees) == 70
        assert read("\n".join(map(format_brackets, trees))) == trees


def test_clean_brackets_are_written_byte_for_byte_as_they_are_read(fixtures):
    text = (fixtures / "sentences.brackets").read_text(encoding="utf-8")
    assert "".join(format_brackets(tree) + "\n" for tree in read(text)) == text


@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u2028", "\x85"])
def test_white_space_that_is_not_ascii_is_part_of_a_word(space):
    [(_, tree)] = read_brackets([f"(NP (NN New{space}York) (NN x))\n"], "file", tags_required=True)
    assert tree.words == (f"New{space}York", "x")
    assert format_brackets(tree) == "(NP (NN New_York) (NN x))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(NP\u00a0(NN a))", "file:1: U+00A0 does not separate labels and words: write a plain space"),
        ("(NP (NN\u2028a))", "file:1: U+2028 does not separate labels and words: write a plain space"),
        ("(NP (NN a)\n\u00a0 (NN b))", "file:2: U+00A0 does not separate labels and words: write a plain space"),
        ("(NN a)\u00a0", "file:1: U+00A0 does not separate labels and words: write a plain space"),
    ],
)
def test_characters_that_look_like_spaces_are_named_in_the_error(text, message):
    with pytest.raises(DataError) as caught:
        list(read_brackets(text.split("\n"), "file", tags_required=True))
    assert str(caught.value) == message
