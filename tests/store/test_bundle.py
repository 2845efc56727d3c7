"""Several models behind one name: each asked for brackets, heads or both."""

import shutil

import pytest
import yaml

from synparse.parsing.parser import Parser
from synparse.store import model_directory
from synparse.store.bundle import Bundle, open_model
from synparse.store.info import info
from synparse.store.model_directory import read_description
from synparse.trees.errors import DataError

MARKED = ["the dog , who sees the cat ; barks at ( the old man ) .", "the cat sees a dog , and barks", "", ". .", "a"]


@pytest.fixture(scope="module")
def directories(tiny_model, tiny_udgn, tiny_on_lstm):
    return {"structformer": tiny_model, "udgn": tiny_udgn, "on-lstm": tiny_on_lstm}


@pytest.fixture
def bundled(directories, tmp_path):
    """Makes a directory of several models, and gives it."""

    def make(**config):
        folder = tmp_path / "several"
        folder.mkdir()
        for name, directory in directories.items():
            shutil.copytree(directory, folder / name)
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        return folder

    return make


def alone(directory, sentences, **options):
    return Parser.load(directory, device="cpu", **options).parse(sentences)


def test_what_is_written_is_read(tmp_path, tiny_udgn):
    for name in ("a", "b-1"):
        shutil.copytree(tiny_udgn, tmp_path / name)
    for bundle in (
        Bundle(("a", "b-1"), ("b-1",)),
        Bundle((), ("a",), "evidence"),
        Bundle(("a",), (), function_words="leaves", tree_decoder="published"),
    ):
        (tmp_path / "config.yaml").write_text(yaml.safe_dump(bundle.as_mapping()))
        members, found = open_model(tmp_path)
        assert found == bundle
        assert {name: one.directory for name, one in members.items()} == {n: tmp_path / n for n in bundle.names}
        assert {one.description.recipe.model for one in members.values()} == {"udgn"}
    assert Bundle(("a", "b"), ("c", "a")).names == ("a", "b", "c")


def test_one_model_is_no_bundle(tiny_model):
    members, bundle = open_model(tiny_model)
    assert bundle is None
    assert [one.directory for one in members.values()] == [tiny_model]
    assert next(iter(members.values())).description == read_description(tiny_model)


def test_every_config_is_read_once(bundled, monkeypatch):
    read = []
    original = model_directory.read_plain_yaml
    monkeypatch.setattr(model_directory, "read_plain_yaml", lambda path: (read.append(path), original(path))[1])
    folder = bundled(members={"brackets": ["on-lstm", "udgn"], "heads": ["udgn"]})
    Parser.load(folder, device="cpu").parse(["the dog barks"])
    assert read == [folder / "config.yaml", folder / "on-lstm" / "config.yaml", folder / "udgn" / "config.yaml"]


def test_brackets_come_from_one_and_heads_from_another(bundled, directories, sample_text):
    folder = bundled(members={"brackets": ["on-lstm"], "heads": ["udgn"]}, parse={"heads": "projective"})
    parser = Parser.load(folder, device="cpu")
    assert parser.tree_decoders == ("unbiased", "splits", "published")
    assert parser.head_decoders == ("projective", "mst", "argmax", "phrases")
    sentences = [*sample_text[:30], *MARKED]
    brackets, heads = (alone(directories[name], sentences) for name in ("on-lstm", "udgn"))
    for both, of_brackets, of_heads in zip(parser.parse(sentences), brackets, heads, strict=True):
        assert both.tree == of_brackets.tree
        assert both.distances == of_brackets.distances
        assert both.heads == of_heads.heads


def test_a_model_takes_part_only_where_it_is_listed(bundled, directories, sample_text):
    folder = bundled(members={"brackets": ["on-lstm", "structformer", "udgn"], "heads": ["structformer"]})
    parser = Parser.load(folder, device="cpu")
    heads = Parser.load([directories["structformer"]] * 2, device="cpu").parse(sample_text[:30], None)
    assert [one.heads for one in parser.parse(sample_text[:30], None)] == [one.heads for one in heads]
    every = Parser.load([directories[name] for name in ("on-lstm", "structformer", "udgn")], device="cpu")
    trees = [one.tree for one in every.parse(sample_text[:30], head_decoder=None)]
    assert [one.tree for one in parser.parse(sample_text[:30], head_decoder=None)] == trees
    assert not any(one.distances for one in parser.parse(sample_text[:5]))


def test_a_model_that_is_not_asked_is_not_run(bundled):
    parser = Parser.load(bundled(members={"brackets": ["on-lstm"], "heads": ["udgn"]}), device="cpu")

    def refuse(*_):
        raise AssertionError("is run")

    for number, decoders in enumerate([("unbiased", None), (None, "mst")]):
        members = [
            one._replace(score=refuse) if position != number else one for position, one in enumerate(parser.members)
        ]
        [parse] = Parser(members, parser.punctuation).parse(["the dog barks"], *decoders)
        assert len(parse.tokens) == 3


