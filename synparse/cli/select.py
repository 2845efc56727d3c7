"""``synparse select``: raw text → drafts of the sentences to annotate next."""

from __future__ import annotations

import functools
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.progress import counted
from synparse.cli.results import notes, write_lines
from synparse.files.streams import STANDARD_STREAM
from synparse.parsing import options as parsing_options
from synparse.parsing.options import CANDIDATES, MOST_WORDS, ParserOptions


def select(
    text: options.Text = None,
    model: options.ParsingModels = None,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many sentences to select.")] = 50,
    by: Annotated[
        parsing_options.By,
        typer.Option(
            help="errors: the expected number of wrong arcs. entropy: the mean entropy of the heads. change: how much "
            "the heads would change what the model learns. coverage: words and constructions that no selected "
            "sentence has. These avoid similar sentences. Baselines: random, and length (the longest)."
        ),
    ] = "coverage",
    trees: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Annotated trees, as for train: neither their sentences nor similar ones are selected. Repeatable.",
        ),
    ] = None,
    max_words: Annotated[
        int, typer.Option("--max-words", min=1, help="Maximum number of words in a sentence.")
    ] = MOST_WORDS,
    candidates: Annotated[
        int,
        typer.Option(min=1, help="Number of sentences to parse and select from; of a longer text, a random sample."),
    ] = CANDIDATES,
    min_confidence: Annotated[
        float | None, typer.Option(min=0, max=1, help="Mark less probable arcs (Uncertain=Yes in MISC).")
    ] = None,
    output: options.Output = STANDARD_STREAM,
    raw: options.Raw = False,
    language: options.Language = None,
    tokenizer: options.Tokenizer = None,
    input_format: options.From = None,
    device: options.Device = "auto",
    seed: options.Seed = 1,
    quiet: options.Quiet = False,
) -> None:
    """Select the sentences of a text that are most useful to annotate next.

    In: sentences. Out: CoNLL-U, the most useful sentence first: drafts for an editor, with the heads of the parser, the
    probability of each arc (Confidence in MISC), and a comment with the words whose arcs are least certain. The sent_id
    of a sentence is its number in the text, or in all files together. A file with checked trees is not overwritten.

    Example: synparse select corpus.txt --model mine -n 50 --output drafts.conllu
    """
    from synparse.parsing import selection
    from synparse.parsing.drafts import refuse_checked

    refuse_checked(output)
    selected = selection.select(
        *(options.files_or_stdin(text, "TEXT"), model or (), number, ParserOptions(seed, device)),
        by=by,
        trees=trees or (),
        most_words=max_words,
        candidates=candidates,
        min_confidence=min_confidence,
        raw=raw,
        tokenizer=tokenizer,
        language=language,
        input_format=input_format,
        report=notes(quiet),
        counted=functools.partial(counted, unit="sentences", is_shown=not quiet),
    )
    write_lines(output, selected)
