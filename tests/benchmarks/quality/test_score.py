"""The rows of models: scored alone, over seeds, and together."""

import json
from pathlib import Path

import pytest

from benchmarks.quality import gold, score
from benchmarks.quality.gold import Source
from benchmarks.quality.score import Decoders
from benchmarks.quality.table import NOTHING
from synparse.config.parsing import DEFAULT
from synparse.config.recipe import load_recipe
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import BRACKETS, CONLLU
from synparse.corpora.vocabulary import CLASS, SPECIAL, Vocabulary
from synparse.files.tables import read_table
from synparse.parsing.options import ParserOptions
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.training.run import train

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "sample"


def scores_of(row):
    return {name: row[name] for name in (*gold.SCORES, *gold.DIRECTIONS)}


def test_known_words_are_those_in_the_models_vocabulary():
    vocabulary = Vocabulary([*SPECIAL, "the", "N", "dogs", f"{CLASS}ark"])
    text = TextConfig()
    assert score.has_known_words(["The", "1,990", "dogs", "!"], vocabulary, text)
    assert not score.has_known_words(["The", "dogs", "bark"], vocabulary, text)
    assert not score.has_known_words(["<unk>"], vocabulary, text)
    assert score.has_known_words([], vocabulary, text)


def test_trivial_rows_are_those_of_the_samples_readme():
    golds = {
        Source(bank, kind, rules, "free", name): gold.read_gold(SAMPLE / name)
        for bank, kind, rules, name in (
            ("WSJ", BRACKETS, ("kim2019",), "gold.brackets"),
            ("WSJ", CONLLU, ("stanford",), "gold.conllu"),
        )
    }
    rows = {row["parser"]: row for row in score.trivial_rows(golds, {"topic": "trivial"})}
    assert rows["right-branching"]["WSJ UF1 kim2019"] == "39.4"
    assert rows["left-branching"]["WSJ UF1 kim2019"] == "22.3"
    assert rows["next word"]["WSJ UAS stanford"] == "39.7"
    assert rows["previous word"]["WSJ UUAS stanford"] == "41.0"
    assert rows["ceiling"]["WSJ UAS stanford"] == "100.0"
    assert rows["ceiling"]["WSJ direction stanford"] == "1.00"
    assert rows["random"]["seeds"] == "1 2 3 4 5"


def test_decoders_are_the_models_own_unless_given(tiny_on_lstm):
    parser = Parser.load(tiny_on_lstm)
    assert score.chosen_decoders(parser, Decoders()) == Decoders("unbiased", None)
    assert score.chosen_decoders(parser, Decoders("published", DEFAULT)) == Decoders("published", None)
    assert str(Decoders("unbiased", None, flat=True)) == "unbiased / –, flat base phrases"
    with pytest.raises(ValueError, match="on-lstm-1 cannot be decoded by 'mst'; there are none"):
        score.chosen_decoders(parser, Decoders(DEFAULT, "mst"))


def test_changes_are_the_differences_from_the_shipped_recipe(tiny_udgn_recipe):
    assert score.changes_of(load_recipe("udgn-small", ["training.epochs=1"])) == ("udgn-small", "")
    changed = load_recipe("udgn-small", ["training.mask_rate=0.45", "text.lowercase=false"])
    assert score.changes_of(changed) == ("udgn-small", "text.lowercase=False training.mask_rate=0.45")
    base, changes = score.changes_of(load_recipe(str(tiny_udgn_recipe)))
    assert base == "udgn-small"
    assert "architecture.hidden_size=16" in changes


def test_each_sentence_is_parsed_once_as_if_file_by_file(data, tiny_udgn):
    golds = gold.read_golds(data)
    parser = Parser.load(tiny_udgn)
    parses = score.parsed(parser, golds, score.chosen_decoders(parser, Decoders()))
    for file in golds.values():
        for sentence in file.sentences:
            [alone] = parser.parse([sentence.tokens])
            found = parses[tuple(sentence.tokens)]
            assert (found.tree if file.kind == BRACKETS else found.heads) == (
                alone.tree if file.kind == BRACKETS else alone.heads
            )


