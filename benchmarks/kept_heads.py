"""What the heads that are given tell of the others: writes benchmarks/kept_heads.tsv.

    python -m benchmarks.kept_heads english:gum/dev.conllu german:languages/de/dev.conllu.gz

Of the words of each treebank a fraction has its gold head (`synparse parse --keep heads`): words drawn at random, or
those whose heads are the least probable without any. Scored are the heads of all other words, beside the same words
where nothing is given. Punctuation is neither given nor scored.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import conllu

from benchmarks.quality.gold import DATA, conllu_sentences
from benchmarks.quality.table import dated, write_table
from synparse.files.tables import Row
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.trees.conllu import ConlluSentence, format_conllu
from synparse.trees.punctuation import heads_of_kept
from synparse.trees.scored_words import kept_words

TABLE = Path(__file__).with_suffix(".tsv")
COLUMNS = ("model", "treebank", "given", "which", "words", "UAS without", "UAS with", "date", "commit")
FRACTIONS = (0.1, 0.25, 0.5, 0.75)
RANDOM, LEAST_CERTAIN = "at random", "the least certain"
SENTENCES, LONGEST = 800, 60


def chosen_words(parses: Sequence[Parse], scored: Sequence[Sequence[bool]], which: str) -> list[tuple[int, int]]:
    """The words of all sentences that are scored, in the order in which their heads are given."""
    words = [(row, word) for row, of_row in enumerate(scored) for word, is_scored in enumerate(of_row) if is_scored]
    if which == RANDOM:
        random.Random(1).shuffle(words)
        return words
    return sorted(words, key=lambda place: (parses[place[0]].head_probabilities or ())[place[1]] or 0.0)


def with_heads_of(sentence: ConlluSentence, given: set[int]) -> conllu.TokenList:
    """The words of a sentence, and the gold heads of some."""
    heads = [head if word in given else 0 for word, head in enumerate(sentence.heads)]
    [tokens] = conllu.parse(format_conllu(sentence.words, heads))
    for word, token in enumerate(tokens):
        if word not in given:
            token["head"] = None
    return tokens


def rows_of(parser: Parser, sentences: Sequence[ConlluSentence], which: str) -> list[tuple[str, int, float, float]]:
    """Of each fraction, the words that are not given, and their UAS without the others and with them."""
    scored = [
        kept_words(sentence.words, sentence.upos, sentence.xpos, relations=sentence.relations) for sentence in sentences
    ]
    alone = parser.parse([sentence.words for sentence in sentences], confidence="raw")
    words = chosen_words(alone, scored, which)
    plain = right_words(alone, sentences, scored)
    rows = [("0 %", len(words), uas(plain, words), uas(plain, words))]
    for fraction in FRACTIONS:
        count = round(fraction * len(words))
        given: list[set[int]] = [set() for _ in sentences]
        for row, word in words[:count]:
            given[row].add(word)
        drafts = [with_heads_of(*pair) for pair in zip(sentences, given, strict=True)]
        right = right_words(parser.parse(drafts, keep=("heads",)), sentences, scored)
        rows.append((f"{100 * fraction:g} %", len(words) - count, uas(plain, words[count:]), uas(right, words[count:])))
    return rows


def right_words(
    parses: Sequence[Parse], sentences: Sequence[ConlluSentence], scored: Sequence[Sequence[bool]]
) -> set[tuple[int, int]]:
    """The words, by sentence and position, whose heads are right."""
    right = set()
    for row, (parse, sentence, of_row) in enumerate(zip(parses, sentences, scored, strict=True)):
        ours, gold = heads_of_kept(parse.heads or (), of_row), heads_of_kept(sentence.heads, of_row)
        places = [word for word, is_scored in enumerate(of_row) if is_scored]
        right |= {(row, word) for word, head, other in zip(places, ours, gold, strict=True) if head == other}
    return right


def uas(right: set[tuple[int, int]], words: Sequence[tuple[int, int]]) -> float:
    return 100 * sum(word in right for word in words) / len(words)


def main() -> None:
    made, table = dated(), list[Row]()
    for model, _, path in (argument.partition(":") for argument in sys.argv[1:]):
        parser = Parser.load(model, device="cpu")
        gold = [sentence for sentence in conllu_sentences(DATA / path) if 1 < len(sentence.words) <= LONGEST]
        for which in (RANDOM, LEAST_CERTAIN):
            for given, words, without, with_given in rows_of(parser, gold[:SENTENCES], which):
                cells = (Path(model).name, path, given, which, str(words), f"{without:.1f}", f"{with_given:.1f}")
                table.append({**dict(zip(COLUMNS, cells, strict=False)), **made})
                print(*table[-1].values(), sep="\t", file=sys.stderr)
    write_table(TABLE, table, COLUMNS)


if __name__ == "__main__":
    main()
