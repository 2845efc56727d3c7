"""Every kind of input, what may become of it, and the commands that read it. A number makes an input, always the same
(`numbered_input`): the tests try a few, ``make faults`` as many as there is time for."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch

from synparse.cli.app import run
from synparse.config.recipe import model_recipe_from
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.vocabulary import CLASS, SPECIAL, Vocabulary
from synparse.inducers.table import build
from synparse.store.model_directory import LoadedModel, ModelDescription
from synparse.trees.printable import OBEYED
from tests.mutations import bounded, mutated, unless_it_hangs, with_another_number
from tests.processes import HANG
from tests.untrained import untrained, write_model

CONFIG, VOCABULARY, WEIGHTS = "config.yaml", "vocabulary.txt", "weights.safetensors"
BOUNDARIES, GRAMMAR = "boundaries.safetensors", "grammars-1/grammar.safetensors"

SENTENCE = ["the", "dog", "saw", "3", "cats", "in", "the", "park", "."]
WORDS = ["the", "dog", "saw", "N", "cats", "park", "a\u2028b", "été", f"{CLASS}n"]

TINY = {
    "structformer": {"hidden_size": 8, "layers": 1, "attention_heads": 2, "feed_forward_size": 8, "parser_layers": 2},
    "udgn": {"hidden_size": 8, "layers": 1, "channels": 2, "channel_size": 4, "parser_layers": 2, "roles": 2},
    "on-lstm": {"embedding_size": 8, "hidden_size": 8, "layers": 2, "chunk_size": 4},
    "ordered-memory": {"hidden_size": 8, "slots": 4},
    "student": {"hidden_size": 8, "layers": 2},
}

CONLLU = """# sent_id = 1
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tA=B
1\tvamos\tir\tVERB\t_\tNumber=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
3.1\tx\t_\t_\t_\t_\t_\t_\t1:dep\t_

# sent_id = 2
1\thello\t_\tINTJ\tUH\t_\t0\troot\t_\t_
2\t!\t_\tPUNCT\t.\t_\t1\tpunct\t_\t_

""".encode()

BRACKETS = """( (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBD saw) (NP (-NONE- *T*-1)))
     (. .)) )
(X the (Y (_ old) man) -LRB- (Z (Z été)))
(NN Hi) (S
(NN
there))
""".encode()


PARSES = """{"tokens": ["été", "(", "a", "dog"], "constituents": [[0, 4], [2, 4]], "heads": [0, 1, 4, 1], \
"read": [true, false, true, true], "distances": [0.5, -1.25], "heights": null}
{"tokens": [], "constituents": [], "heads": [], "read": [], "distances": [], "heights": null}
{"tokens": ["Hi", "\\u00e9t"], "constituents": [[0, 2]], "heads": [2, 0], "read": [true, true], "distances": [1e-3]}
""".encode()

PENN = b"""( (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBD saw) (NP (-NONE- *T*-1)) (PP-LOC (IN in) (NP (DT the) (NN park))))
     (. .)) )
( (S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (JJ old) (CC and) (JJ big)) (SBAR (IN that) (S (NP (EX there))
     (VP (VBP are)))))))
"""

PARSE = b"""{"tokens": ["the", "dog"], "read": [true, true], "distances": [1.5], "heights": null, \
"constituents": [[0, 2]], "heads": [2, 0], "labels": ["a"], "tags": ["1", "2"]}
"""

PROVENANCE = {
    "corpus": {
        **{"files": ["train.txt"], "sha256": "0" * 64, "training_sentences": 9, "training_words": 99},
        **{"held_out_sentences": 1, "heads": 7, "splits": 8},
    },
    **{"seed": 1, "steps": 5, "words_seen": 50, "seconds": 1.5, "device": "cpu", "vocabulary_words": 9},
    **{"held_out_perplexity": 9.5, "versions": {"synparse": "0.3.0"}},
}

TEXT = "the dog saw 3 cats in the park .\nété “the dog” 1,5 a’b http://x.y ( ) -LRB-\n\n犬が見た。\n".encode()

MINIMAL_PAIRS = b"kind\tgrammatical\tungrammatical\nagreement\tthe dog saw\tdog the saw\norder\tthe park\tpark the\n"

SIMILAR = b"score\tsentence1\tsentence2\tsource\n1.5\tthe dog\tthe cats saw\ta\n" + b"3\tthe park\tcats\tb\n" * 3

WORLD = b"A\tlux\t######/#..B.#/#C.A.#/#.D..#/#...v#/######\n"

RECIPE = b"""text: {min_count: 2, digits: N}
parsing: {punctuation: evidence, function_words: leaves}
stages:
  - network: udgn
    architecture: {hidden_size: 16, layers: 1, channels: 2, channel_size: 4}
    training: {batch_tokens: 256, learning_rate: 1e-2, schedule: constant, epochs: 1}
  - grammars: all
    classes: 9
