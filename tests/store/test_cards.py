"""Cards of descriptions written out here: every fact of them is there, and no other."""

import pytest

from synparse.config.recipe import load_recipe
from synparse.store.bundle import Bundle
from synparse.store.cards import Changes, bundle_card, member_card, model_card, tuned_card
from synparse.store.model_directory import ModelDescription, Packed

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
    "versions": {"synparse": "9.8.7"},
}
OF_TREES = {**PROVENANCE, "corpus": {**PROVENANCE["corpus"], "heads": 234567, "splits": 0}}

FACTS = """\
| corpus | a.txt, b.txt |
| corpus SHA-256 | `0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f` |
| sentences, words | 12,345, 234,567 (and 250 sentences held out) |
| vocabulary | 9,876 words |
| trained | 4,321 updates, 7,654,321 words seen, 1.5 minutes on cpu, seed 7 |
"""


def described(recipe, packed=None, provenance=PROVENANCE):
    return ModelDescription(load_recipe(recipe), provenance, packed)


def test_the_card_of_a_model():
    card = model_card("mine", described("udgn-small"))
    assert card.startswith(
        "# mine\n\n"
        "A udgn parser (recipe `udgn-small`), induced from raw text without seeing a tree, by synparse 9.8.7.\n"
        "\n| | |\n|---|---|\n" + FACTS + "| held-out perplexity | 65.4 (masked) |\n\n"
    )
    assert (
        "\nWithout options, `parse` uses punctuation cues and gives function words no dependents\n"
        "(`--punctuation evidence --function-words leaves`).\n" in card
    )
    assert "    synparse parse gold.conllu --model mine --format conllu --output pred.conllu\n" in card
    assert "    synparse eval pred.conllu gold.conllu\n" in card
    assert card.endswith("have numbers, not names.\n")


def test_a_card_says_how_a_model_of_a_paper_parses():
    assert (
        "\nWithout options, `parse` uses no punctuation cues and lets function words be heads\n"
        "(`--punctuation ignore --function-words free`).\n" in model_card("mine", described("udgn-ptb"))
    )


def test_the_card_of_a_model_without_heads_scores_brackets():
    card = model_card("mine", described("on-lstm-small"))
    assert "    synparse parse gold.brackets --model mine --format brackets --output pred.brackets\n" in card
    assert "| held-out perplexity | 65.4 (next-word) |" in card


def test_the_card_of_a_student_says_what_it_learned_from(tiny_student_recipe):
    card = model_card("mine", described(str(tiny_student_recipe), provenance=OF_TREES))
    assert "trained on trees" in card
    assert "without seeing a tree" not in card
    assert "| trees | heads of 234,567 words, and constituents around 0 gaps between words |" in card


def test_the_card_of_a_member_names_its_bytes():
    card = member_card("udgn-1", described("udgn-small", Packed("int8")))
    assert card == (
        "# udgn-1\n\nA udgn parser (recipe `udgn-small`), packed for parsing alone (int8): one of the models\n"
        "of the directory above, whose card describes it.\n"
    )


@pytest.fixture
def both():
    bundle = Bundle(("on-lstm",), ("udgn",), punctuation="evidence", function_words="leaves")
    packed = Packed("int8")
    return bundle, {"on-lstm": described("on-lstm-small", packed), "udgn": described("udgn-small", packed)}


def test_the_card_of_several_models(both):
    card = bundle_card("english", *both, size=12_345_678, changes=Changes(1000, 7, 3))
    assert card.startswith(
        "# english\n\nBrackets and heads, by synparse 9.8.7. Induced from raw text: no model here has seen a tree. "
        "12.3 MB, packed for parsing alone (int8).\n"
    )
    assert "\n|  | on-lstm | udgn |\n|---|---|---|\n| gives | brackets | heads |\n| model | on-lstm | udgn |\n" in card
    assert "\n| recipe | `on-lstm-small` | `udgn-small` |\n" in card
    assert "\n| vocabulary | 9,876 words | 9,876 words |\n" in card
    assert "\nOf 1,000 sentences, packing gave 7 other brackets and 3 other heads.\n" in card
    assert "    synparse train a.txt b.txt --recipe on-lstm-small --seed 7 --output on-lstm\n" in card
    assert (
        "    synparse pack --brackets on-lstm --heads udgn --punctuation evidence --function-words leaves "
        "--storage int8 --output english\n"
    ) in card


def test_what_was_not_checked_is_said(both):
    assert "\nWhether packing changed trees has not been checked.\n" in bundle_card("english", *both, 10, None)


def test_settings_that_differ_from_the_recipe_are_named():
    recipe = load_recipe("udgn-small", ["training.mask_rate=0.4", "text.lowercase=false"])
    descriptions = {"udgn": ModelDescription(recipe, PROVENANCE, Packed("float16"))}
    card = bundle_card("english", Bundle((), ("udgn",)), descriptions, 10, None)
    assert card.startswith("# english\n\nHeads, by")
    changes = {"training.mask_rate=0.4", "text.lowercase=false"}
    [row] = [line for line in card.splitlines() if line.startswith("| recipe |")]
    assert {change for change in changes if f"`{change}`" in row} == changes
    [command] = [line for line in card.splitlines() if "synparse train" in line]
    assert all(f" --set {change}" in command for change in changes)


def test_the_fraction_of_changes_is_that_of_the_trees_that_change_more():
    assert Changes(200, 7, 3).fraction == Changes(200, 3, 7).fraction == 0.035
    assert Changes(0, 0, 0).fraction == 0.0


def test_a_tuned_model_s_card_says_what_it_was_tuned_on():
    tuning = {
        **{"model": "udgn-1", "recipe": "similarity-small", "training": {"freeze_parser": True}},
        **{"data": ["train.tsv"], "pairs": 5749, "held_out_pairs": 1500, "steps": 900, "seconds": 90.0},
        **{"device": "cpu", "seed": 3, "held_out_spearman": 0.61234, "versions": {"synparse": "0.2"}},
    }
    card = tuned_card("udgn-1-sts", ModelDescription(load_recipe("udgn-small"), {"tuning": tuning}))
    assert "| tuned from | udgn-1 |" in card
    assert "| pairs | train.tsv: 5,749 (and 1,500 held out) |" in card
    assert "900 updates, 1.5 minutes on cpu, seed 3; the parser was frozen" in card
    assert "| held-out Spearman | 0.61234 |" in card
