"""Output formats of parses: CoNLL-U, brackets and JSON.

Everything that a parse has is written: labels of constituents, word classes as tags (which replace those of the input),
relations, and probabilities.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from synparse.corpora.sentences import Sentence
from synparse.parsing.drafts import filled, is_checked, with_tags_of
from synparse.parsing.parse import ASSUMPTIONS, CHECKED, Parse, RankedTree, conllu_of, measures_of, with_parse
from synparse.parsing.windows import Numbering
from synparse.trees.conllu import GLOBAL_COLUMNS, UNKNOWN, offsets_of
from synparse.trees.constituency import INDUCED_LABEL, format_brackets
from synparse.trees.printable import one_line

_PARAGRAPH = "newpar"

_SENT_ID = re.compile(r'(# sent_id = |\{"sent_id": ")[0-9]*')
"""Begins the line that has the number of a sentence, in CoNLL-U and in JSON."""


def with_assumptions(texts: Generator[str], assumptions: Iterable[str]) -> Generator[str]:
    """The text of a document in CoNLL-U, with this comment before its first sentence."""
    with contextlib.closing(texts):
        for text in texts:
            if sentences := text.lstrip():
                first, line_end, _ = sentences.partition("\n")
                ending = "\r\n" if first.endswith("\r") else "\n"
                comment = f"# {ASSUMPTIONS} = {one_line(', '.join(assumptions))}{ending}"
                first = first + line_end if first.startswith(f"# {GLOBAL_COLUMNS}") else ""
                yield f"{text.removesuffix(sentences)}{first}{comment}{sentences.removeprefix(first)}"
                break
            yield text
        yield from texts


def renumbered(lines: Iterable[str], before: Numbering, are_new: Iterable[bool]) -> Iterator[str]:
    """New CoNLL-U or JSON whose numbering began afresh, as it is after ``before``. are_new: of each sentence with
    tokens, in order, whether its number is of this numbering, and not the one that it came with."""
    number, are_new = before.number, iter(are_new)
    for position, line in enumerate(lines):
        begins_paragraph = not position and before.new_paragraph and line.startswith("#")
        if begins_paragraph and line != f"# {_PARAGRAPH}\n":
            yield f"# {_PARAGRAPH}\n"
        begin = _SENT_ID.match(line)
        if begin:
            number += 1
            if next(are_new):
                line = f"{begin[1]}{number}{line[begin.end() :]}"
        yield line


def _as_conllu(pairs: Iterable[tuple[Sentence, Parse]], before: Numbering) -> Iterator[str]:
    """CoNLL-U keeps all but columns 7 and 8, parts of speech that it lacks and the model has learned, what is asked for
    (word classes in 5, and no tag in 4, attributes in 10) and what was said of earlier heads; all else becomes
    new sentences, with ``# newpar`` after blank lines, its tags, and multiword tokens where these are known."""
    for sentence, parse in pairs:
        after = before.after(sentence)
        if sentence.conllu is not None:
            yield "".join(with_parse(sentence.conllu, parse).lines)
        elif parse.tokens:
            comments = [
                *[_PARAGRAPH] * bool(before.new_paragraph),
                f"sent_id = {one_line(sentence.sent_id) or after.number}",
                *[f"{CHECKED} = yes"] * _stays_checked(replace(sentence, tree=None), parse),  # constituents do not show
            ]
            yield conllu_of(with_tags_of(parse, sentence), comments)
        before = after


def _as_brackets(pairs: Iterable[tuple[Sentence, Parse]], _: Numbering) -> Iterator[str]:
    for sentence, parse in pairs:
        if not parse.tokens:
            yield "" if sentence.conllu is not None else "\n"
            continue
        tree = with_tags_of(parse, sentence).tree
        assert tree is not None
        yield format_brackets(tree) + "\n"


