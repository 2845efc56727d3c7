"""English-like sentences with their trees, from the grammar beside this file.

    python data/generate.py --seed 1 --sentences 20000 --text data/sample/train.txt
    python data/generate.py --seed 2 --sentences 1000 --without data/sample/train.txt --text data/sample/gold.txt \\
        --brackets data/sample/gold.brackets --conllu data/sample/gold.conllu

One derivation gives the words, the labelled constituents and, because each rule marks its head, the dependencies. The
same seed gives the same sentences on every machine.
"""

from __future__ import annotations

import argparse
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml

from synparse.trees.constituency import ConstituencyTree, Constituent, format_brackets
from synparse.trees.dependency import DependencyTree

GRAMMAR = Path(__file__).with_name("grammar.yaml")
LONGEST = 40
LEAST_SEEN = 5  # how often each word of a held-out sentence must occur in the training text, in lower case
NUMBERS = ("sg", "pl")
CLASSES = ("person", "animal", "food", "thing", "place", "event", "time", "material")
VARIABLES = {**dict.fromkeys("nmk", NUMBERS), "f": (*NUMBERS, "base", "ing", "part"), **dict.fromkeys("cdo", CLASSES)}
DRAWN_CLASSES = CLASSES[:6]  # times and materials only occur if a rule names them
VERBS = {
    "VI": "intransitive",
    "VT": "transitive",
    "VD": "ditransitive",
    "VC": "clausal",
    "VS": "speech",
    "VW": "wishing",
}
FORMS = {"base": (0, "VB"), "sg": (1, "VBZ"), "ing": (3, "VBG"), "part": (4, "VBN")}
UPOS = {
    **dict.fromkeys(["NN", "NNS"], "NOUN"),
    **dict.fromkeys(["VB", "VBZ", "VBP", "VBD", "VBG", "VBN"], "VERB"),
    **dict.fromkeys([".", ","], "PUNCT"),
    **dict.fromkeys(["POS", "TO"], "PART"),
    **dict.fromkeys(["PRP", "PRP$", "WP", "WDT"], "PRON"),
    **{"DT": "DET", "NNP": "PROPN", "MD": "AUX", "CC": "CCONJ", "CD": "NUM", "JJ": "ADJ", "RB": "ADV", "IN": "ADP"},
}


class Child(NamedTuple):
    """One symbol on the right side of a rule; ``word`` if it is a word."""

    label: str
    arguments: tuple[str, ...]
    relation: str
    is_head: bool
    word: str | None


class Rule(NamedTuple):
    weight: float
    arguments: tuple[str, ...]
    children: tuple[Child, ...]
    grows: bool


class Example(NamedTuple):
    """A sentence with both of its trees."""

    constituency: ConstituencyTree
    dependencies: DependencyTree


@dataclass
class _Derivation:
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    constituents: list[Constituent] = field(default_factory=list)
    heads: dict[int, int] = field(default_factory=dict)
    relations: dict[int, str] = field(default_factory=dict)


