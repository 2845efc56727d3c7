"""The table of quality: what its cells are computed from, and which runs it trains."""

import itertools
import json
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.config.recipe import load_recipe
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import BRACKETS, CONLLU
from synparse.corpora.vocabulary import CLASS, SPECIAL, Vocabulary
from synparse.parsing.options import ParserOptions
from synparse.parsing.pack import pack
from synparse.parsing.parser import DEFAULT, Parser
from synparse.training.checkpoint import LAST

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "sample"
sys.path.insert(0, str(ROOT / "benchmarks"))

import quality  # noqa: E402
from quality import NOTHING, Budget, Decoders, Gold, Source  # noqa: E402

TREES = Source("WSJ", BRACKETS, ("shen2018", "kim2019"), "trees.mrg")
HEADS = Source("GUM", CONLLU, ("UD",), "heads.conllu")

BRACKETED = "(S (NP (DT the) (NN dog)) (VP (VBD ran) (NN home)) (. .))\n(S (NP (DT a) (NN cat)) (VP (VBD sat)))\n"
RIGHT = ("(X the (X dog (X ran home)) .)\n", "(X a (X cat sat))\n")


def conllu(*heads, tags=None):
    rows = [f"{n}\tw{n}\t_\t{(tags or {}).get(n, 'X')}\t_\t_\t{head}\tdep\t_\t_\n" for n, head in enumerate(heads, 1)]
    return "".join([*rows, "\n"])


def gold_of(*texts):
    return Gold(CONLLU, texts, ())


@pytest.fixture
def bracketed(tmp_path):
    (tmp_path / "trees.mrg").write_text(BRACKETED, encoding="utf-8")
    return quality.read_gold(tmp_path / "trees.mrg")


@pytest.fixture
def data(tmp_path):
    """A folder with the first sentences of the shipped sample where the treebanks stand."""
    trees = (SAMPLE / "gold.brackets").read_text(encoding="utf-8").splitlines(keepends=True)[:20]
    sentences = (SAMPLE / "gold.conllu").read_text(encoding="utf-8").split("\n\n")[:20]
    for source in quality.SOURCES[:4]:
        path = tmp_path / "data" / source.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(trees) if source.kind == BRACKETS else "\n\n".join(sentences) + "\n\n")
    return tmp_path / "data"


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["quality.py", *map(str, arguments)])
    quality.main()


def test_mean_and_spread_by_hand():
    assert quality.mean_and_spread([1.0, 2.0, 6.0]) == "3.0 (2.6)"
    assert quality.mean_and_spread([3.813635], 2) == "3.81"
    assert quality.mean_and_spread([None, None]) == quality.mean_and_spread([]) == NOTHING


def test_scores_of_all_sentences_and_of_those_with_known_words(bracketed):
    """Of "the dog" and "ran home" the right-branching tree has the second; of "a cat" nothing."""
    found = quality.scores_of_run(TREES, bracketed, RIGHT, [True, False])
    assert found["WSJ known share"] == 50
    for protocol in TREES.rules:
        parts = [found[f"WSJ UF1 {protocol}{part}"] for part in ("", quality.KNOWN, quality.UNKNOWN)]
        assert parts == [25, 50, 0]


def test_sentences_of_one_word_tell_the_protocols_apart(tmp_path):
    (tmp_path / "trees.mrg").write_text(BRACKETED + "(S (UH yes) (. .))\n", encoding="utf-8")
    gold = quality.read_gold(tmp_path / "trees.mrg")
    found = quality.scores_of_run(TREES, gold, (*RIGHT, "(X yes .)\n"), [True] * 3)
    assert (found["WSJ UF1 shen2018"], found["WSJ UF1 kim2019"]) == (50, 25)


def test_no_sentence_of_a_part_is_no_score(bracketed):
    found = quality.scores_of_run(TREES, bracketed, RIGHT, [True, True])
    assert found["WSJ UF1 kim2019, unknown"] is None
    assert found["WSJ UF1 kim2019, known"] == found["WSJ UF1 kim2019"]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.booleans()), min_size=1, max_size=6))
