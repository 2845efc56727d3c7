"""``synparse parse``: sentences → trees."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from synparse.cli.choices import one_of
from synparse.devices import PRECISIONS
from synparse.files import STANDARD_STREAM, write_whole
from synparse.inducers import TRAITS

if TYPE_CHECKING:
    from synparse.corpora.sentences import Sentence
    from synparse.parser import Parse, Parser

OUTPUT_FORMATS = ("conllu", "brackets", "json")


def parse(
    input: Annotated[
        str, typer.Argument(help="Text (a sentence a line), CoNLL-U or bracketed file; - is stdin.")
    ] = "-",
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", help="Model directory; or right-branching, left-branching, balanced, random, chain."
        ),
    ] = "model",
    format: Annotated[
        str, typer.Option("--format", "-f", help="conllu, brackets or json.", autocompletion=lambda: OUTPUT_FORMATS)
    ] = "conllu",
    decode: Annotated[
        list[str] | None,
        typer.Option(
            help="Heads: mst (default), argmax, projective (default of UDGN), joint. "
            "Brackets: unbiased (default), published, projective. May be given twice."
        ),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
    raw: Annotated[bool, typer.Option("--raw", help="Running text: split it into sentences and words.")] = False,
    tokenizer: Annotated[str | None, typer.Option(help="Default: the model's own.")] = None,
    input_format: Annotated[
        str | None, typer.Option("--from", help="text, conllu or brackets. Default: told by the file.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option(help="Layer (from 1) that an ON-LSTM's trees are read from. Default: 2.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
    precision: Annotated[
        str, typer.Option(help="float32, bfloat16 (faster where the device has it; rounds), or auto.")
    ] = "float32",
    seed: Annotated[int, typer.Option(help="Of the random model.")] = 1,
) -> None:
    """Parse sentences with a trained (or trivial) model.

    One sentence in is one sentence out, in order. CoNLL-U that goes in comes out byte for byte, but for heads and
    relations. Punctuation, which models do not read, hangs from the constituent (and depends on the word) that
    spans both its neighbours.

    Example: echo 'The old man the boats .' | synparse parse --model english --format brackets
    """
    from synparse.corpora.sentences import FORMATS, read_sentences
    from synparse.corpora.tokenization import load_tokenizer
    from synparse.parser import HEAD_DECODERS, TREE_DECODERS, Parser

    one_of(format, OUTPUT_FORMATS, "--format")
    one_of(input_format, FORMATS, "--from")
    one_of(precision, PRECISIONS, "--precision")
    for name in decode or ():
        one_of(name, dict.fromkeys([*HEAD_DECODERS, *TREE_DECODERS]), "--decode")
    if input == STANDARD_STREAM and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe sentences in", param_hint="INPUT")
    try:
        parser = Parser.load(model, seed, device, layer, precision)
    except ValueError as error:
        if type(error) is ValueError:  # a layer or device that is not there; malformed data has a type of its own
            raise typer.BadParameter(str(error)) from None
        raise
    tree_decoder, head_decoder = _decoders(parser, decode or [], format)
    try:
        tokenize = load_tokenizer(tokenizer or parser.text.tokenizer, raw)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--tokenizer") from None
    sentences = read_sentences(input, tokenize, input_format)
    with write_whole(output) as out:
        for text in parsed_text(parser, sentences, format, tree_decoder, head_decoder):
            out.write(text)


def parsed_text(
    parser: Parser, sentences: Iterable[Sentence], format: str, tree_decoder: str | None, head_decoder: str | None
) -> Iterator[str]:
    """The text to write for each sentence, in order, in one of `OUTPUT_FORMATS`.

    CoNLL-U needs a head decoder, brackets a tree decoder; see `synparse.parser.Parser.stream`.
    """
    return FORMATTERS[format](_parsed(parser, sentences, tree_decoder, head_decoder))


def _decoders(parser: Parser, names: list[str], format: str) -> tuple[str | None, str | None]:
    """The constituency and the head decoder of a run: those named, else the model's own; None where not written."""
    has_heads, has_trees = parser.head_decoders, parser.tree_decoders
    if format == "conllu" and not has_heads:
        models = ", ".join(name for name, traits in TRAITS.items() if traits.gives_heads)
        raise typer.BadParameter(
            f"{parser.model} induces no heads; use brackets or json, or a model that has heads ({models})",
            param_hint="--format",
        )
    for name in names:
        one_of(name, dict.fromkeys([*has_heads, *has_trees]), f"--decode of {parser.model}")
    heads = [name for name in names if name in has_heads]
    trees = [name for name in names if name in has_trees]
    if format == "brackets" and not trees and heads:
        raise typer.BadParameter(
            f"{heads[0]} gives heads; brackets come from {', '.join(has_trees)}", param_hint="--decode"
        )
    if format == "conllu" and trees and not heads:
        raise typer.BadParameter(
            f"{trees[0]} gives brackets; heads come from {', '.join(has_heads)}", param_hint="--decode"
        )
    for chosen in (heads, trees):
        if len(set(chosen)) > 1:
            raise typer.BadParameter("one decoder of heads and one of brackets at most", param_hint="--decode")
    return (
        None if format == "conllu" and heads[:1] != ["joint"] else (trees or has_trees)[0],
        None if format == "brackets" or not has_heads else (heads or has_heads)[0],
    )