"""

MAPS = b"""arcs:
  log_odds: [-2.5, -1.5, 0.5, 2]
  fitted: [0.01, 0.1, 0.1, 0.5]
punctuation: ignore
function_words: free
heads: boundaries
gold: [gold.conllu]
"""

WORD_PATTERN = b"pattern { V [upos=VERB]; V -[obl|obj]-> N } without { V -[nsubj]-> S }"

BRACKET_PATTERN = b"S < (NP=n < (DT $+ NN) !<< /a.*/)"


class Kind(NamedTuple):
    """The content of an input file, and the lines of commands that read it; {} is the file, or what is in it."""

    content: bytes
    lines: tuple[str, ...]


KINDS = {
    "x.conllu": Kind(CONLLU, (
        "parse {} -m chain",
        "parse {} -m udgn -f json",
        "parse {} -m chain --keep heads",
        "parse {} -m udgn --confidence raw --n-best 2 -f json",
        "parse {} -m grammar --labels induced --tags classes -f json",
        "eval {} whole.conllu",
        "eval whole.conllu {}",
        "eval {} {} --breakdown --baselines --score-relations full --json",
        "show {}",
        "show {} -f svg -o out",
        "show {} -f html",
        "show {} -f latex",
        "show {} --edit",
        "search V[upos=VERB] {} --count --by V.form",
        "classes {} --classes 3",
        "channels udgn {} --all",
        "calibrate udgn {} -o out",
        "select {} -m grammar -n 2",
        "select whole.txt -m grammar --trees {} -o out",
    )),
    "x.mrg": Kind(BRACKETS, (
        "parse {} -m balanced -f brackets",
        "parse {} -m chain --keep brackets -f json",
        "eval {} whole.mrg",
        "eval whole.mrg {} --score-labels --baselines --breakdown",
        "show {}",
        "show {} -f svg",
        "show {} --edit",
        "search NP {}",
        "calibrate udgn {} -o out",
    )),
    "penn.mrg": Kind(PENN, (
        "convert {}",
        "convert {} --to ud",
        "convert {} --to penn2malt",
        "convert {} --to lth2007",
        "convert {} --to brackets --strip-punct",
    )),
    "x.jsonl": Kind(PARSES, (
        "parse {} -m chain -f json",
        "parse {} -m grammar --keep heads --keep brackets -f json",
    )),
    "parse.jsonl": Kind(PARSE, ("show {}", "show {} -f html -o out", "show {} -f svg", "show {} --edit")),
    "x.txt": Kind(TEXT, (
        "parse {} -m chain",
        "parse {} -m udgn --raw",
        "parse {} -m grammar --language de -f brackets",
        "parse {} -m udgn -m on-lstm --distributions -f json",
        "parse {} -m ordered-memory -f brackets --tokenizer treebank",
        "classes {}",
        "select {} -m udgn -n 2 --by coverage",
        "perplexity lstm {}",
        "perplexity udgn {} --json",
        "train {} --recipe grammar --set grammar.classes=3 --set text.min_count=1 -o out",
    )),
    "pairs.tsv": Kind(MINIMAL_PAIRS, ("pairs lstm {}", "pairs udgn lstm {} --by kind --json")),
    "similar.tsv": Kind(SIMILAR, ("similarity evaluate udgn --data {} --baselines",)),
    "craft.tsv": Kind(WORLD, ("task craft draw {}", "task craft draw {} -f svg -o out")),
    "maps.yaml": Kind(MAPS, (
        "parse whole.txt -m udgn --punctuation ignore --function-words free --confidence fitted --calibration {}",
    )),
    "recipe.yaml": Kind(RECIPE, ("train missing.txt --recipe {} -o out",)),
    "words.pattern": Kind(WORD_PATTERN, ("search {} whole.conllu", "search {} whole.conllu --count --by V.form")),
    "brackets.pattern": Kind(BRACKET_PATTERN, ("search {} whole.mrg", "search {} whole.mrg --count --by n.words")),
}  # fmt: skip

MODEL_LINES = (
    "parse whole.txt -m model -f json",
    "parse whole.txt -m model -m chain --confidence raw -f json",
    "info model",
    "info model --json",
    "grammar model",
    "perplexity model whole.txt",
    "channels model whole.conllu",
    "pack model -o out",
    "calibrate model whole.mrg",
)


def tiny_models(folder: Path) -> dict[str, dict[str, bytes]]:
    """The files of a tiny untrained model of each kind: name → file name → content."""
    torch.manual_seed(1)
    for name, sizes in TINY.items():
        recipe = model_recipe_from(
            {"model": name, "architecture": sizes, "text": {"phrase_boundaries": name == "udgn"}}
        )
        vocabulary = Vocabulary([*SPECIAL, *WORDS])
        inducer = build(name, len(vocabulary), recipe.architecture)
        description = ModelDescription(recipe, PROVENANCE)
        boundaries = PhraseBoundaries(*(-torch.rand(2, len(vocabulary)).numpy())) if name == "udgn" else None
        write_model(folder / name, LoadedModel(description, vocabulary, inducer, boundaries))
        # The written-out defaults of training say nothing to a reader, and take it most of its time.
        config = (folder / name / CONFIG).read_text(encoding="utf-8")
        config = re.sub(r"(?m)^      training:\n(        .*\n)+", "", config)
        (folder / name / CONFIG).write_text(config, encoding="utf-8")
    return {name: files_of(folder / name) for name in TINY}


def files_of(directory: Path) -> dict[str, bytes]:
    """The files that a model is read from, by their paths in its directory."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file() and path.suffix != ".md")
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def mutated_model(models: Mapping[str, Mapping[str, bytes]], source: Random) -> dict[str, bytes]:
    """The files of one of these models, one of them changed."""
    files = dict(models[source.choice(list(models))])
    file = source.choice(list(files))
    if source.random() < 0.1:
        files[file] = models[source.choice(list(models))].get(file, files[file])
    elif file.endswith(".safetensors"):
        files[file] = source.choice([mutated, mutated, with_another_number])(files[file], source)
    else:
        files[file] = mutated(files[file], source)
    return files