def test_uas_is_the_mean_of_its_parts_by_words(drawn):
    trees = [(0, 1, 2), (2, 0, 2), (2, 3, 0)]
    gold = gold_of(*(conllu(*trees[one]) for one, _, _ in drawn))
    known = [is_known for _, _, is_known in drawn]
    found = quality.scores_of_run(HEADS, gold, [conllu(*trees[other]) for _, other, _ in drawn], known)
    parts = [(found["GUM UAS UD, known"], sum(known)), (found["GUM UAS UD, unknown"], len(known) - sum(known))]
    assert found["GUM UAS UD"] == pytest.approx(
        sum((score or 0) * count for score, count in parts) / len(known), abs=0.01
    )


def test_words_are_known_as_the_model_reads_them():
    vocabulary = Vocabulary([*SPECIAL, "the", "N", "dogs", f"{CLASS}ark"])
    text = TextConfig()
    assert quality.has_known_words(["The", "1,990", "dogs", "!"], vocabulary, text)
    assert not quality.has_known_words(["The", "dogs", "bark"], vocabulary, text)
    assert not quality.has_known_words(["<unk>"], vocabulary, text)
    assert quality.has_known_words([], vocabulary, text)


def test_agreement_is_of_pairs_and_needs_no_gold_tags():
    runs = [[conllu(2, 0, 2, tags={3: tag})] for tag in ("X", "PUNCT")]
    other = [conllu(0, 1, 2)]
    found = quality.agreement(HEADS, [*runs, other])
    assert [round(value) for value in found["GUM agreement UAS"]] == [100, 33, 33]
    assert [round(value) for value in found["GUM agreement UUAS"]] == [100, 67, 67]
    assert quality.agreement(HEADS, [other]) == {"GUM agreement UAS": [], "GUM agreement UUAS": []}


def test_agreement_of_brackets_does_not_depend_on_the_order():
    runs = [list(RIGHT), ["(X (X the dog) (X ran home) .)\n", RIGHT[1]]]
    one, other = (quality.agreement(TREES, pair)["WSJ agreement UF1"] for pair in (runs, runs[::-1]))
    assert one == other == pytest.approx([75])


def test_trivial_rows_are_those_of_the_samples_readme():
    golds = {
        Source(bank, kind, rules, name): quality.read_gold(SAMPLE / name)
        for bank, kind, rules, name in (
            ("WSJ", BRACKETS, ("kim2019",), "gold.brackets"),
            ("WSJ", CONLLU, ("stanford",), "gold.conllu"),
        )
    }
    rows = {row["parser"]: row for row in quality.trivial_rows(golds)}
    assert rows["right-branching"]["WSJ UF1 kim2019"] == "39.4"
    assert rows["left-branching"]["WSJ UF1 kim2019"] == "22.3"
    assert rows["next word"]["WSJ UAS stanford"] == "39.7"
    assert rows["previous word"]["WSJ UUAS stanford"] == "41.0"
    assert rows["ceiling"]["WSJ UAS stanford"] == "100.0"
    assert rows["random"]["seeds"] == "1 2 3 4 5"


def test_decoders_are_the_models_own_unless_they_are_named(tiny_on_lstm):
    parser = Parser.load(tiny_on_lstm)
    assert quality.chosen_decoders(parser, Decoders()) == ("unbiased", None)
    assert quality.chosen_decoders(parser, Decoders("published", DEFAULT)) == ("published", None)
    with pytest.raises(ValueError, match="on-lstm cannot be decoded by 'mst'; there are none"):
        quality.chosen_decoders(parser, Decoders(DEFAULT, "mst"))