def _parsed(
    parser: Parser, sentences: Iterable[Sentence], tree_decoder: str | None, head_decoder: str | None
) -> Iterator[tuple[Sentence, Parse]]:
    """Each sentence beside its parse; the parser reads a window ahead, so sentences wait here for their turn."""
    waiting: deque[Sentence] = deque()

    def tokens() -> Iterator[tuple[str, ...]]:
        for sentence in sentences:
            waiting.append(sentence)
            yield sentence.tokens

    for one in parser.stream(tokens(), tree_decoder, head_decoder):
        yield waiting.popleft(), one


def _as_conllu(pairs: Iterable[tuple[Sentence, Parse]]) -> Iterator[str]:
    """CoNLL-U keeps all but columns 7 and 8; text becomes new sentences, with ``# newpar`` after blank lines."""
    from synparse.trees.conllu import format_conllu, induced_relations, with_heads

    number = 0
    new_paragraph = False
    for sentence, one in pairs:
        assert one.heads is not None
        if sentence.conllu is not None:
            yield "".join(with_heads(sentence.conllu, one.heads, induced_relations(one.heads)).lines)
        elif not one.tokens:
            new_paragraph = True
        else:
            number += 1
            comments = ["newpar"] * new_paragraph + [f"sent_id = {number}", f"text = {' '.join(one.tokens)}"]
            new_paragraph = False
            yield format_conllu(one.tokens, one.heads, comments=comments)


def _as_brackets(pairs: Iterable[tuple[Sentence, Parse]]) -> Iterator[str]:
    from synparse.trees.brackets import format_brackets
    from synparse.trees.constituency import ConstituencyTree

    for sentence, one in pairs:
        if not one.tokens:
            yield "" if sentence.conllu is not None else "\n"
            continue
        tree = one.tree
        assert tree is not None
        if sentence.tags is not None:
            tree = ConstituencyTree(tree.words, sentence.tags, tree.constituents)
        yield format_brackets(tree) + "\n"


def _as_json(pairs: Iterable[tuple[Sentence, Parse]]) -> Iterator[str]:
    """One object a line. Distances and heights belong to the tokens that were read, left to right; what the model does
    not have is null."""
    for sentence, one in pairs:
        if sentence.conllu is not None and not one.tokens:
            continue
        value = {
            "tokens": one.tokens,
            "constituents": None if one.tree is None else [(start, end) for _, start, end in one.tree.constituents],
            "heads": one.heads,
            "read": one.read,
            "distances": _rounded(one.distances),
            "heights": _rounded(one.heights),
        }
        yield json.dumps(value, ensure_ascii=False) + "\n"


def _rounded(values: Iterable[float] | None) -> list[float] | None:
    return None if values is None else [round(value, 4) for value in values]


FORMATTERS: dict[str, Callable[[Iterable[tuple[Sentence, Parse]]], Iterator[str]]] = {
    "conllu": _as_conllu,
    "brackets": _as_brackets,
    "json": _as_json,
}
