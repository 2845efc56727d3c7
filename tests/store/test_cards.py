"""Cards of descriptions written out here: every fact of them is there, and no other."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import load_recipe
from synparse.store import cards
from synparse.store.cards import (
    Changes,
    PackedFrom,
    described_files,
    grammar_facts,
    model_card,
    origin_of,
    tuned_card,
)
from synparse.store.model_directory import CARD, ModelDescription, Packed, StoredModel
from synparse.store.models import GrammarSet, Model
from synparse.trees.errors import DataError

VERSIONS = {"versions": {"synparse": "9.8.7"}}
PROVENANCE = {
    "corpus": {
        "files": ["a.txt", "b.txt"],
        "sha256": "0f" * 32,
        "training_sentences": 12345,
        "training_words": 234567,
        "held_out_sentences": 250,
    },
    "vocabulary_words": 9876,
    "steps": 4321,
    "words_seen": 7654321,
    "seconds": 90.0,
    "device": "cpu",
    "seed": 7,
    "held_out_perplexity": 65.4,
    **VERSIONS,
}
OF_TREES = {**PROVENANCE, "corpus": {**PROVENANCE["corpus"], "heads": 234567, "splits": 0}}
OF_GRAMMARS = {"classes": 99, "sentences": 2000, "words": 30000, "seconds": 120.0, "seed": 3}
LEARNED = "12,345, 234,567 (and 250 sentences held out)"

FACTS = f"""\
| corpus | a.txt, b.txt |
| corpus SHA-256 | `{"0f" * 32}` |
| sentences, words | {LEARNED} |
| vocabulary | 9,876 words |
| trained | 4,321 updates, 7,654,321 words seen, 1.5 minutes on cpu, seed 7 |
"""


def described(recipe, packed=None, provenance=PROVENANCE):
    """A model of the first network of a recipe."""
    return ModelDescription(recipe.model_recipe(recipe.networks[0]), provenance, packed)


def run_of(name, changes=(), provenance=PROVENANCE, of_run=VERSIONS, **model):
    """The directory that a run of one network writes."""
    recipe = load_recipe(name, changes)
    kind = f"{recipe.networks[0].model}-1"
    members = {kind: StoredModel(Path("mine") / kind, described(recipe, provenance=provenance))}
    given = {"parsing": recipe.parsing, "recipe": recipe, "provenance": of_run, **model}
    return Model(Path("mine"), members, (kind,), (kind,), **given)


def card(*arguments):
    return model_card(*arguments).decode()


def test_the_card_of_a_model():
    text = card("mine", run_of("udgn-small"))
    assert text.startswith(
        "# mine\n\nudgn, induced from raw text without annotated trees, by synparse 9.8.7.\n"
        "\n|  | udgn-1 |\n|---|---|\n| gives | brackets and heads |\n| model | udgn |\n| recipe | `udgn-small` |\n"
        + FACTS
        + "| held-out perplexity | 65.4 (masked) |\n\n"
    )
    assert (
        "\nWithout options, `parse` uses punctuation cues and gives function words no dependents\n"
        "(`--punctuation evidence --function-words leaves`).\n" in text
    )
    assert "    synparse parse gold.conllu --model mine --format conllu --output pred.conllu\n" in text
    assert "    synparse eval pred.conllu gold.conllu\n" in text
    assert text.endswith("have numbers, not names.\n")


def test_where_nothing_is_held_out_the_perplexity_is_that_of_the_training_text():
    short = {**PROVENANCE, "corpus": {**PROVENANCE["corpus"], "held_out_sentences": 0}}
    text = card("mine", run_of("udgn-small", provenance=short))
    assert "| training perplexity | 65.4 (masked) |" in text
    assert "in the training sentences." in " ".join(text.split())
    assert "held-out" not in text


def test_the_card_of_a_run_that_left_stages_out_has_no_settings_of_others():
    recipe = load_recipe("default")
    rest = replace(recipe, stages=(recipe.stages[0], recipe.stages[-3], recipe.stages[-1]))
    assert "| run: recipe | `default` |\n" in card("mine", replace(run_of("udgn-small"), recipe=rest))


def test_the_card_of_a_model_that_is_written_here_has_the_name_of_the_folder(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    model = run_of("udgn-small")
    members = {"udgn-1": model.members["udgn-1"]._replace(directory=Path("udgn-1"))}
    text = described_files(replace(model, directory=Path(), members=members))[CARD].decode()
    assert text.startswith("# mine\n")
    assert "    synparse parse gold.conllu --model mine --format conllu" in text


def test_a_card_says_how_a_model_of_a_paper_parses():
    assert (
        "\nWithout options, `parse` uses no punctuation cues and lets function words be heads\n"
        "(`--punctuation ignore --function-words free`).\n" in card("mine", run_of("udgn-ptb"))
    )


def test_the_card_of_a_model_without_heads_scores_brackets():
    text = card("mine", run_of("on-lstm-small"))
    assert "    synparse parse gold.brackets --model mine --format brackets --output pred.brackets\n" in text
    assert "| held-out perplexity | 65.4 (next-word) |" in text
    assert "| gives | brackets |\n" in text


@pytest.mark.parametrize(
    ("is_supervised", "learned"), [(True, "learned with the help of old"), (False, "induced from")]
)
def test_a_card_names_the_models_before_and_whether_they_knew_trees(is_supervised, learned):
    origins = {"origins": [{"model": "old", "supervised": is_supervised}]}
    text = card("mine", run_of("udgn-small", of_run={**VERSIONS, **origins}))
    assert f"udgn, {learned}" in text
    assert "| run: models before | old |\n" in text


def test_annotated_trees_behind_a_model_are_behind_those_that_learn_from_it(monkeypatch):
    taught = run_of("udgn-small", of_run={**VERSIONS, "origins": [{"model": "old", "supervised": True}]})
    given = {**PROVENANCE, "corpus": {**PROVENANCE["corpus"], "given_trees": {"files": ["a"], "sentences": 3}}}
    models = {
        "induced": run_of("udgn-small"),
        "taught": taught,
        "given": run_of("udgn-small", provenance=given),
        "student": run_of("student-small"),
    }
    monkeypatch.setattr(cards, "open_model", models.get)
    origins = [origin_of(name) for name in models]
    assert [origin["supervised"] for origin in origins] == [False, True, True, True]
    assert origins[0]["model"] == "induced"


def test_the_card_of_a_baseline_has_no_trees():
    text = card("mine", run_of("lstm-small"))
    assert "A language model without trees" in text
    assert "    synparse perplexity mine text.txt\n" in text
    assert "synparse parse" not in text


def test_the_card_of_a_student_says_what_it_learned_from():
    text = card("mine", run_of("student-small", provenance=OF_TREES))
    assert "| trees | heads of 234,567 words, and constituents around 0 gaps between words |" in text
    assert "\nstudent, trained on trees that it was given, by synparse 9.8.7.\n" in text
    stages = [{"number": 1, "stage": "trees", "minutes": 1.0, "result": "9 sentences"}]
    of_run = card("mine", run_of("student-small", provenance=OF_TREES, of_run={**VERSIONS, "stages": stages}))
    assert "\nstudent, induced from raw text without annotated trees, by synparse 9.8.7.\n" in of_run


def test_the_card_of_a_run_has_its_stages_and_grammars():
    settings = GrammarConfig(class_grammars=2, nonterminals=5)
    stages = [
        {"number": 1, "stage": "udgn", "minutes": 12.34, "result": "1 × udgn, 3 passes"},
        {"number": 2, "stage": "grammars", "minutes": 0.5, "result": "1 × grammars, 2,000 sentences"},
    ]
    sets = (GrammarSet("grammars-1", ("udgn-1",), settings, OF_GRAMMARS),)
    text = card("mine", run_of("udgn-small", grammars=sets, of_run={**VERSIONS, "stages": stages}))
    assert "| stage 1: udgn | 12.3 minutes; 1 × udgn, 3 passes |\n" in text
    assert "| stage 2: grammars | 0.5 minutes; 1 × grammars, 2,000 sentences |\n" in text
    assert f"| grammars-1 | {grammar_facts(settings, OF_GRAMMARS)} |\n" in text


def test_the_text_and_the_recipe_of_a_run_are_on_the_card_where_no_model_has_them():
    corpus = {**PROVENANCE["corpus"], "files": ["t.txt"], "sha256": "1e" * 32, "training_words": 89}
    text = f"run: corpus | t.txt |\n| run: corpus SHA-256 | `{'1e' * 32}` |\n| run: sentences, words | 12,345, 89 (and"
    of_run = {**VERSIONS, "corpus": corpus}
    assert f"\n| {text}" in card("mine", run_of("student-small", provenance=OF_TREES, of_run=of_run))
    taught = run_of("udgn-small", recipe=load_recipe("grammar", ["grammar.classes=9"]), of_run=of_run)
    assert "| recipe | `udgn-small` |\n" in card("mine", taught)
    assert f"\n| run: recipe | `grammar` `grammar.classes=9` |\n| {text}" in card("mine", taught)
    assert "run:" not in card("mine", run_of("udgn-small", of_run={**VERSIONS, "corpus": PROVENANCE["corpus"]}))


def test_what_grammars_were_learned_from():
    assert grammar_facts(GrammarConfig(class_grammars=2, nonterminals=5), OF_GRAMMARS) == (
        "the dependency-and-boundary model and 2 class grammars of 5 nonterminals on 99 word classes, learned with "
        "punctuation cues from 2,000 sentences, 30,000 words, in 2.0 minutes, seed 3"
    )
    assert " 1 class grammar of 30 nonterminals on" in grammar_facts(GrammarConfig(class_grammars=1), OF_GRAMMARS)
    assert " of 30 nonterminals, and a focused one of 7, on 99 word classes" in grammar_facts(
        GrammarConfig(focused_passes=1, focused_nonterminals=7), OF_GRAMMARS
    )
    assert grammar_facts(
        GrammarConfig(parts="dependencies", stops="head", punctuation="ignore"), OF_GRAMMARS
    ).startswith("the dependency model with valence on 99 word classes, learned without punctuation cues from")


@pytest.fixture
def both():
    packed = Packed("int8")
    members = {
        name: StoredModel(Path("english") / name, described(load_recipe(recipe), packed))
        for name, recipe in (("on-lstm-1", "on-lstm-small"), ("udgn-1", "udgn-small"))
    }
    how = load_recipe("udgn-small").parsing
    return Model(Path("english"), members, ("on-lstm-1",), ("udgn-1",), parsing=how)


def run_in(folder, name, changes=(), **corpus):
    """The directory of a run with seed 3."""
    provenance = {"corpus": {**PROVENANCE["corpus"], **corpus}, "seed": 3}
    return replace(run_of(name, changes, of_run=provenance), directory=Path(folder))


def test_the_card_of_packed_models(both):
    brackets = run_in("runs/on lstm", "on-lstm-small", given_trees={"files": ["few trees.mrg"]})
    heads = run_in("runs/udgn", "udgn-small", ["training.epochs=9"])
    text = card("english", both, PackedFrom([brackets], [heads], 12_345_678, Changes(1000, 7, 3)))
    assert text.startswith("# english\n\non-lstm + udgn, induced from raw text without annotated trees, by synp")
    assert "\n12.3 MB, packed for parsing alone (int8).\n" in text
    assert (
        "\n|  | on-lstm-1 | udgn-1 |\n|---|---|---|\n| gives | brackets | heads |\n| model | on-lstm | udgn |\n" in text
    )
    assert f"\n| sentences, words | {LEARNED} | {LEARNED} |\n" in text
    assert "\nOf 1,000 sentences, packing gave 7 other brackets and 3 other heads.\n" in text
    assert (
        "\n    synparse train a.txt b.txt --recipe on-lstm-small --seed 3 --trees 'few trees.mrg' --output 'on lstm'\n"
        "    synparse train a.txt b.txt --recipe udgn-small --set training.epochs=9 --seed 3 --output udgn\n"
        "    synparse pack --brackets 'on lstm' --heads udgn --punctuation evidence --function-words leaves "
        "--storage int8 --output english\n"
    ) in text
    assert text.count("*To be written") == 3


def test_a_run_of_several_networks_is_one_command_in_the_card_of_what_is_packed_from_it(both):
    run = run_in("mine", "udgn-small")
    text = card("english", both, PackedFrom([run], [run], 10))
    assert text.count("synparse train") == 1
    assert "    synparse pack mine --punctuation evidence" in text


def test_what_was_not_checked_is_said(both):
    assert "\nWhether packing changed trees has not been checked.\n" in card("english", both, PackedFrom([], [], 10))


def test_settings_that_differ_from_the_recipe_are_named():
    changes = {"training.mask_rate=0.4", "text.lowercase=false", "grammar.classes=9", "parsing.heads=mst"}
    [row] = [line for line in card("mine", run_of("udgn-small", sorted(changes))).splitlines() if "| recipe" in line]
    assert {change for change in changes if f"`{change}`" in row} == changes


def test_a_model_without_provenance_has_no_card():
    for missing in ("corpus", "steps", "seed", "held_out_perplexity"):
        with pytest.raises(DataError, match=r"config.yaml lacks the provenance of a model, which the card needs"):
            model_card(
                "x",
                run_of("udgn-small", provenance={key: value for key, value in PROVENANCE.items() if key != missing}),
            )


def test_the_fraction_of_changes_is_that_of_the_trees_that_change_more():
    assert Changes(200, 7, 3).fraction == Changes(200, 3, 7).fraction == 0.035
    assert Changes(0, 0, 0).fraction == 0.0


def test_a_tuned_model_s_card_says_what_it_was_tuned_on():
    tuning = {
        **{"model": "udgn-1", "recipe": "similarity-small", "training": {"freeze_parser": True}},
        **{"data": ["train.tsv"], "pairs": 5749, "held_out_pairs": 1500, "steps": 900, "seconds": 90.0},
        **{"device": "cpu", "seed": 3, "held_out_spearman": 0.61234, "versions": {"synparse": "0.2"}},
    }
    text = tuned_card("udgn-1-sts", described(load_recipe("udgn-small"), provenance={"tuning": tuning})).decode()
    assert "| tuned from | udgn-1 |" in text
    assert "| pairs | train.tsv: 5,749 (and 1,500 held out) |" in text
    assert "900 updates, 1.5 minutes on cpu, seed 3; the parser was frozen" in text
    assert "| held-out Spearman | 0.61234 |" in text


def test_names_of_others_are_text_in_a_card():
    evil = "<img src=x onerror=y> [z](javascript:w) `|\n# a\x1b"
    provenance = {**PROVENANCE, "corpus": {**PROVENANCE["corpus"], "files": [evil], "sha256": evil}, "device": evil}
    stages = [{"number": 1, "stage": evil, "minutes": 1.0, "result": evil}]
    of_run = {"versions": {"synparse": evil}, "stages": stages}
    text = card(evil, run_of("udgn-small", provenance=provenance, of_run=of_run))
    shown = r"\<img src=x onerror=y\> \[z\](javascript:w) \`\| # a\\x1b"
    assert f"# {shown}\n" in text
    assert f"| corpus | {shown} |\n" in text
    assert f"| stage 1: {shown} | 1.0 minutes; {shown} |\n" in text
    assert f"on {shown}, seed 7 |" in text
    assert r"| corpus SHA-256 | `<img src=x onerror=y> [z](javascript:w) '\| # a\x1b` |" in text
    outside = re.sub(r"(?m)`[^`\n]*`|^    .*$|\\\\.", "", text.replace("\\\\", "").replace("\\`", ""))
    assert not re.search(r"(?<!\\)[<\[]", outside)
