"""Information on languages: shipped models, scores and those of baselines, texts and their licences, tokenizers.

Two tables in the folder of shipped models: ``texts.tsv``, the texts on which parsers are trained, and
``languages.tsv``, their scores, which `benchmarks.results` writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from synparse.corpora.languages import Language, language_of
from synparse.corpora.tokenization import extra_for, tokenizer_for
from synparse.files.extras import how_to_install
from synparse.files.tables import Row
from synparse.store.models import open_model
from synparse.store.shipped import HOW_TO_INSTALL, TEXTS, missing_models, model_folder, read_rows, shipped_models

SCORES = "languages.tsv"

NOTHING = "–"

GOLD = "gold"
"""What `texts.tsv` says of the trees that parsers in the table of languages are scored on."""

PARSERS = (
    *("parser", "next word", "previous word", "random", "content-chain", "content-chain-back"),
    *("supervised", "ceiling"),
)
"""Whose scores a row has: the parser's own, those of baselines, of a supervised parser, and the best possible."""


def language_of_shipped(model: str) -> Language | None:
    """The language of a shipped model, by its text; None where that is not known."""
    return next((language_of(row["language"]) for row in read_rows(TEXTS) if row["model"] == model), None)


def language_info(text: str) -> dict[str, Any]:
    """What is known of a language, by its ISO 639 code or English name, as plain values.

    - ``tokenizer``: the one that running text (``--raw``) gets here, and the extra that would install a better one;
    - ``models``: each shipped model: what it gives, its text in sentences, words and licences, and its size in bytes;
    - ``missing``: the names of those that are not installed;
    - ``scores``: UAS and UUAS in per cent, of `PARSERS`, for each parser that was measured, with the model's name if it
      is shipped;
    - ``gold``: the trees that they are scored on; ``texts``: what parsers are trained on, with those that have been;
      ``train``: a command that trains another.

    Raises SettingError for what is no language.
    """
    language = language_of(text)
    choice = tokenizer_for(language.code)
    texts = [row for row in read_rows(TEXTS) if row["language"] == language.code]
    models = [name for name in shipped_models() if any(row["model"] == name for row in texts)]
    scores = [_scores(row) for row in read_rows(SCORES) if row["language"] == language.code]
    is_measured = any(row["model"] is None for row in scores)
    return {
        "language": language.name,
        "code": language.code,
        "tokenizer": {"name": choice.name, "note": choice.note, "extra": extra_for(language)},
        "models": {name: _model(name, texts) for name in models},
        "missing": sorted({row["model"] for row in texts} & set(missing_models())),
        "scores": scores,
        "gold": [_text(row, is_measured) for row in texts if row["in the table"] == GOLD],
        "texts": [_text(row, is_measured) for row in texts if row["in the table"] != GOLD],
        "train": f"synparse train TEXT --language {language.code} --minutes 30 --output MODEL",
    }


def corpus_of(model: str | Path) -> Mapping[str, Any]:
    """What a model directory learned from: ``files``, ``training_sentences``,
    ``training_words``. Raises as `open_model`."""
    opened = open_model(model)
    corpus: Mapping[str, Any] = {**opened.description.provenance, **opened.provenance}["corpus"]
    return corpus


def _model(name: str, texts: Sequence[Row]) -> dict[str, Any]:
    corpus = corpus_of(name)
    return {
        "kind": open_model(name).kind,
        "sentences": corpus["training_sentences"],
        "words": corpus["training_words"],
        "licences": list(dict.fromkeys(row["licence"] for row in texts if row["model"] == name)),
        "bytes": size_of(model_folder(name)),
    }


def size_of(directory: Path) -> int:
    """Bytes of the files of a model."""
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())


def _text(row: Row, is_measured: bool) -> dict[str, Any]:
    """is_measured: whether the language is in the table of languages."""
    used = ["table of languages"] * (is_measured and row["in the table"] != NOTHING)
    used += [row["model"]] * (row["model"] in shipped_models())
    facts = {name: row[name] for name in ("source", "licence", "register")}
    return {**facts, **{name: _number(row[name]) for name in ("sentences", "tokens")}, "used_by": used}


