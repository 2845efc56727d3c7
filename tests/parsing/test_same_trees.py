"""Shipped models, alone and together, give the trees that they gave before, by every decoder and in every way to treat
punctuation and function words. What they gave is in same-trees.json, which `python -m tests.parsing.test_same_trees`
writes again; a change of it needs a reason, and scores before and after."""

import json
from pathlib import Path

import pytest

from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.trees.constituency import format_brackets
from synparse.trees.function_words import FUNCTION_WORDS

KNOWN = Path(__file__).with_name("same-trees.json")

SENTENCES = {
    "english": [
        "The old dog , which saw the cat , barked at the children in the garden .",
        "She did not say ( or write ) that 12 people had been there .",
        "Go !",
    ],
    "german": ["Der alte Hund , der die Katze sah , bellte im Garten .", "Sie hat das nicht gesagt ."],
    "french": ["Le vieux chien , qui a vu le chat , dort dans le jardin .", "Elle ne le sait pas ."],
    "spanish": ["El perro viejo , que vio al gato , duerme en el jardín .", "No lo sabe ."],
    "portuguese": ["O cão velho , que viu o gato , dorme no jardim .", "Ela não sabe isso ."],
    "italian": ["Il vecchio cane , che ha visto il gatto , dorme nel giardino .", "Non lo sa ."],
    "japanese": ["犬 は 庭 で 猫 を 見 た 。", "彼女 は 、 それ を 知ら ない 。"],
    "yoruba": ["Ajá náà rí ológbò nínú ọgbà , ó sì sùn .", "Kò mọ̀ ọ́n ."],
}
ENSEMBLES = [["english", "german"], ["english", "right-branching"], ["german", "spanish", "chain"]]
PAIRS = [("ignore", "free"), ("evidence", "leaves"), ("evidence", "adpositions")]
"""Punctuation and function words as make test parses in all languages; in English, and in make test-all, are all."""


def ways():
    """The models of each way to parse, and its options."""
    for models in [*([name] for name in SENTENCES), *ENSEMBLES]:
        for punctuation in ("ignore", "evidence"):
            for function_words in FUNCTION_WORDS:
                yield models, {"punctuation": punctuation, "function_words": function_words}
    yield ["english"], {"without": ("grammars",)}
    yield ["german"], {"without": ("class-grammars", "base-phrases")}


def trees(models, options):
    """The trees of the sentences in the first model's language: brackets by each decoder, heads by each."""
    parser = Parser.load(models, device="cpu", **options)
    sentences = [line.split() for line in SENTENCES[models[0]]]
    requests = {f"brackets {name}": Request(name, None) for name in parser.tree_decoders}
    requests |= {f"heads {name}": Request(parser.tree_decoders[0], name) for name in parser.head_decoders}
    return {name: [written(parse) for parse in parser.stream(sentences, request)] for name, request in requests.items()}


def written(parse):
    if parse.heads is not None:
        return " ".join(map(str, parse.heads))
    return format_brackets(parse.tree)


def name_of(models, options):
    values = (value if isinstance(value, str) else "without " + " ".join(value) for value in options.values())
    return f"{' + '.join(models)}: {', '.join(values)}"


def way_of_test(models, options):
    is_short = models == ["english"] or "without" in options or tuple(options.values()) in PAIRS
    return pytest.param(models, options, id=name_of(models, options), marks=[] if is_short else pytest.mark.long)


@pytest.mark.parametrize(("models", "options"), [way_of_test(*way) for way in ways()])
def test_trees_are_those_of_before(models, options):
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    assert trees(models, options) == known[name_of(models, options)]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_model_and_its_own_pair_give_the_same_trees(name):
    options = {"punctuation": "evidence"}
    alone, pair = trees([name], options), trees([name, name], options)
    assert {key: pair[key] for key in alone if key in pair} == {key: alone[key] for key in alone if key in pair}


if __name__ == "__main__":
    text = json.dumps({name_of(*way): trees(*way) for way in ways()}, indent=1, ensure_ascii=False)
    KNOWN.write_text(text + "\n", encoding="utf-8")