def test_models_are_seeds_of_one_parser(tiny_udgn, tiny_on_lstm, run, tmp_path):
    [row] = run(score, tiny_udgn, tiny_udgn, "--punctuation", "ignore")
    assert (row["seeds"], row["decoders"]) == ("1 1", "projective / projective")
    last = json.loads((tiny_udgn / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert row["M words seen"].startswith(f"{last['words'] / 1e6:.2f}")
    with pytest.raises(SystemExit, match=r"not seeds of one parser: tiny-udgn .*, tiny-on-lstm"):
        run(score, tiny_udgn, tiny_on_lstm)
    assert read_table(tmp_path / "table.tsv") == [row]


def test_punctuation_as_evidence_has_a_row_of_its_own(tiny_on_lstm, run):
    weighed, plain = run(score, tiny_on_lstm)
    assert (weighed["punctuation"], plain["punctuation"]) == ("evidence", "ignore")
    assert plain["decoders"] == weighed["decoders"] == f"unbiased / {NOTHING}"
    assert plain["function words"] == plain["WSJ UAS stanford"] == plain["WSJ agreement UF1"] == NOTHING
    assert plain["WSJ UF1 kim2019"] != weighed["WSJ UF1 kim2019"]


def test_each_treebank_has_its_convention_of_function_words(tiny_udgn, run):
    for more in ([], ["--function-words", "free"], ["--function-words", "leaves"]):
        rows = run(score, tiny_udgn, "--punctuation", "ignore", *more)
    mixed, free, leaves = rows
    assert [row["function words"] for row in rows] == [score.BY_TREEBANK, "free", "leaves"]
    assert mixed["WSJ UAS stanford"] == free["WSJ UAS stanford"] != leaves["WSJ UAS stanford"]
    assert mixed["GUM UAS UD"] == leaves["GUM UAS UD"] != free["GUM UAS UD"]


def test_models_that_parse_together_are_one_parser(tiny_on_lstm, tiny_udgn, run):
    how = ["--punctuation", "ignore", "--topic", "parts"]
    spent = ["--minutes-spent", 3, "--cpu-minutes-spent", 2.5]
    pair = ["--together", tiny_on_lstm, tiny_udgn]
    for models in (pair, [*pair, *pair], [*pair, "--name", "both", *spent], [tiny_udgn]):
        rows = run(score, *models, *how)
    together, twice, named, alone = rows
    one, other = "tiny-on-lstm (changes: against on-lstm-small)", "tiny-udgn (changes: against udgn-small)"
    assert together["parser"] == f"{one} + {other}"
    assert (together["seeds"], twice["seeds"]) == (NOTHING, "2 seeds")
    assert together["GUM UAS UD"] == alone["GUM UAS UD"] == twice["GUM UAS UD"].partition(" ")[0]  # its heads alone
    assert together["WSJ UF1 kim2019"] != alone["WSJ UF1 kim2019"]
    assert (named["parser"], named["topic"]) == ("both", "parts")
    assert (named["minutes"], named["CPU minutes"]) == ("3.0", "2.5")
    assert scores_of(named) == scores_of(together)


def test_a_packed_pair_has_a_row(tmp_path, tiny_on_lstm, tiny_udgn, run):
    how = ParserOptions(punctuation="evidence")
    pack([tiny_on_lstm], [tiny_udgn], tmp_path / "pair", storage="float32", options=how)
    for model in (tmp_path / "pair", tiny_on_lstm, tiny_udgn):
        rows = run(score, model, "--punctuation", "evidence")
    pair, on_lstm, udgn = rows
    assert (pair["parser"], pair["changes"]) == ("pair", "brackets on-lstm-1; heads udgn-1")
    assert pair["decoders"] == "unbiased / projective"
    assert pair["seeds"] == pair["perplexity"] == NOTHING
    assert pair["WSJ UF1 kim2019"] == on_lstm["WSJ UF1 kim2019"]
    assert pair["GUM UAS UD"] == udgn["GUM UAS UD"]
    assert pair["text"] == udgn["text"]


def test_grammars_say_what_they_were_learned_from(tmp_path, tiny_grammar, tiny_udgn, sample_text):
    alone = score.run_of([tiny_grammar])
    assert (alone.parser, alone.seed, alone.perplexity) == ("grammar", "1", None)
    assert "grammar.classes=12" in alone.changes
    assert alone.minutes >= 0
    (tmp_path / "text.txt").write_text("".join(f"{line}\n" for line in sample_text), encoding="utf-8")
    changes = ["grammar.classes=12", "grammar.dependency_passes=1"]
    text, teachers = [str(tmp_path / "text.txt")], [str(tiny_udgn)]
    train(text, "dbm", tmp_path / "taught", changes=changes, teachers=teachers, seed=7)
    taught = score.run_of([tmp_path / "taught"])
    assert (taught.parser, taught.seed) == ("udgn-1 + dbm", "7")
    assert taught.changes.startswith("grammar.classes=12 grammar.dependency_passes=1")
    assert taught.text.startswith("text.txt (")
    assert taught.minutes >= 0
    together = score.run_of([tiny_grammar, tmp_path / "taught", tiny_grammar])
    assert together.parser == "2 grammar + udgn-1 + dbm"
    assert together.minutes == pytest.approx(2 * alone.minutes + taught.minutes)