def _scores(row: Row) -> dict[str, Any]:
    own, *others = PARSERS
    columns = {own: "", **{name: f"{name} " for name in others}}
    return {
        **{name: None if row[name] == NOTHING else row[name] for name in ("model", "settings")},
        "seeds": row["seeds"].replace(NOTHING, "").split(),
        **{name: _number(row[name]) for name in ("words", "minutes")},
        **{
            measure.lower(): {name: _number(row[f"{column}{measure}"]) for name, column in columns.items()}
            for measure in ("UAS", "UUAS")
        },
        **{f"{name}_f1": _number(row[f"{name} F1"]) for name in ("tokens", "sentences")},
        "date": row["date"],
        "commit": row["scored at"],
    }


def _number(cell: str) -> float | int | None:
    """The number in a cell, of several seeds their mean, without the deviation in parentheses.

    >>> _number("50.3 (0.4)"), _number("467,765"), _number("–")
    (50.3, 467765, None)
    """
    if cell == NOTHING:
        return None
    digits = cell.split()[0].replace(",", "")
    return float(digits) if "." in digits else int(digits)


def language_report(known: Mapping[str, Any]) -> Iterator[str]:
    """What `language_info` knows, as lines to read."""
    tokenizer = known["tokenizer"]
    yield f"{known['language']} ({known['code']})\n"
    yield f"\nTokenizer of running text (--raw): {tokenizer['name']}\n  {tokenizer['note']}\n"
    if tokenizer["extra"] and "pip install" not in tokenizer["note"]:
        condition = (
            "if Stanza has a model of this language, it is better" if tokenizer["extra"] == "stanza" else "better"
        )
        yield f"  {condition}: {how_to_install(tokenizer['extra'])}\n"
    yield f"\nShipped models: {', '.join([*known['models'], *known['missing']]) or 'none'}\n"
    for name in known["missing"]:
        yield f"  {name} is not installed: {HOW_TO_INSTALL}\n"
    for name, model in known["models"].items():
        yield (
            f"  synparse parse --model {name}\n    {model['kind']}, {model['bytes'] / 1e6:.1f} MB; trained on "
            f"{model['words']:,} words, {model['sentences']:,} sentences\n"
            f"    licences of the text: {'; '.join(model['licences'])}\n"
        )
    if known["scores"]:
        yield "\nScores in per cent, without punctuation\n"
        for gold in known["gold"]:
            yield f"  gold trees: {gold['source']} ({gold['register']}; {gold['licence']})\n"
        for scores in known["scores"]:
            yield from _report_of_scores(scores)
    else:
        yield "\nScores: none; no parser of this language has been measured\n"
    if known["texts"]:
        yield "\nTexts\n"
    for text in known["texts"]:
        size = "" if text["tokens"] is None else f"{text['tokens']:,} tokens, "
        yield f"  {text['source']}\n    {size}{text['register']}; licence: {text['licence']}\n"
        yield f"    used for: {', '.join(text['used_by']) or 'nothing here'}\n"
    yield f"\nTo train a parser\n  {known['train']}\n"


def _report_of_scores(scores: Mapping[str, Any]) -> Iterator[str]:
    """The scores of one parser, a line for each of `PARSERS` that has some."""
    facts = [] if scores["words"] is None else [f"{scores['words']:,} words"]
    facts += [] if scores["minutes"] is None else [f"{scores['minutes']:g} minutes"]
    facts += [f"seed{'s' * (len(scores['seeds']) > 1)} {' '.join(scores['seeds'])}"] if scores["seeds"] else []
    what = f"shipped model {scores['model']}" if scores["model"] else f"train {scores['settings']}"
    yield f"\n  {what}\n  {', '.join([*facts, scores['date']])}\n"
    yield f"    {'':<20}{'UAS':>6}{'UUAS':>7}\n"
    for name in PARSERS:
        uas, uuas = scores["uas"][name], scores["uuas"][name]
        if uas is not None and uuas is not None:
            yield f"    {name:<20}{uas:>6.1f}{uuas:>7.1f}\n"
    if scores["tokens_f1"] is not None:
        yield f"    F1 of tokens {scores['tokens_f1']:.1f}, of sentences {scores['sentences_f1']:.1f} (conll18)\n"
