"""Files that are damaged, or made to do harm: each loads or is one error line, soon and in little memory."""

import itertools
import os
import random
import re
import shutil
import struct
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from synparse.cli.app import run
from synparse.config.parsing import ParsingConfig
from synparse.corpora.vocabulary import SPECIAL
from synparse.files.streams import read_lines
from synparse.inducers.loading import keep_parser_only
from synparse.parsing.parser import Parser
from synparse.store.model_directory import CONFIG, VOCABULARY, WEIGHTS, Packed, StoredModel
from synparse.store.models import Model, config_file, open_model
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.constituency import format_brackets
from synparse.trees.errors import DataError
from synparse.trees.json_lines import read_json_lines
from tests.hostile_inputs import Input, fault_of, mutated_directory, numbered_input, prepare
from tests.hostile_kinds import BRACKETS, CONLLU, DIRECTORIES, KINDS, PARSES
from tests.hostile_models import SENTENCE, TINY, WORDS, tiny_models
from tests.mutations import bounded, mutated, unless_it_hangs, with_another_number
from tests.trees.dependency_trees import is_tree
from tests.untrained import NETWORKS, loaded, write_model

GRAMMAR = "grammars-1/grammar.safetensors"

COMMANDS = 80
"""How many inputs of commands are mutated. ``make faults`` tries more."""