def prepare(folder: Path, grammar: Path) -> dict[str, dict[str, bytes]]:
    """Writes whole files of each kind, and models, that commands read beside what is changed. ``grammar``: the
    directory of trained grammars. Returns the files of the models."""
    for name, kind in KINDS.items():
        if not (whole := folder / f"whole{Path(name).suffix}").exists():  # the first kind of each ending
            whole.write_bytes(kind.content)
    models = tiny_models(folder)
    untrained(folder / "lstm", "lstm", "the dog saw cats park")
    shutil.copytree(grammar, folder / "grammar")
    return models | {name: files_of(folder / name) for name in ("lstm", "grammar")}


class Input(NamedTuple):
    """A line of a command, and the files that it is given, of which one is changed."""

    line: str
    files: Mapping[str, bytes]


def numbered_input(number: int, models: Mapping[str, Mapping[str, bytes]]) -> Input:
    """Each line of `KINDS` and `MODEL_LINES` in its turn."""
    source = Random(number)
    lines = [(line, name) for name, kind in KINDS.items() for line in kind.lines]
    lines += [(line, "") for line in MODEL_LINES for _ in range(3)]  # there are many kinds of models
    line, name = lines[number % len(lines)]
    if name:
        return Input(line.replace("{}", name), {name: mutated(KINDS[name].content, source)})
    return Input(line, {f"model/{file}": content for file, content in mutated_model(models, source).items()})


def fault_of(given: Input, folder: Path, seconds: int = HANG) -> str:
    """What is wrong with what a command does with its input in a folder, empty if nothing is: it ends, within bounds of
    memory and time, with the exit code of its contract and, where it fails, one printable line; and leaves nothing but
    its whole output."""
    before = set(folder.iterdir())
    for name, content in given.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    texts = {name: content.decode(errors="replace") for name, content in given.files.items()}
    arguments = [texts[word] if word.endswith(".pattern") else word for word in given.line.split()]
    try:
        fault = _fault(arguments, folder, seconds)
        expected = {"out", *(Path(name).parts[0] for name in given.files)}
        left = sorted({path.name for path in set(folder.iterdir()) - before} - expected)
        return fault or (f"left there: {left}" if left else "")
    finally:
        for path in set(folder.iterdir()) - before:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _fault(arguments: Sequence[str], folder: Path, seconds: int) -> str:
    out, error = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    try:
        with contextlib.ExitStack() as stack:
            for bound in (in_folder(folder), redirect_stdout(out), redirect_stderr(error), bounded()):
                stack.enter_context(bound)
            stack.enter_context(unless_it_hangs(seconds))
            code = run(arguments)
    except (Exception, SystemExit):
        return traceback.format_exc()
    said = error.getvalue()
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if OBEYED.search(said) or not all(line.startswith("synparse: ") for line in said.splitlines()):
        return f"said: {said!r}"
    if code and (not said or (folder / "out").exists()):
        return f"exit code {code}, " + ("with output" if said else "without a word")
    return ""


@contextlib.contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