def test_changes_are_what_differs_from_the_shipped_recipe(tiny_udgn_recipe):
    assert quality.changes_of(load_recipe("udgn-small", ["training.epochs=1"])) == ("udgn-small", "")
    changed = load_recipe("udgn-small", ["training.mask_rate=0.45", "text.lowercase=false"])
    assert quality.changes_of(changed) == ("udgn-small", "text.lowercase=False training.mask_rate=0.45")
    base, changes = quality.changes_of(load_recipe(str(tiny_udgn_recipe)))
    assert base == "udgn-small"
    assert "architecture.hidden_size=16" in changes


def test_each_run_has_a_folder_of_its_own():
    plain, changed = load_recipe("udgn-small"), load_recipe("udgn-small", ["training.mask_rate=0.45"])
    runs = itertools.product((plain, changed), (Budget(20), Budget(60), Budget()), (["a"], ["a", "b"]))
    folders = [quality.run_folder(Path("work"), *run) for run in runs]
    assert len(set(folders)) == len(folders)
    assert quality.run_folder(Path("work"), plain, Budget(20), ["a"]) == folders[0]


def test_a_run_that_stopped_goes_on_and_one_that_is_done_stays(tmp_path, tiny_udgn):
    directory = tmp_path / "seed-2"
    begin = quality.training_command(directory, "udgn-small", ["a.b=1"], Budget(20), ["text.txt"], 2)
    assert begin[3:] == (
        f"train text.txt --recipe udgn-small --set a.b=1 --minutes 20 --seed 2 -o {directory}".split(" ")
    )
    assert not quality.is_trained(directory)
    shutil.copytree(tiny_udgn, directory)
    assert quality.is_trained(directory)
    (directory / LAST).touch()
    assert not quality.is_trained(directory)
    again = quality.training_command(directory, "udgn-small", ["a.b=1"], Budget(20), ["text.txt"], 2)
    assert again[3:] == ["train", "--resume", str(directory)]


def test_what_is_trained_is_scored_and_stands_in_the_table_once(
    tmp_path, data, tiny_udgn, tiny_udgn_recipe, monkeypatch, capsys
):
    trained = []

    def train_seed(command, directory, threads):
        trained.append((command[command.index("--seed") + 1], threads))
        shutil.copytree(tiny_udgn, directory)
        quality.commits_of(directory).write_text("abc\n", encoding="utf-8")
        return 0

    monkeypatch.setattr(quality, "train_seed", train_seed)
    table = tmp_path / "table.tsv"
    arguments = ["--recipe", tiny_udgn_recipe, "--epochs", 1, "--seeds", 1, 2, "--parallel", 2]
    arguments += ["--data", data, "--table", table, "--work", tmp_path / "work"]
    run(monkeypatch, *arguments)
    assert sorted(trained) == [("1", {"OMP_NUM_THREADS": "1"}), ("2", {"OMP_NUM_THREADS": "1"})]
    run(monkeypatch, *arguments)
    assert len(trained) == 2
    [row] = quality.read_table(table)
    assert (row["budget"], row["trained at"], row["cores"]) == ("1 epoch", "abc", "1 each, 2 at once")
    assert row["WSJ UAS stanford"].endswith("(0.0)")  # the same model twice
    assert row["GUM agreement UF1"] == row["GUM agreement UAS"] == "100.0"
    assert row["EWT UAS UD"] == row["GUM UAS stanford"] == NOTHING  # the folder has no such files
    run(monkeypatch, *arguments, "--note", "another")
    assert [row["note"] for row in quality.read_table(table)] == [NOTHING, "another"]
    capsys.readouterr()
    run(monkeypatch, "--show", "--table", table)
    assert capsys.readouterr().out.count("| tiny-udgn (changes: against udgn-small) |") == 6


def test_nothing_is_added_where_training_fails(tmp_path, data, tiny_udgn_recipe, monkeypatch):
    monkeypatch.setattr(quality, "train_seed", lambda *_: 1)
    arguments = ["--data", data, "--table", tmp_path / "table.tsv", "--work", tmp_path / "work"]
    with pytest.raises(SystemExit, match=r"exit codes \[1, 1, 1\]"):
        run(monkeypatch, "--recipe", tiny_udgn_recipe, *arguments)
    assert not (tmp_path / "table.tsv").exists()


