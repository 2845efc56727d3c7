"""``synparse eval``: how good are predicted trees?"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from synparse.cli.choices import one_of
from synparse.files import STANDARD_STREAM, name_of, read_lines, write_whole
from synparse.scoring.dependencies import ROOT_RULES

BRACKETED, CONLLU = "bracketed trees", "CoNLL-U"


def evaluate(
    prediction: Annotated[str, typer.Argument(metavar="PRED", help="Predicted CoNLL-U or bracketed file; - is stdin.")],
    gold: Annotated[str | None, typer.Argument(metavar="GOLD", help="Gold file of the same kind.")] = None,
    gold_option: Annotated[str | None, typer.Option("--gold", help="The gold file, said outright.")] = None,
    root: Annotated[str, typer.Option(help="The gold root in UAS: word (scored), omit, or wrong.")] = "word",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = "-",
) -> None:
    """Score predicted trees against gold trees: the prediction first.

    CoNLL-U files give UAS and UUAS, bracketed files UF1 by sentence and over the corpus. The rules that were applied
    stand under the numbers, which are per cent.

    Example: synparse eval pred.conllu gold.conllu
    """
    one_of(root, ROOT_RULES, "--root")
    if (gold is None) == (gold_option is None):
        raise typer.BadParameter("name one gold file: synparse eval PRED GOLD", param_hint="GOLD")
    reference = gold if gold is not None else str(gold_option)
    if prediction == reference == STANDARD_STREAM:
        raise typer.BadParameter("only one of the two can be standard input", param_hint="GOLD")
    result = evaluate_files(prediction, reference, root)
    with write_whole(output) as out:
        if as_json:
            out.write(json.dumps(result, ensure_ascii=False) + "\n")
        elif output == STANDARD_STREAM and sys.stdout.isatty():
            _print_table(result)
        else:
            out.writelines(f"{name:<18} {value}\n" for name, value in _rows(result))
            out.write(f"{'protocol':<18} {result['protocol']}\n")


def evaluate_files(prediction: str, gold: str, root: str = "word") -> dict[str, Any]:
    """The scores of one file against another, in per cent (None where there is nothing to score), as plain values.

    Raises DataError where a file is malformed or the two do not line up, and a usage error where they are of different
    kinds.
    """
    from synparse.scoring.brackets import evaluate_brackets
    from synparse.scoring.evaluation import evaluate_dependencies

    kind, predicted_lines = _kind_of(read_lines(prediction))
    gold_kind, gold_lines = _kind_of(read_lines(gold))
    names = name_of(prediction), name_of(gold)
    if kind and gold_kind and kind != gold_kind:
        raise typer.BadParameter(f"the prediction {names[0]} holds {kind}, the gold file {names[1]} {gold_kind}")
    result: dict[str, Any] = {"prediction": names[0], "gold": names[1]}
    if BRACKETED in (kind, gold_kind):
        trees = evaluate_brackets(predicted_lines, gold_lines, *names)
        counts = trees.counts
        return result | {
            "sentences": trees.sentences,
            "scored_sentences": counts.sentences,
            "uf1_sentence": _per_cent(counts.sentence_f1),
            "uf1_corpus": _per_cent(counts.corpus_f1),
            "precision": _per_cent(counts.precision),
            "recall": _per_cent(counts.recall),
            "protocol": trees.protocol,
        }
    heads = evaluate_dependencies(predicted_lines, gold_lines, *names, root)
    return result | {
        "sentences": heads.sentences,
        "words": heads.counts.words,
        "uas": _per_cent(heads.counts.uas),
        "uuas": _per_cent(heads.counts.uuas),
        "protocol": heads.protocol,
    }


def _kind_of(lines: Iterator[str]) -> tuple[str | None, Iterable[str]]:
    """What these lines hold, by their first character (None where all are blank), and the lines again."""
    head = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    first = head[-1].strip() if head else ""
    kind = None if not first else BRACKETED if first.startswith("(") else CONLLU
    return kind, itertools.chain(head, lines)


def _per_cent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 2)


_TITLES = {
    "prediction": "prediction",
    "gold": "gold",
    "sentences": "sentences",
    "scored_sentences": "  of them scored",
    "words": "words scored",
    "uf1_sentence": "UF1, sentence",
    "uf1_corpus": "UF1, corpus",
    "precision": "  precision",
    "recall": "  recall",
    "uas": "UAS",
    "uuas": "UUAS",
}


def _rows(result: dict[str, Any]) -> list[tuple[str, str]]:
    rows = []
    for key, title in _TITLES.items():
        if key in result:
            value = result[key]
            text = "none" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
            rows.append((title, text))
    return rows


def _print_table(result: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, caption=result["protocol"], caption_justify="left")
    table.add_column()
    table.add_column(justify="right", overflow="fold")
    for title, text in _rows(result):
        bold = title.startswith(("U", "UF1"))
        table.add_row(title, text, style="bold" if bold else "")
    Console().print(table)
