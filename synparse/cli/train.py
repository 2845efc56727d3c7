"""``synparse train``: raw text → model directory."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.cli.runs import AllowChangedCorpus, Display, SaveEveryOption, print_result, refuse_beside_resume
from synparse.cli.text import TOKENIZER_NAMES, LanguageOption, print_note
from synparse.corpora.languages import language_of
from synparse.corpora.sentences import InputFormat, chosen_tokenizer
from synparse.corpora.tokenization import WHITESPACE
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.inducers.table import InducerName
from synparse.trees.errors import SettingError

if TYPE_CHECKING:
    from synparse.config.recipe import Recipe
    from synparse.training.counting import Learned
    from synparse.training.trainer import TrainingResult


def train(
    context: typer.Context,
    corpus: Annotated[
        list[str] | None,
        typer.Argument(help="Text (a sentence a line), CoNLL-U, bracketed or JSON files; .gz is fine, - is stdin."),
    ] = None,
    model: Annotated[
        InducerName | None,
        typer.Option(
            help="The kind of model. Default: udgn. A student learns from trees, the others from raw text. grammar and "
            "dbm count, without a network, in two minutes."
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            help="A shipped recipe (synparse recipes lists them) or a YAML file. Default: the model's small recipe."
        ),
    ] = None,
    init: Annotated[
        str | None,
        typer.Option(help="Start from the weights, vocabulary and recipe of this model directory, in a new run."),
    ] = None,
    teacher: Annotated[
        list[str] | None,
        typer.Option(
            help="With --model grammar or dbm: a trained model that teaches the grammars and parses with them. "
            "Repeatable."
        ),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")] = "model",
    valid: Annotated[
        str | None, typer.Option(help="A file of held-out text. Default: 2 % of the corpus, chosen by hash.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the corpus, at most.")] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="Minutes for the whole run, at most.")] = None,
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
            help="The same seed, machine and number of threads give the same model, unless --minutes ends it."
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

    In: sentences. Out: a model directory for parse. The model learns to predict masked words or next words, and the
    version that predicts held-out words best is kept. The parser is a part of the model, which these predictions train.
    Ctrl-C ends the run and keeps the best model so far; --resume continues the run. A student learns from trees
    instead: JSON lines of `parse --format json`, CoNLL-U or brackets.

    With --language, and no model or recipe named: the text teaches grammars, their trees a student, and this grammars.

    Example: synparse train corpus.txt --minutes 20 --output english
    """
    from synparse.config.recipe import recipe_to_train
    from synparse.store.model_directory import load_model, read_description
    from synparse.store.shipped import model_folder
    from synparse.training import counting, self_training

    settings = list(set_ or ())
    if epochs is not None:
        settings.append(f"training.epochs={epochs}")
    if resume is not None:
        refuse_beside_resume(context)
    elif not corpus:
        raise typer.BadParameter("name the files to train on", param_hint="CORPUS")
    result: TrainingResult | None = None
    with Display() as display:
        given: Any = {"minutes": minutes, "device": device, "report": display.update}
        if resume is not None and self_training.is_self_training(Path(resume)):
            _refuse(epochs or set_ or corpus, "a resumed run of self-training can only change --minutes and --device")
            learned = self_training.resume(Path(resume), allow_changed_corpus=allow_changed_corpus, **given)
        elif resume is not None and counting.is_counting(Path(resume)):
            _refuse(epochs or set_ or corpus, "a resumed run of grammars can only change --minutes and --device")
            learned = counting.resume(Path(resume), allow_changed_corpus=allow_changed_corpus, **given)
        elif resume is not None:
            from synparse.training import run

            given |= {"save_every": save_every, "allow_changed_corpus": allow_changed_corpus}
            result = run.resume(Path(resume), corpus=corpus or (), changes=settings, **given)
        else:
            if tokenizer is not None:
                settings.append(f"text.tokenizer={tokenizer}")
            if language is not None:
                settings.append(f"text.language='{language_of(language).code}'")  # no is Norwegian
            given |= {"raw": raw, "input_format": input_format, "seed": seed, "force": force}
            base = None if init is None else read_description(model_folder(init)).recipe
            is_self_taught = language is not None and not (model or recipe or init or teacher or valid)
            first, *others = (
                self_training.recipes(settings) if is_self_taught else [recipe_to_train(recipe, model, settings, base)]
            )
            if first.text.language and first.text.tokenizer == WHITESPACE and tokenizer is None:
                choice = chosen_tokenizer(corpus or (), first.text.language, raw, input_format)
                print_note(choice.note)
                first, *others = (_with_tokenizer(one, choice.name) for one in (first, *others))
            chosen = first
            if others:
                learned = self_training.learn(corpus or (), first, others[0], Path(output), **given)
            elif chosen.training is None:
                _refuse(init or valid, "grammars are learned by counting: leave out --init and --valid")
                learned = counting.learn(corpus or (), chosen, Path(output), teachers=teacher or (), **given)
            else:
                from synparse.training import run

                _refuse(teacher, f"--teacher is for --model grammar and dbm, not {chosen.model}")
                given |= {"valid": valid, "save_every": save_every}
                initial = None if init is None else load_model(model_folder(init))
                result = run.train(corpus or (), chosen, Path(output), init=initial, **given)
    if result is not None:
        print_result(result, "perplexity", as_json)
    else:
        _print_learned(learned, as_json)


def _with_tokenizer(recipe: Recipe, name: str) -> Recipe:
    return replace(recipe, text=replace(recipe.text, tokenizer=name))


def _print_learned(learned: Learned, as_json: bool) -> None:
    """Report an interruption, and print the result as JSON. Raises typer.Exit with the exit code of the signal that
    stopped the run."""
    if learned.signal is not None:
        more = f"; continue with --resume {learned.directory}" if learned.is_resumable else ""
        print(f"synparse: interrupted{more}", file=sys.stderr)
    if as_json:
        summary = {"model": str(learned.directory), **learned.provenance, "interrupted": learned.signal is not None}
        with write_whole(STANDARD_STREAM) as out:
            out.write(json.dumps(summary) + "\n")
    if learned.signal is not None:
        raise typer.Exit(128 + learned.signal)


def _refuse(given: object, why: str) -> None:
    """Raises SettingError for an option that does not fit the run."""
    if given:
        raise SettingError(why)