def test_models_of_one_recipe_and_text_share_a_row(tmp_path, data, tiny_udgn, tiny_on_lstm, monkeypatch):
    table = tmp_path / "table.tsv"
    models = [tiny_udgn, tiny_on_lstm, tiny_udgn]
    run(monkeypatch, "--models", *models, "--data", data, "--table", table)
    rows = quality.read_table(table)
    assert [row["seeds"] for row in rows] == ["1 1", "1"]
    assert [row["decoders"] for row in rows] == ["projective / projective", f"unbiased / {NOTHING}"]
    assert rows[1]["WSJ UAS stanford"] == rows[1]["WSJ agreement UF1"] == NOTHING
    last = json.loads((tiny_udgn / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert rows[0]["M words seen"].startswith(f"{last['words'] / 1e6:.2f}")


def test_punctuation_as_evidence_has_a_row_of_its_own(tmp_path, data, tiny_on_lstm, monkeypatch):
    arguments = ["--models", tiny_on_lstm, "--data", data, "--table", tmp_path / "table.tsv"]
    for more in ([], ["--punctuation", "evidence"], ["--punctuation", "ignore"]):
        run(monkeypatch, *arguments, *more)
    plain, weighed = quality.read_table(tmp_path / "table.tsv")
    assert plain["decoders"] == f"unbiased / {NOTHING}"
    assert weighed["decoders"] == f"unbiased / {NOTHING}, punctuation"
    assert plain["WSJ UF1 kim2019"] != weighed["WSJ UF1 kim2019"]


def test_function_words_as_leaves_have_a_row_of_their_own(tmp_path, data, tiny_udgn, tiny_on_lstm, monkeypatch):
    arguments = ["--models", tiny_udgn, tiny_on_lstm, "--data", data, "--table", tmp_path / "table.tsv"]
    for more in ([], ["--function-words", "leaves"]):
        run(monkeypatch, *arguments, *more)
    free, without_heads, leaves = quality.read_table(tmp_path / "table.tsv")
    assert without_heads["decoders"] == f"unbiased / {NOTHING}"
    assert leaves["decoders"] == f"{free['decoders']}, leaves"
    assert leaves["GUM UAS UD"] != free["GUM UAS UD"]


def test_several_models_behind_one_name_have_a_row(tmp_path, data, tiny_on_lstm, tiny_udgn, monkeypatch):
    how = ParserOptions(punctuation="evidence")
    pack([tiny_on_lstm], [tiny_udgn], tmp_path / "pair", storage="float32", options=how)
    models = [tmp_path / "pair", tiny_on_lstm, tiny_udgn]
    arguments = ["--models", *models, "--data", data, "--table", tmp_path / "table.tsv", "--punctuation", "evidence"]
    run(monkeypatch, *arguments)
    run(monkeypatch, *arguments[:2], *arguments[4:-2])
    pair, on_lstm, udgn = quality.read_table(tmp_path / "table.tsv")  # evidence is what the pair has by itself
    assert (pair["parser"], pair["changes"]) == ("pair", "brackets on-lstm-1; heads udgn-1")
    assert pair["decoders"] == "unbiased / projective, punctuation"
    assert pair["seeds"] == pair["perplexity"] == NOTHING
    assert pair["WSJ UF1 kim2019"] == on_lstm["WSJ UF1 kim2019"]
    assert pair["GUM UAS UD"] == udgn["GUM UAS UD"]
    assert pair["text"] == udgn["text"]


def test_the_kept_table_has_these_columns_and_each_row_once():
    rows = quality.read_table(quality.TABLE)
    assert tuple(rows[0]) == quality.COLUMNS
    assert len({tuple(row[name] for name in quality.IDENTITY) for row in rows}) == len(rows)