def mutants(few, many):
    """A mark of a test, which mutates so many inputs; in ``make test-all``, many."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.long)])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return tiny_models(tmp_path_factory.mktemp("models"))


@pytest.fixture
def written(models, tmp_path):
    """Puts a model there and gives its directory."""

    def write(name="structformer"):
        directory = tmp_path / name
        directory.mkdir()
        for file, content in models[name].items():
            (directory / file).write_bytes(content)
        return directory

    return write


def outcome(read):
    """What ``read()`` gives, or None, and its error line, or None."""
    with unless_it_hangs():
        try:
            return read(), None
        except DataError as error:
            text = str(error)
    assert len(text) < 4000  # an unprintable character is shown as up to six
    assert len(text.splitlines()) == 1
    assert text == text.encode().decode()
    return None, text


def check_mutants(count, write, read, check, place):
    """Write what is mutated so often: each time it is read and passes the check, or it is an error line that begins
    with its place (a pattern). Both happen."""
    whole = failed = 0
    with bounded():
        for _ in range(count):
            write()
            result, error = outcome(read)
            if error is None:
                check(result)
                whole += 1
            else:
                assert re.match(place, error)
                failed += 1
    assert whole
    assert failed


def place_of_model(directory):
    return rf"{re.escape(str(directory))}|model "


def place_of_line(path):
    return rf"{re.escape(str(path))}:\d+: "


@mutants(60, 300)
def test_mutated_models_parse_or_are_an_error_line(models, tmp_path, count):
    source = random.Random(1)
    directory = tmp_path / "model"
    directory.mkdir()

    def write():
        for file, content in mutated_directory(models, source).items():
            (directory / file).write_bytes(content)

    def check(parses):
        [parse] = parses
        assert len(parse.tree) == len(SENTENCE)

    check_mutants(count, write, lambda: Parser.load(directory).parse([SENTENCE]), check, place_of_model(directory))


@pytest.fixture(scope="module")
def pair(models, tmp_path_factory):
    """The files of two packed models behind one name: path → content."""
    folder, members = tmp_path_factory.mktemp("pair"), {}
    for name, layers in (("udgn", 0), ("on-lstm", 2)):
        whole = folder / "whole" / name
        whole.mkdir(parents=True)
        for file, content in models[name].items():
            (whole / file).write_bytes(content)
        model = loaded(whole)
        description = replace(model.description, packed=Packed("int8", layers))
        keep_parser_only(model.inducer, layers)
        (write_model(folder / "pair" / name, replace(model, description=description)) / CONFIG).unlink()
        members[name] = StoredModel(folder / "pair" / name, description)
    how = ParsingConfig("evidence", "leaves", "unbiased", "projective")
    config = config_file(Model(folder / "pair", members, ("on-lstm",), ("udgn",), parsing=how))
    (folder / "pair" / CONFIG).write_bytes(re.sub(rb"(?m)^      training:\n(        .*\n)+", b"", config))
    paths = [path.relative_to(folder / "pair") for path in (folder / "pair").rglob("*.*")]
    return {path: (folder / "pair" / path).read_bytes() for path in sorted(paths) if path.suffix != ".md"}


@mutants(20, 100)
def test_mutated_pairs_of_packed_models_parse_or_are_an_error_line(pair, tmp_path, count):
    source = random.Random(5)
    directory = tmp_path / "pair"
    for path in pair:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
    weights = [path for path in pair if path.name == WEIGHTS]

    def write():
        changed = source.choice([Path(CONFIG), source.choice(weights)])
        for path, content in pair.items():
            (directory / path).write_bytes(mutated(content, source) if path == changed else content)

    def parse():
        try:
            return Parser.load(directory).parse([SENTENCE])
        except ValueError as error:
            if "do not read the same tokens" in str(error):  # each may be fine by itself
                raise DataError(str(error), str(directory)) from None
            raise

    def check(parses):
        assert len(parses) == 1

    check_mutants(count, write, parse, check, place_of_model(directory))


@mutants(40, 200)
@pytest.mark.parametrize("name", ["network", "taught", "grammar", "joint", "each"])
def test_mutated_configs_of_before_are_described_or_an_error_line(name, fixtures, tmp_path, count):
    source = random.Random(7)
    older = fixtures / "older"
    (tmp_path / "grammar.safetensors").touch()
    for member in ("udgn-1", "udgn-2"):
        (tmp_path / member).mkdir()
        shutil.copy(older / "network.yaml", tmp_path / member / CONFIG)
    content = (older / f"{name}.yaml").read_bytes()

    def write():
        (tmp_path / CONFIG).write_bytes(mutated(content, source))

    check_mutants(count, write, lambda: open_model(tmp_path), config_file, re.escape(str(tmp_path)))


@mutants(20, 100)
def test_mutated_grammars_parse_or_are_an_error_line(tiny_grammar, tmp_path, count):
    source = random.Random(6)
    directory = shutil.copytree(tiny_grammar, tmp_path / "model")
    files = {name: (directory / name).read_bytes() for name in ("grammars-1/classes.tsv", GRAMMAR, CONFIG)}

    def write():
        changed = source.choice(list(files))
        for name, content in files.items():
            change = mutated if name != GRAMMAR else source.choice([mutated, with_another_number])
            (directory / name).write_bytes(change(content, source) if name == changed else content)

    def parse():
        return Parser.load(directory).parse([SENTENCE, ["dog"] * 70], labels=True)

    def check(parses):
        assert all(len(parse.tree) == len(parse.heads) for parse in parses if parse.heads is not None)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_mutants(count, write, parse, check, place_of_model(directory))


@mutants(60, 300)
def test_mutated_conllu_is_read_whole_or_an_error_line(tmp_path, count):
    source = random.Random(2)
    path = tmp_path / "x.conllu"

    def read():
        sentences = list(read_conllu(read_lines(str(path)), str(path)))
        return sentences, [sentence.heads for sentence in sentences]

    def check(result):
        sentences, heads = result
        text = "".join(itertools.chain.from_iterable(sentence.lines for sentence in sentences))
        assert text.encode() == path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        assert [len(sentence.words) for sentence in sentences] == list(map(len, heads))

    check_mutants(count, lambda: path.write_bytes(mutated(CONLLU, source)), read, check, place_of_line(path))


@mutants(60, 300)
def test_mutated_brackets_are_read_or_an_error_line(tmp_path, count):
    source = random.Random(3)
    path = tmp_path / "x.mrg"

    def read():
        return [tree for _, tree in read_brackets(read_lines(str(path)), str(path))]

    def check(trees):
        again = [tree for _, tree in read_brackets(map(format_brackets, trees), "again")]
        assert list(map(len, again)) == list(map(len, trees))

    check_mutants(count, lambda: path.write_bytes(mutated(BRACKETS, source)), read, check, place_of_line(path))


@mutants(60, 300)
def test_mutated_parses_are_read_or_an_error_line(tmp_path, count):
    source = random.Random(5)
    path = tmp_path / "x.jsonl"

    def read():
        return list(read_json_lines(read_lines(str(path)), str(path)))

    def check(parses):
        for tokens, tree, heads, *_ in parses:
            assert " ".join(tokens).encode().decode() == " ".join(tokens)
            assert tree is None or tree.words == tokens
            assert heads is None or is_tree(heads)

    check_mutants(count, lambda: path.write_bytes(mutated(PARSES, source)), read, check, place_of_line(path))


@pytest.mark.parametrize(
    "line",
    [
        b'{"tokens": ' + b"[" * 1_000_000,
        b'{"tokens": [' + b"[]," * 3_000_000 + b"[]]}",
        b'{"tokens": ["a"], "heads": [' + b"9" * 5000 + b"]}",
        b'{"tokens": ["a"], "heads": [1e999]}',
        b'{"tokens": ["a"], "constituents": [[0, NaN]]}',
        b'{"tokens": ["a"], "other": 1e400}',
        b'{"tokens": ["a"], "constituents": [' + b"[0, 1]," * 100_000 + b"[0, 2]]}",
        b'{"tokens": ["\\ud800"]}',
        b'{"tokens": ["\\u001b[2J\\n"]}',
        b" " * 10_000_001 + b"{}",
    ],
)
def test_hostile_parses_are_an_error_line(line, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(line)
    with bounded():
        result, error = outcome(lambda: list(read_json_lines(read_lines(str(path)), str(path))))
    assert result is None
    assert error.startswith(f"{path}:1: ")
    assert "\x1b" not in error


# Files that are made with care. Each function spoils a StructFormer.


def setting(pattern, value):
    def spoil(directory):
        path = directory / CONFIG
        text = path.read_text(encoding="utf-8")
        assert re.search(pattern, text)
        path.write_text(re.sub(pattern, lambda _: value, text, count=1), encoding="utf-8")

    return spoil


def packed(values):
    return setting("(?m)^    provenance:", f"    packed: {values}\n    provenance:")


def content(file, value):
    return lambda directory: (directory / file).write_bytes(value)


def pipe(file):
    def spoil(directory):
        (directory / file).unlink()
        os.mkfifo(directory / file)

    return spoil


def folder(file):
    def spoil(directory):
        (directory / file).unlink()
        (directory / file).mkdir()

    return spoil


def link(file, target):
    def spoil(directory):
        (directory / file).unlink()
        (directory / file).symlink_to(target)

    return spoil


def moved_out(file):
    def spoil(directory):
        (directory / file).rename(directory.parent / file)
        (directory / file).symlink_to(directory.parent / file)

    return spoil


def weights(change):
    def spoil(directory):
        state = load_file(directory / WEIGHTS)
        save_file(change({name: tensor.clone() for name, tensor in state.items()}), directory / WEIGHTS)

    return spoil


def with_value(value, name="embedding.weight"):
    def change(state):
        state[name].view(-1)[-1] = value
        return state

    return weights(change)


def big_endian(directory):
    path = directory / WEIGHTS
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    numbers = struct.unpack(f"<{(len(raw) - start) // 4}f", raw[start:])
    path.write_bytes(raw[:start] + struct.pack(f">{len(numbers)}f", *numbers))


def raw_weights(change):
    def spoil(directory):
        path = directory / WEIGHTS
        path.write_bytes(change(path.read_bytes()))

    return spoil


def sparse(file, size):
    def spoil(directory):
        with (directory / file).open("r+b") as stream:
            stream.truncate(size)  # takes no room on the disk

    return spoil


def empty_rows(state):
    return {**state, "embedding.weight": torch.zeros(10**15, 0)}


MILLION_WORDS = "".join(f"{word}\n" for word in (*SPECIAL, *range(10**6))).encode()
CLASSES_FIRST = "".join(f"{word}\n" for word in (*SPECIAL, *reversed(WORDS))).encode()
LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))

HOSTILE = {
    "a hidden size of a billion": (
        setting("hidden_size: 8", "hidden_size: 1000000000"),
        "hidden_size must be .* 65536",
    ),
    "a million layers": (setting("  layers: 1", "  layers: 1000000"), "layers must be .* at most 1000"),
    "more layers than tensors": (setting("  layers: 1", "  layers: 999"), "tensors make no 999 layers"),
    "a size of many digits": (setting("hidden_size: 8", "hidden_size: " + "9" * 5000), "digits"),
    "no size": (setting("attention_heads: 2", "attention_heads: 0"), "attention_heads must be .* at least 1"),
    "a large model's config": (setting("hidden_size: 8", "hidden_size: 4096"), "do not fit"),
    "no possible model": (setting("convolution_width: 9", "convolution_width: 8"), "convolution must be odd"),
    "a rate that is no number": (setting("dropout: 0.1", "dropout: .nan"), "finite number"),
    "an infinite rate": (setting("dropout: 0.1", "dropout: 1e999"), "finite number"),
    "a key that appears twice": (setting("hidden_size: 8", "hidden_size: 8\n        hidden_size: 8"), "appears twice"),
    "a date for a size": (setting("hidden_size: 8", "hidden_size: 2001-12-14"), "must be a whole number"),
    "a billion laughs": (content(CONFIG, LAUGHS.encode()), "aliases"),
    "deep nesting": (content(CONFIG, b"[" * 90_000), "deep"),
    "a megabyte of settings": (content(CONFIG, b"[" + b"a," * 499_000 + b"]"), "values"),
    "a config of a terabyte": (sparse(CONFIG, 10**12), "larger than"),
    "a list for a recipe": (content(CONFIG, b"recipe: []\nprovenance: {}\n"), "a model's recipe is a mapping"),
    "a list for a config": (content(CONFIG, b"[]"), "not a synparse config"),
    "text for where it comes from": (content(CONFIG, b"recipe: {model: udgn}\nprovenance: x\n"), "not a synparse"),
    "an unknown setting on two lines": (content(CONFIG, b'recipe: {"a\\nb": 1}\nprovenance: {}'), "unknown setting"),
    "a tokenizer that is a path": (setting("tokenizer: whitespace", "tokenizer: stanza:../../x"), "unknown tokenizer"),
    "a reference for numbers": (setting("digits: N", r"digits: \g<7>"), "digits must be one short word"),
    "a pipe for a config": (pipe(CONFIG), "not a file"),
    "a pipe for a vocabulary": (pipe(VOCABULARY), "not a file"),
    "a pipe for weights": (pipe(WEIGHTS), "not a file"),
    "a folder for a config": (folder(CONFIG), "not a file"),
    "a folder for a vocabulary": (folder(VOCABULARY), "not a file"),
    "a folder for weights": (folder(WEIGHTS), "not a file"),
    "a link to a device": (link(CONFIG, "/dev/zero"), "a link that leads out"),
    "a link to another file": (link(VOCABULARY, "/etc/passwd"), "a link that leads out"),
    "a link out and back to the same": (moved_out(WEIGHTS), "a link that leads out"),
    "a link to itself": (link(WEIGHTS, WEIGHTS), "levels of symbolic links"),
    "a link to nothing": (link(WEIGHTS, "nothing"), "no weights"),
    "a million words": (content(VOCABULARY, MILLION_WORDS), "words"),
    "classes among the words": (content(VOCABULARY, CLASSES_FIRST), "stand at the end"),
    "a vocabulary of a terabyte": (sparse(VOCABULARY, 10**12), "larger than"),
    "weights that are no numbers": (with_value(float("nan")), "damaged weights"),
    "infinite weights": (with_value(float("-inf")), "damaged weights"),
    "absurd weights": (with_value(1e30), "damaged weights"),
    "scores that are no numbers": (with_value(1e5, "log_scales"), "its scores are not finite"),
    "weights of the other byte order": (big_endian, "bytes in the wrong order"),
    "weights cut off": (raw_weights(lambda raw: raw[:-1]), "damaged weights"),
    "weights with more behind": (raw_weights(lambda raw: raw + b"\0"), "damaged weights"),
    "no header of weights": (raw_weights(lambda raw: b"\xff" * 8 + raw[8:]), "a header of more than"),
    "a header larger than the file": (
        raw_weights(lambda raw: struct.pack("<Q", 3_000_000) + raw[8:]),
        "damaged weights",
    ),
    "a deep header": (raw_weights(lambda _: struct.pack("<Q", 90_000) + b"[" * 90_000), "damaged weights"),
    "weights of double length": (weights(lambda state: {n: t.double() for n, t in state.items()}), "holds F64"),
    "weights that count": (weights(lambda state: {n: t.long() for n, t in state.items()}), "holds I64"),
    "a quadrillion empty rows": (weights(empty_rows), "do not fit"),
    "a tensor too many": (weights(lambda state: {**state, "\x1b[2J\n": torch.zeros(2)}), "do not fit"),
    "bytes without scales": (
        weights(lambda state: {n: t.to(torch.int8) for n, t in state.items()}),
        "holds I8 without",
    ),
    "packed in no known way": (packed("{storage: int4}"), "storage must be one of"),
    "packed with a layer too many": (packed("{layers: 1}"), "more than the model has"),
    "packed with layers below none": (packed("{layers: -1}"), "packed.layers must be .* at least 0"),
    "packed, and whole": (packed("{storage: int8}"), "do not fit"),
    "packed with a list": (packed("[int8]"), "packed must be a mapping"),
    "no tensors": (weights(lambda _: {}), "the weights do not fit"),
    "pickled weights": (lambda directory: torch.save({}, directory / WEIGHTS), "damaged weights"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_models_end_commands_with_one_line(name, written, tmp_path, capsys):
    spoil, message = HOSTILE[name]
    directory = written()
    spoil(directory)
    (tmp_path / "text").write_text(" ".join(SENTENCE) + "\n")
    with bounded(), unless_it_hangs():
        code = run(["parse", "--model", str(directory), str(tmp_path / "text")])
    out, error = capsys.readouterr()
    assert code == 1
    assert out == ""
    assert re.search(message, error)
    assert len(error.splitlines()) == 1
    assert "\x1b" not in error


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_models_are_described_or_one_line(name, written, capsys):
    spoil, _ = HOSTILE[name]
    directory = written()
    spoil(directory)
    with bounded(), unless_it_hangs():
        code = run(["info", str(directory), "--json"])
    _, error = capsys.readouterr()
    assert (code, len(error.splitlines())) in ((0, 0), (1, 1))


def test_weights_of_half_length_are_read(written):
    directory = written()
    weights(lambda state: {name: tensor.half() for name, tensor in state.items()})(directory)
    assert {tensor.dtype for tensor in loaded(directory).inducer.state_dict().values()} == {torch.float32}
    assert len(Parser.load(directory).parse([SENTENCE])) == 1


def test_links_inside_the_directory_are_followed(written):
    directory = written()
    (directory / WEIGHTS).rename(directory / "other")
    (directory / WEIGHTS).symlink_to("other")
    (directory.parent / "model").symlink_to(directory)
    assert len(Parser.load(directory.parent / "model").parse([SENTENCE])) == 1


@pytest.mark.parametrize("name", TINY)
def test_the_models_here_are_whole(name, written):
    [parse] = Parser.load(written(name)).parse([SENTENCE])
    assert parse.tokens == tuple(SENTENCE)


def test_every_kind_of_model_is_here():
    assert set(TINY) == set(NETWORKS)


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def directories(work, tmp_path_factory, sample_text):
    text = tmp_path_factory.mktemp("text") / "text.txt"
    text.write_text("".join(f"{line}\n" for line in sample_text[:20]), encoding="utf-8")
    return prepare(work, text)


def test_commands_read_what_is_damaged_or_say_in_one_line_why_not(work, directories):
    for number in range(COMMANDS):
        given = numbered_input(number, directories)
        assert fault_of(given, work) == "", (number, given.line)


@pytest.mark.long
def test_inputs_that_are_not_damaged_are_read(work, directories):
    """So that commands do not refuse their options before they read anything."""
    for name, kind in KINDS.items():
        for line in kind.lines:
            files = {name: kind.content}
            assert fault_of(Input(line.replace("{}", name), files), work, may_fail=False) == "", line
    for name, lines in DIRECTORIES.items():
        for line in lines:
            faults = (
                fault_of(
                    Input(line, {f"model/{file}": content for file, content in files.items()}), work, may_fail=False
                )
                for files in directories[name].values()
            )
            assert "" in faults, line


def leaves_a_file(_):
    Path("stray").touch()
    return 0


def fails_with_output(_):
    Path("out").mkdir()
    print("synparse: no", file=sys.stderr)
    return 1


def says_more(_):
    print("Traceback", file=sys.stderr)
    return 1


def raises(_):
    raise ValueError("no")


@pytest.mark.parametrize(
    ("does", "fault"),
    [
        (leaves_a_file, "left there: ['stray']"),
        (fails_with_output, "exit code 1, with output"),
        (says_more, "said: 'Traceback"),
        (raises, "ValueError: no"),
        (lambda _: 1, "exit code 1, without a word"),
        (lambda _: 3, "exit code 3"),
        (lambda _: 0, ""),
    ],
)
def test_what_a_command_does_wrong_is_found(does, fault, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.hostile_inputs.run", does)
    found = fault_of(Input("show x", {"x": b""}), tmp_path)
    assert fault in found if fault else found == ""
    assert list(tmp_path.iterdir()) == []
