"""Several models behind one name: each asked for brackets, heads or both."""

import shutil

import pytest
import yaml

from synparse.config.parsing import ParsingConfig
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


def recording(directory, folder, **parsing):
    """A copy of a model directory whose recipe records this."""
    shutil.copytree(directory, folder)
    path = folder / "config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["recipe"]["parsing"] = parsing
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return folder


def test_a_model_parses_as_it_records_and_what_is_said_goes_before(tiny_model, tmp_path):
    how = {"punctuation": "evidence", "function_words": "leaves"}
    folder = recording(tiny_model, tmp_path / "model", **how, brackets="published", heads="argmax")
    parser = Parser.load(folder, device="cpu")
    assert (parser.punctuation, parser.function_words) == ("evidence", "leaves")
    assert (parser.tree_decoders[0], parser.head_decoders[0]) == ("published", "argmax")
    asked = Parser.load(tiny_model, device="cpu", **how).parse(MARKED, "published", "argmax")
    assert parser.parse(MARKED) == asked != alone(tiny_model, MARKED)
    said = Parser.load(folder, device="cpu", punctuation="ignore", function_words="free")
    assert said.parse(MARKED, "unbiased", "joint") == Parser.load(tiny_model, device="cpu").parse(
        MARKED, "unbiased", "joint"
    )


def test_a_model_that_records_nothing_parses_as_before(tiny_model, tmp_path):
    folder = recording(tiny_model, tmp_path / "model")
    path = folder / "config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    del config["recipe"]["parsing"]
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    how = {"punctuation": "ignore", "function_words": "free"}
    assert alone(folder, MARKED) == alone(tiny_model, MARKED, **how)
    assert open_model(folder).parsing == ParsingConfig()


def test_several_models_parse_as_all_of_them_record(tiny_model, tiny_udgn, tmp_path):
    one = recording(tiny_model, tmp_path / "one", punctuation="evidence", function_words="leaves", heads="argmax")
    other = recording(tiny_udgn, tmp_path / "other", punctuation="evidence", function_words="free", heads="argmax")
    together = Parser.load([one, other, "chain"], device="cpu")
    assert (together.punctuation, together.function_words) == ("evidence", "free")
    assert together.head_decoders[0] == "mst"  # a decoder is recorded for a model alone
    assert Parser.load([one, tiny_udgn], device="cpu").punctuation == "ignore"
    assert Parser.load([one, one], device="cpu").function_words == "leaves"
    assert Parser.load(["chain", "balanced"]).punctuation == "ignore"


@pytest.mark.parametrize(("part", "decoder"), [("brackets", "boundaries"), ("heads", "joint")])
def test_a_recorded_decoder_that_the_model_does_not_have_is_told(part, decoder, tiny_udgn, tmp_path):
    folder = recording(tiny_udgn, tmp_path / "model", **{part: decoder})
    with pytest.raises(DataError, match=f"the decoder of {part} is '{decoder}'; possible are projective"):
        Parser.load(folder, device="cpu")


def test_a_decoder_of_grammars_waits_for_them(tiny_udgn, tmp_path):
    folder = recording(tiny_udgn, tmp_path / "model", brackets="grammar", heads="dbm")
    parser = Parser.load(folder, device="cpu")
    assert (parser.tree_decoders, parser.head_decoders) == (
        *[getattr(Parser.load(tiny_udgn, device="cpu"), one) for one in ("tree_decoders", "head_decoders")],
    )


def test_a_directory_goes_before_its_members_and_these_before_nothing(bundled, directories):
    folder = bundled(members={"brackets": ["structformer", "udgn"]}, parse={"function_words": "free"})
    for name in ("structformer", "udgn"):
        shutil.rmtree(folder / name)
        how = {"punctuation": "evidence", "function_words": "leaves", "brackets": "projective"}
        recording(directories[name], folder / name, **how)
    assert open_model(folder).parsing == ParsingConfig("evidence", "free", "default", "default")
    parser = Parser.load(folder, device="cpu")
    assert (parser.punctuation, parser.function_words) == ("evidence", "free")
    assert info(str(folder))["parse"] == {
        "punctuation": "evidence",
        "function_words": "free",
        "brackets": "default",
        "heads": "default",
    }


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