class Grammar:
    """The rules and words of grammar.yaml. Raises ValueError for a line that is not a rule."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.start: str = values["start"]
        self.damping: float = values["damping"]
        self.numbers: Mapping[str, float] = values["numbers"]
        self.values = values
        self.rules: dict[str, list[Rule]] = {}
        lines = [_rule_parts(line) for line in values["rules"]]
        labels = {label for _, label, _, _ in lines}
        for weight, label, arguments, right in lines:
            children = tuple(_child(match) for match in _CHILD.finditer(right))
            grows = any(child.label in ("S", "SBAR", "NP", "VP") and child.label in labels for child in children)
            grows = grows and label in ("NP", "VP", "SBAR", "S") and not _is_core(label, children)
            self.rules.setdefault(label, []).append(Rule(float(weight), _split(arguments), children, grows))

    def sentences(self, seed: int) -> Iterator[Example]:
        """An endless stream of random sentences, perhaps repeated, of at most `LONGEST` words."""
        source = Random(seed)
        while True:
            derivation = _Derivation()
            self._expand(derivation, source, self.start, (), 0)
            if len(derivation.words) <= LONGEST:
                yield _example(derivation)

    def _expand(
        self, derivation: _Derivation, source: Random, label: str, arguments: tuple[str, ...], depth: int
    ) -> int:
        """Append one constituent (or word); returns the position of its head word, from 0."""
        if label not in self.rules:
            derivation.words.append(self._word(source, label, arguments, derivation.tags))
            return len(derivation.words) - 1
        unified = [(rule, _unified(rule.arguments, arguments)) for rule in self.rules[label]]
        fitting = [(rule, bound) for rule, bound in unified if bound is not None and self._bindings(rule, bound)]
        if not fitting:
            raise ValueError(f"no rule makes {label}({','.join(arguments)})")
        weights = [rule.weight * (self.damping**depth if rule.grows else 1.0) for rule, _ in fitting]
        rule, bound = fitting[_draw(source, weights)]
        bindings = self._bindings(rule, bound)
        bound = bindings[_draw(source, [self._number_weight(binding) for binding in bindings])]
        start, index = len(derivation.words), len(derivation.constituents)
        derivation.constituents.append(Constituent(label, start, start))
        heads = []
        for child in rule.children:
            if child.word is not None:
                derivation.words.append(child.word)
                derivation.tags.append(child.label)
                heads.append(len(derivation.words) - 1)
            else:
                values = tuple(bound.get(argument, argument) for argument in child.arguments)
                heads.append(self._expand(derivation, source, child.label, values, depth + 1))
        head = next(position for child, position in zip(rule.children, heads, strict=True) if child.is_head)
        for child, dependent in zip(rule.children, heads, strict=True):
            if not child.is_head:
                derivation.heads[dependent] = head
                derivation.relations[dependent] = child.relation
        derivation.constituents[index] = Constituent(label, start, len(derivation.words))
        return head

    def _bindings(self, rule: Rule, bound: Mapping[str, str]) -> list[dict[str, str]]:
        """All bindings of the variables that are not on the left side for which every word exists."""
        used = dict.fromkeys(a for child in rule.children for a in child.arguments if len(a) == 1 and a not in bound)
        choices = [DRAWN_CLASSES if VARIABLES[name] is CLASSES else VARIABLES[name] for name in used]
        found = []
        for values in itertools.product(*choices):
            binding = {**bound, **dict(zip(used, values, strict=True))}
            if all(
                self._verbs(child.label, [binding.get(a, a) for a in child.arguments])
                for child in rule.children
                if child.label in VERBS and child.word is None
            ):
                found.append(binding)
        return found

    def _number_weight(self, binding: Mapping[str, str]) -> float:
        weight = 1.0
        for name, value in binding.items():
            weight *= self.numbers[value] if name in "nmk" else 1.0
        return weight

    def _verbs(self, label: str, arguments: Sequence[str]) -> list[str]:
        """The verbs of a label that take this subject and, for VT, this object."""
        verbs = self.values[VERBS[label]]
        if label == "VT":
            return list(verbs.get(arguments[1], {}).get(arguments[2], ()))
        return list(verbs[arguments[1]] if label == "VI" else verbs)

    def _word(self, source: Random, label: str, arguments: tuple[str, ...], tags: list[str]) -> str:
        """A random word for a label without rules; its tag is appended."""
        if label in VERBS:
            verb = _zipf(source, self._verbs(label, arguments))
            form, tag = FORMS.get(arguments[0], (0, "VBP"))
            tags.append(tag)
            return verb_forms(verb)[form]
        if label == "NN":
            number, kind = arguments
            tags.append("NNS" if number == "pl" else "NN")
            singular, _, plural = _zipf(source, self.values["nouns"][kind]).partition("/")
            return (plural or _with_s(singular)) if number == "pl" else singular
        if label == "JJ":
            tags.append("JJ")
            return _zipf(source, self.values["adjectives"][arguments[0]])
        entry = self.values["closed"][label]
        word, _, tag = _zipf(source, entry[arguments[0]] if arguments else entry["any"]).partition("/")
        tags.append(tag or entry["tag"])
        return word


_RULE = re.compile(r"(\d+) (\w+)(?:\(([\w,]*)\))? -> (.+)")
_CHILD = re.compile(r'(\*?)(?:"([^"]+)"/([^\s]+?)|(\w+?))(?:\.([a-z]+))?(?:\(([\w,]*)\))?(?:\s|$)')
_VOWEL = tuple("aeiou")


def _rule_parts(line: str) -> tuple[str, ...]:
    """Weight, label, arguments and right side of a rule."""
    match = _RULE.fullmatch(line)
    if not match:
        raise ValueError(f"not a rule, WEIGHT LEFT -> CHILDREN: {line}")
    return match.groups(default="")


def _child(match: re.Match[str]) -> Child:
    star, word, tag, label, relation, arguments = match.groups()
    is_mark = word is not None and tag in (".", ",")
    return Child(tag or label, _split(arguments), relation or ("punct" if is_mark else "dep"), bool(star), word)


def _split(arguments: str | None) -> tuple[str, ...]:
    return tuple(arguments.split(",")) if arguments else ()


def _is_core(label: str, children: Sequence[Child]) -> bool:
    """Whether a rule is the basic rule of its constituent (S from NP and VP, VP from a verb and its object)."""
    if label == "VP":
        return any(child.is_head and child.label in ("VI", "VT", "ADJP") for child in children)
    return label in ("S", "SBAR") and len(children) == 2


def _unified(pattern: tuple[str, ...], arguments: tuple[str, ...]) -> dict[str, str] | None:
    """Bindings of a left side's variables; None if it does not match."""
    if len(pattern) != len(arguments):
        return None
    bound: dict[str, str] = {}
    for wanted, given in zip(pattern, arguments, strict=True):
        if len(wanted) > 1 and wanted != given:
            return None
        if len(wanted) == 1 and given not in VARIABLES[wanted]:
            return None
        if len(wanted) == 1:
            bound[wanted] = given
    return bound


