"""Scores of one or more predictions against a gold file, of brackets or CoNLL-U."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.comparison import Comparison, RelationNames, TagColumn, Wanted
from synparse.scoring.dependencies import ROOT_RULES, PredictedHeads, RootRule
from synparse.scoring.evalb import Parameters, read_parameters
from synparse.scoring.head_comparison import compare_conll18, compare_heads
from synparse.scoring.in_step import NamedLines
from synparse.trees.beginning import beginning_of
from synparse.trees.errors import DataError, SettingError, check_choice
from synparse.trees.scored_words import PunctuationRule

Protocol: TypeAlias = Literal["kim2019", "shen2018", "evalb", "conll18"]
"""Protocols for brackets; the last one is for CoNLL-U."""

BRACKETED, CONLLU = "bracketed trees", "CoNLL-U"


def evaluate(
    predictions: Sequence[NamedLines] | NamedLines,
    gold: NamedLines,
    *,
    protocol: Protocol | None = None,
    evalb_params: NamedLines | None = None,
    root: RootRule = "word",
    punctuation: PunctuationRule = "auto",
    wanted: Wanted = Wanted(),  # noqa: B008 - immutable
    heads: PredictedHeads = "tree",
) -> Comparison:
    """Score predictions, one or several, against a gold file of the same format, brackets or CoNLL-U (recognised by the
    first character).

    - ``protocol``: for brackets, kim2019 (the default), shen2018 or evalb; for CoNLL-U, conll18, or None for UAS and
      UUAS.
    - ``evalb_params``: a parameter file of EVALB; implies the protocol evalb.
    - ``root``, ``punctuation``: how attachment scores treat the root and punctuation.
    - ``heads``: which heads of CoNLL-U to score: those of the predicted trees (``tree``), or the most probable head of
      each word (``argmax``).
    - ``wanted``: what else to compute: breakdowns, baselines, significance, worst sentences, scores of induced labels,
      tags and relations; see `synparse.scoring.comparison.Wanted`.

    Files are read in parallel, sentence by sentence.

        >>> gold = NamedLines("gold", ["(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (PRP it))))"])
        >>> predicted = NamedLines("predicted", ["(X (X (X the dog) saw) it)"])
        >>> evaluate([predicted], gold).systems[0].scores
        {'uf1_sentence': 0.5, 'uf1_corpus': 0.5, 'precision': 0.5, 'recall': 0.5}

    Raises TypeError for other values, SettingError without predictions, if the files have different formats, or if
    the protocol or another option does not apply to their format; DataError (file:line) if a file is malformed, or
    if the sentences or words of the files differ.
    """
    check_choice("protocol", protocol, get_args(Protocol), is_optional=True)
    check_choice("root", root, ROOT_RULES)
    check_choice("punctuation", punctuation, get_args(PunctuationRule))
    check_choice("heads", heads, get_args(PredictedHeads))
    check_choice("tags", wanted.tags, get_args(TagColumn), is_optional=True)
    check_choice("relations", wanted.relations, get_args(RelationNames), is_optional=True)
    if evalb_params is not None:
        if protocol not in (None, "evalb"):
            raise SettingError("--evalb-params needs --protocol evalb; leave out the other protocol")
        protocol = "evalb"
    files, kinds = [], []
    for given in (*([predictions] if isinstance(predictions, NamedLines) else predictions), gold):
        if not isinstance(given, tuple) or len(given) != 2 or isinstance(given[1], str):
            raise TypeError("predictions and gold are NamedLines: a name, and an iterable of lines, not one string")
        name, lines = given
        character, lines = beginning_of(lines)
        files.append(NamedLines(name, lines))
        kinds.append(_kind(character, name))
    *runs, reference = files
    if not runs:
        raise SettingError("name at least one prediction")
    for run, kind in zip(runs, kinds, strict=False):
        if kind and kinds[-1] and kind != kinds[-1]:
            raise SettingError(
                f"the prediction {run.name} holds {kind}, but the gold file {gold.name} holds {kinds[-1]}"
            )
    kind = next(filter(None, kinds), BRACKETED if protocol not in (None, "conll18") else CONLLU)
    if kind == BRACKETED and protocol == "conll18":
        raise SettingError("--protocol: conll18 scores CoNLL-U, not bracketed trees")
    if kind == CONLLU and protocol not in (None, "conll18"):
        raise SettingError(f"--protocol: {protocol} scores bracketed trees, not CoNLL-U")
    of_attachment = {"argmax": heads != "tree", "root": root != "word", "punctuation-rule": punctuation != "auto"}
    for option, is_set in of_attachment.items():
        if is_set and (kind == BRACKETED or protocol == "conll18"):
            raise SettingError(f"--{option} is for heads of CoNLL-U, by UAS and UUAS; leave it out, or --protocol")
    if wanted.labels and kind == CONLLU:
        raise SettingError("--score-labels scores bracketed trees, not CoNLL-U")
    if wanted.relations and kind == BRACKETED:
        raise SettingError("--score-relations scores CoNLL-U; brackets have no relations")
    if (wanted.labels or wanted.tags or wanted.relations) and protocol in ("evalb", "conll18"):
        what = "labels" if wanted.labels else "tags" if wanted.tags else "relations"
        raise SettingError(f"--score-{what} does not go with --protocol {protocol}, which compares {what} by name")
    if protocol == "conll18":
        if wanted.baselines or wanted.seed is not None:
            raise SettingError("--protocol: conll18 has no baselines or significance")
        if wanted.breakdowns and not wanted.worst:
            raise SettingError("--protocol: conll18 has no breakdowns")
        return compare_conll18(runs, reference)
    if kind == CONLLU:
        return compare_heads(runs, reference, root, punctuation, wanted, heads)
    parameters = Parameters() if evalb_params is None else read_parameters(evalb_params.lines, evalb_params.name)
    return compare_brackets(runs, reference, protocol or "kim2019", parameters, wanted)


def _kind(character: str, name: str) -> str | None:
    """The kind of trees in a file with this first character, None if it is empty. Raises DataError for anything
    else."""
    if not character:
        return None
    if character == "(":
        return BRACKETED
    if character == "#" or character.isdecimal():
        return CONLLU
    raise DataError(
        "neither CoNLL-U nor bracketed trees; synparse parse makes these from text and, with --keep heads or --keep "
        "brackets, from the trees of JSON",
        name,
    )