def _as_json(pairs: Iterable[tuple[Sentence, Parse]], before: Numbering) -> Iterator[str]:
    """One object a line. Sentences keep the ``sent_id`` and text that comments of CoNLL-U have, null where there are
    none, and the ``sent_id`` and unknown keys of JSON; others are numbered, but for blank lines. Where the text is not
    the tokens with blanks between, there are offsets of the tokens in it. Distances and heights belong to the tokens
    that were read, left to right; what the model does not have is null. Labels of constituents, tags and relations of
    tokens, probabilities and the best trees are there if they are asked for or came with the sentence."""
    for sentence, parse in pairs:
        before = before.after(sentence)
        own = sentence.conllu
        parse = replace(parse, surface=sentence.surface if own is None else own.surface)
        if own is not None and not parse.tokens:
            continue
        words = " ".join(parse.tokens)
        text: str | None = parse.text
        if own is not None:
            text = own.comment("text") or (None if text == words else text)
        number = sentence.sent_id or str(before.number) if parse.tokens else None
        given_tags = filled(sentence.upos, None) or filled(sentence.tags, None)
        value: dict[str, Any] = {
            "sent_id": number if own is None else own.comment("sent_id") or None,
            "text": text,
            "tokens": parse.tokens,
            "constituents": None if parse.tree is None else [(start, end) for _, start, end in parse.tree.constituents],
            "heads": parse.heads,
            "read": parse.read,
            "distances": _rounded(parse.distances),
            "heights": _rounded(parse.heights),
        }
        if text is not None and text != words and (offsets := offsets_of(parse.surface, text)):
            value["offsets"] = offsets
        if parse.is_labelled and parse.tree is not None:
            value["labels"] = [label for label, _, _ in parse.tree.constituents]
        wanted = {
            "tags": filled(given_tags, parse.upos) if parse.tags is None else parse.tags,
            "relations": parse.relations,
            "span_probabilities": _rounded(parse.span_probabilities),
            "head_probabilities": _rounded(parse.head_probabilities),
            "head_distributions": parse.head_distributions and list(map(_rounded, parse.head_distributions)),
            "uncertain": parse.uncertain,
            "n_best": None if parse.best is None else list(map(_ranked_as_json, parse.best)),
        }
        value |= {name: part for name, part in wanted.items() if part is not None} | measures_of(parse)
        value |= {key: other for key, other in sentence.others.items() if key != CHECKED or _is_kept(sentence, parse)}
        value |= {CHECKED: True} if _stays_checked(sentence, parse) else {}
        yield json.dumps(value, ensure_ascii=False) + "\n"


def _stays_checked(sentence: Sentence, parse: Parse) -> bool:
    """Whether a sentence is marked as checked, and the parse has all of the tree that came with it and fills in no
    head: nobody has checked that one."""
    if not is_checked(sentence):
        return False
    if sentence.conllu is None:
        return _is_kept(sentence, parse)
    return parse.heads is not None and with_parse(sentence.conllu, parse).comment(CHECKED) == "yes"


def _is_kept(sentence: Sentence, parse: Parse) -> bool:
    """Whether a parse has all heads, relations, constituents and their labels that came with a sentence of JSON, where
    no head was open. Nobody has seen a tree where none came."""
    if sentence.tree is None and sentence.heads is None:
        return False
    old, new = (tree.constituents if tree is not None else () for tree in (sentence.tree, parse.tree))
    constituents = {*new, *(constituent._replace(label=INDUCED_LABEL) for constituent in new)}
    nothing = (None,) * len(parse.tokens)
    relations = zip(sentence.relations or nothing, parse.relations or nothing, strict=True)
    return (
        constituents.issuperset(old)
        and sentence.heads in (None, parse.heads)
        and all(given in (None, "", UNKNOWN, found) for given, found in relations)
    )


def _ranked_as_json(ranked: RankedTree) -> dict[str, Any]:
    constituents = [(start, end) for _, start, end in ranked.tree.constituents]
    return {"constituents": constituents, "heads": ranked.heads, "score": round(ranked.score, 4)}


def _rounded(values: Iterable[float | None] | None) -> list[float | None] | None:
    return None if values is None else [None if value is None else round(value, 4) for value in values]


FORMATS: dict[str, Callable[[Iterable[tuple[Sentence, Parse]], Numbering], Iterator[str]]] = {
    "conllu": _as_conllu,
    "brackets": _as_brackets,
    "json": _as_json,
}
"""Functions from sentences beside their parses, and the numbering before the first, to the text of each sentence."""
