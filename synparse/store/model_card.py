"""The card of a model: what it is, what it was trained on, what it scores, and how to use it."""

from __future__ import annotations

from synparse.store.model_directory import ModelDescription, traits_of

_CARD = """# {name}

A {model} parser (recipe `{recipe}`), {learned} by synparse {version}. {seen_trees}

| | |
|---|---|
| corpus | {files} |
| corpus SHA-256 | `{sha256}` |
| sentences, words | {sentences:,}, {words:,} (and {held_out:,} sentences held out) |
{given}| vocabulary | {vocabulary:,} words |
| trained | {steps:,} updates, {seen:,} words seen, {minutes:.1f} minutes on {device}, seed {seed} |
| held-out {objective} perplexity | {perplexity} |

The perplexity is of the {predicted} of the held-out sentences; the model kept is the one in
which it was lowest. Trees have not been scored here. To score them on a treebank:

    synparse parse {gold} --model {name} --format {format} --output {prediction}
    synparse eval {prediction} {gold}

Constituents have no categories and dependencies no relations: induction finds structure, not names.
"""

_INDUCED = {"learned": "induced from raw text", "seen_trees": "It has seen no tree."}
_TAUGHT = {"learned": "trained on trees", "seen_trees": "It knows no more than whoever made the trees of its corpus."}
_GIVEN = "| trees | heads of {heads:,} words, and constituents around {splits:,} gaps between words |\n"


def model_card(name: str, description: ModelDescription) -> str:
    """The card as Markdown."""
    recipe, provenance = description.recipe, description.provenance
    corpus = provenance["corpus"]
    traits = traits_of(description)
    return _CARD.format(
        name=name,
        gold="gold.conllu" if traits.gives_heads else "gold.brackets",
        prediction="pred.conllu" if traits.gives_heads else "pred.brackets",
        format="conllu" if traits.gives_heads else "brackets",
        model=recipe.model,
        recipe=recipe.name,
        version=provenance["versions"]["synparse"],
        files=", ".join(corpus["files"]),
        sha256=corpus["sha256"],
        sentences=corpus["training_sentences"],
        words=corpus["training_words"],
        held_out=corpus["held_out_sentences"],
        given=_GIVEN.format_map(corpus) if recipe.training.objective == "tree" else "",
        vocabulary=provenance["vocabulary_words"],
        steps=provenance["steps"],
        seen=provenance["words_seen"],
        minutes=provenance["seconds"] / 60,
        device=provenance["device"],
        seed=provenance["seed"],
        perplexity=provenance["held_out_perplexity"],
        objective=recipe.training.objective,
        predicted=recipe.training.predicted,
        **(_TAUGHT if recipe.training.objective == "tree" else _INDUCED),
    )