def test_models_for_one_part_alone_give_that_part(bundled):
    folder = bundled(members={"brackets": ["structformer"]})
    parser = Parser.load(folder, device="cpu")
    assert parser.head_decoders == ()
    assert parser.parse(["the dog barks"])[0].heads is None
    (folder / "config.yaml").write_text("members: {heads: [structformer]}")
    parser = Parser.load(folder, device="cpu")
    assert parser.tree_decoders == ()
    [parse] = parser.parse(["the dog barks"])
    assert parse.tree is None
    assert parse.heads


def test_defaults_are_those_of_the_directory_and_what_is_said_goes_before(bundled, directories):
    folder = bundled(
        members={"brackets": ["structformer"], "heads": ["structformer"]},
        parse={"punctuation": "evidence", "function_words": "leaves", "brackets": "published", "heads": "argmax"},
    )
    parser = Parser.load(folder, device="cpu")
    assert (parser.punctuation, parser.tree_decoders[0], parser.head_decoders[0]) == ("evidence", "published", "argmax")
    assert parser.function_words == "leaves"
    how = {"punctuation": "evidence", "function_words": "leaves"}
    weighed = Parser.load(directories["structformer"], device="cpu", **how)
    assert parser.parse(MARKED) == weighed.parse(MARKED, "published", "argmax")
    said = Parser.load(folder, device="cpu", punctuation="ignore", function_words="free")
    assert said.parse(MARKED, "unbiased", "mst") == alone(directories["structformer"], MARKED)
    assert parser.parse(MARKED[:2]) != said.parse(MARKED[:2])
    among_others = Parser.load([folder, directories["udgn"]], device="cpu")
    assert (among_others.punctuation, among_others.head_decoders[0]) == ("ignore", "mst")
    assert among_others.function_words == "free"
    assert among_others.model == "structformer + udgn"


def test_a_description_is_of_each(bundled):
    folder = bundled(members={"brackets": ["on-lstm"], "heads": ["udgn"]}, parse={"punctuation": "evidence"})
    found = info(str(folder))
    assert (found["kind"], found["gives"]) == ("on-lstm + udgn", "brackets and heads")
    assert found["parameters"] == sum(info(str(folder / name))["parameters"] for name in ("on-lstm", "udgn"))
    assert found["of"]["udgn"]["provenance"]["seed"] == 1


LONG = "x" * 101


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("members: {}", "names no model"),
        ("members: {heads: []}", "names no model"),
        ("members: null", "names no model"),
        ("members: [udgn]", "members must be a mapping"),
        ("members: {heads: udgn}", "members.heads must be a list, not 'udgn'"),
        ("members: {heads: [../udgn]}", "list of directory names"),
        ("members: {heads: [/etc]}", "list of directory names"),
        ("members: {heads: [.]}", "list of directory names"),
        ("members: {heads: [..]}", "list of directory names"),
        ("members: {heads: [.saved]}", "list of directory names"),
        ("members: {heads: ['udgn/']}", "list of directory names"),
        ('members: {heads: ["udgn\\n"]}', "list of directory names"),
        ("members: {heads: ['']}", "list of directory names"),
        (f"members: {{heads: [{LONG}]}}", "list of directory names"),
        ("members: {heads: [1]}", "members.heads must be a list of text, not [1]"),
        ("members: {heads: [[udgn]]}", "members.heads must be a list of text"),
        ("members: {heads: [udgn, udgn]}", "members: a name appears twice in heads"),
        ("members: {heads: [" + ", ".join(f"m{n}" for n in range(101)) + "]}", "more than 100 models"),
        ("members: {head: [udgn]}", "unknown setting members.head; did you mean members.heads"),
        ("members: {heads: [udgn]}\nrecipe: {model: udgn}", "unknown setting recipe"),
        ("members: {heads: [udgn]}\nparse: evidence", "parse must be a mapping"),
        ("members: {heads: [udgn]}\nparse: {punctuation: [evidence]}", "parse.punctuation must be text or null"),
        (
            "members: {heads: [udgn]}\nparse: {function_words: both}",
            "function_words must be free or leaves, not 'both'",
        ),
        ("members: {heads: [udgn]}\nparse: {punctuation: both}", "punctuation must be ignore or evidence, not 'both'"),
        ("members: {heads: [udgn]}\nparse: {brackets: unbiased}", "'unbiased'; possible are none"),
        ("members: {heads: [udgn]}\nparse: {heads: joint}", "'joint'; possible are projective"),
        ("members: {heads: [nothing]}", "no directory nothing"),
        ("members: {heads: [config.yaml]}", "no directory config.yaml"),
        ("members: {heads: [inner]}", "holds several models; name one of them"),
        ("members: {heads: [empty]}", "it has no config.yaml"),
        ("members: {heads: [away]}", "a link that leads out"),
        ("members: {heads: [self]}", "holds several models"),
    ],
)
def test_what_is_no_bundle_is_reported_in_one_line(config, message, bundled, tmp_path):
    folder = bundled()
    for name, inner in (("inner", "members: {heads: [udgn]}"), ("empty", None)):
        (folder / name).mkdir()
        if inner is not None:
            (folder / name / "config.yaml").write_text(inner)
    shutil.copytree(folder / "udgn", tmp_path / "elsewhere")
    (folder / "away").symlink_to(tmp_path / "elsewhere")
    (folder / "self").symlink_to(folder)
    (folder / "config.yaml").write_text(config)
    with pytest.raises(DataError) as caught:
        Parser.load(folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)
