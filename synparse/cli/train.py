"""``synparse train``: raw text → model directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from synparse.cli.runs import AllowChangedCorpus, Display, SaveEveryOption, print_result, refuse_beside_resume
from synparse.cli.text import TOKENIZER_NAMES, LanguageOption, print_note
from synparse.corpora.languages import language_of
from synparse.corpora.sentences import InputFormat, chosen_tokenizer
from synparse.inducers.table import InducerName


def train(
    context: typer.Context,
    corpus: Annotated[
        list[str] | None,
        typer.Argument(help="Text (a sentence a line), CoNLL-U, bracketed or JSON files; .gz is fine, - is stdin."),
    ] = None,
    model: Annotated[
        InducerName | None,
        typer.Option(
            help="One kind of model, in place of the default recipe, by its small recipe. A student learns from trees, "
            "the others from raw text; grammar and dbm count, without a network, in two minutes."
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            help="A shipped recipe (synparse recipes lists them), a YAML file, or a model directory: the recipe it was "
            "made by. Default: the best there is."
        ),
    ] = None,
    init: Annotated[
        str | None,
        typer.Option(help="Start from the weights, vocabulary and recipe of this model directory, in a new run."),
    ] = None,
    teacher: Annotated[
        list[str] | None,
        typer.Option(
            help="A trained model that is there from the start: it teaches the grammars and parses with them. "
            "Repeatable."
        ),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")] = "model",
    valid: Annotated[
        str | None, typer.Option(help="A file of held-out text. Default: 2 % of the corpus, chosen by hash.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the corpus, at most.")] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Minutes for the whole run: what there is time for is planned, nothing is cut."),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="CORPUS is running text: split it into sentences and words.")
    ] = False,
    language: LanguageOption = None,
    tokenizer: Annotated[
        str | None, typer.Option(help=f"{TOKENIZER_NAMES}. Default: by --language, else the recipe's.")
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option("--from", help="The format of CORPUS. Default: by the name and content of each file."),
    ] = None,
    device: Annotated[str, typer.Option(help="Where to compute: auto, cpu, cuda, …")] = "auto",
    seed: Annotated[
        int,
        typer.Option(
            help="The same seed, machine and number of threads give the same model, if --minutes plan the same."
        ),
    ] = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a setting of the recipe, e.g. training.mask_rate=0.4. Repeatable."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a model or an unfinished run in --output.")] = False,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Continue the unfinished run in this directory. Only --minutes, --save-every, --device and a few "
            "settings (--set) may change; name CORPUS again only if its files moved."
        ),
    ] = None,
    save_every: SaveEveryOption = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: AllowChangedCorpus = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train a parser on raw text.

    In: sentences. Out: a model directory for parse. A recipe is a list of stages: grammars, learned by counting; a
    network that learns to predict words; a student that learns from the trees of the parser so far. After the first
    ones, a minute or two, the directory always holds the best parser so far: Ctrl-C keeps it, --resume goes on.
    --minutes decides how many stages and passes there is time for; without it, all stages are run.

    Example: synparse train corpus.txt --minutes 20 --output english
    """
    from synparse.training import run

    settings = list(set_ or ())
    if epochs is not None:
        settings.append(f"training.epochs={epochs}")
    if resume is not None:
        refuse_beside_resume(context)
    elif not corpus:
        raise typer.BadParameter("name the files to train on", param_hint="CORPUS")
    with Display() as display:
        given: Any = {"minutes": minutes, "device": device, "save_every": save_every, "report": display.update}
        if resume is not None:
            given |= {"changes": settings, "allow_changed_corpus": allow_changed_corpus}
            result = run.resume(Path(resume), corpus=corpus or (), **given)
        else:
            if tokenizer is not None:
                settings.append(f"text.tokenizer={tokenizer}")
            if language is not None:
                settings.append(f"text.language='{language_of(language).code}'")  # no is Norwegian
            if language is not None and tokenizer is None:
                choice = chosen_tokenizer(corpus or (), language_of(language).code, raw, input_format)
                print_note(choice.note)
                settings.append(f"text.tokenizer={choice.name}")
            given |= {"raw": raw, "input_format": input_format, "seed": seed, "force": force, "valid": valid}
            given |= {"model": model, "changes": settings, "teachers": teacher or (), "init": init}
            result = run.train(corpus or (), recipe, output, **given)
    print_result(result, "perplexity", as_json)