def _draw(source: Random, weights: Sequence[float]) -> int:
    """An index, with probability proportional to its weight.

    Uses random() alone, whose sequence never changes, and fsum, because sum() rounds otherwise from Python 3.12 on.
    """
    left = source.random() * math.fsum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    return len(weights) - 1


def _zipf(source: Random, words: Sequence[str]) -> str:
    return words[_draw(source, [1.0 / rank for rank in range(1, len(words) + 1)])]


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in _VOWEL:
        return word[:-1] + "ies"
    return word + "s"


def verb_forms(verb: str) -> tuple[str, ...]:
    """Base, third person, past, -ing form and participle of a verb as written in the grammar."""
    if "/" in verb:
        return tuple(verb.split("/"))
    stem = verb[:-1] if verb.endswith("e") else verb
    if verb.endswith("y") and verb[-2] not in _VOWEL:
        past = verb[:-1] + "ied"
    elif re.search(r"[^aeiou][aeiou][bgmnpt]$", verb) and len(verb) < 5:
        stem, past = verb + verb[-1], verb + verb[-1] + "ed"
    else:
        past = stem + "ed"
    return verb, _with_s(verb), past, stem + "ing", past


def _example(derivation: _Derivation) -> Example:
    words = list(derivation.words)
    for position, word in enumerate(words[:-1]):
        if word == "a" and words[position + 1].startswith(_VOWEL):
            words[position] = "an"
    words[0] = words[0][0].upper() + words[0][1:]
    count = len(words)
    heads = tuple(derivation.heads.get(position, -1) + 1 for position in range(count))
    relations = tuple(derivation.relations.get(position, "root") for position in range(count))
    tree = ConstituencyTree(tuple(words), tuple(derivation.tags), tuple(derivation.constituents))
    return Example(tree, DependencyTree(tuple(words), heads, relations))


def format_example(example: Example, number: int) -> str:
    """CoNLL-U with both kinds of tags."""
    lines = [f"# sent_id = {number}", f"# text = {' '.join(example.constituency.words)}"]
    heads, relations = example.dependencies.heads, example.dependencies.relations or ()
    rows = zip(example.constituency.words, example.constituency.tags, heads, relations, strict=True)
    for position, (word, tag, head, relation) in enumerate(rows, 1):
        upos = "AUX" if relation in ("aux", "cop") else "SCONJ" if relation == "mark" and tag == "IN" else UPOS[tag]
        lines.append(f"{position}\t{word}\t_\t{upos}\t{tag}\t_\t{head}\t{relation}\t_\t_")
    return "\n".join([*lines, "", ""])


def held_out(examples: Iterable[Example], training: Sequence[str]) -> Iterator[Example]:
    """The examples that are not in the training text, but whose words are, at least `LEAST_SEEN` times each."""
    known = set(training)
    counts = Counter(word.lower() for sentence in training for word in sentence.split())
    for example in examples:
        words = example.constituency.words
        if " ".join(words) not in known and all(counts[word.lower()] >= LEAST_SEEN for word in words):
            yield example


def load_grammar() -> Grammar:
    return Grammar(yaml.safe_load(GRAMMAR.read_text(encoding="utf-8")))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, required=True)
    options.add_argument("--sentences", type=int, required=True)
    options.add_argument("--without", type=Path, help="training text: leave out its sentences, and words rare in it")
    for name in ("text", "brackets", "conllu"):
        options.add_argument(f"--{name}", type=Path, help=f"{name} file to write")
    chosen = options.parse_args()
    stream = load_grammar().sentences(chosen.seed)
    if chosen.without:
        stream = held_out(stream, chosen.without.read_text(encoding="utf-8").splitlines())
    examples = list(itertools.islice(stream, chosen.sentences))
    if chosen.text:
        chosen.text.write_text("".join(" ".join(one.constituency.words) + "\n" for one in examples), encoding="utf-8")
    if chosen.brackets:
        chosen.brackets.write_text("".join(format_brackets(one.constituency) + "\n" for one in examples), "utf-8")
    if chosen.conllu:
        chosen.conllu.write_text("".join(format_example(one, k) for k, one in enumerate(examples, 1)), "utf-8")


if __name__ == "__main__":
    main()
