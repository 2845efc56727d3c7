"""A directory of several models: which of them give brackets, which heads, and how they parse; and directories of the
shapes that version 0.2 wrote."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import ParsingConfig
from synparse.config.recipe import stages_of
from synparse.parsing.options import Request
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.store import model_directory
from synparse.store.info import info
from synparse.store.model_directory import ModelDescription, StoredModel
from synparse.store.models import GrammarSet, Model, config_file, folder_in, one_member, open_model
from synparse.trees.errors import DataError
from tests.cli.commands import printed

MARKED = ["the dog , who sees the cat ; barks at ( the old man ) .", "the cat sees a dog , and barks", "", ". .", "a"]


@pytest.fixture(scope="module")
def directories(tiny_model, tiny_udgn, tiny_on_lstm):
    return {"structformer": tiny_model, "udgn": tiny_udgn, "on-lstm": tiny_on_lstm}


def write(model):
    (model.directory / "config.yaml").write_bytes(config_file(model))
    return model.directory


@pytest.fixture
def several(directories, tmp_path):
    """Makes a directory of several models, and gives it; ``parsing``: how it parses."""

    def make(of_brackets=(), of_heads=(), **parsing):
        folder = tmp_path / "several"
        members = {}
        for name in dict.fromkeys((*of_brackets, *of_heads)):
            shutil.copytree(directories[name], folder / name)
            members[name] = StoredModel(folder / name, open_model(folder / name).description)
        return write(Model(folder, members, tuple(of_brackets), tuple(of_heads), parsing=ParsingConfig(**parsing)))

    return make


def alone(directory, sentences, **options):
    return Parser.load(directory, device="cpu", **options).parse(sentences)


def recording(directory, folder, **parsing):
    """A copy of a model directory that records how it parses."""
    shutil.copytree(directory, folder)
    return write(replace(open_model(folder), parsing=ParsingConfig(**parsing)))


def test_what_is_written_is_read(tmp_path, tiny_udgn):
    for name in ("a", "b-1"):
        shutil.copytree(tiny_udgn, tmp_path / name)
    description = open_model(tiny_udgn).description
    a, b = (StoredModel(tmp_path / name, description) for name in ("a", "b-1"))
    grammars = (
        GrammarSet("a", ("a",), GrammarConfig(classes=7), {"seed": 3}),
        GrammarSet(".", ("a", "b-1"), GrammarConfig()),
    )
    for model in (
        Model(tmp_path, {"a": a, "b-1": b}, ("a", "b-1"), ("b-1",)),
        Model(tmp_path, {"a": a}, (), ("a",), parsing=ParsingConfig("evidence", "leaves", "grammar", "mst")),
        Model(
            tmp_path, {"a": a, "b-1": b}, ("a",), ("b-1",), grammars, confidence={"gold": ["x"]}, provenance={"seed": 1}
        ),
        one_member(tiny_udgn, description),
    ):
        assert open_model(write(replace(model, directory=model.directory))) == model
        assert model.description == description
    assert list(open_model(tiny_udgn).members) == ["udgn-1"]


def test_a_run_writes_a_folder_for_each_model_and_each_set_of_grammars(tiny_taught, tiny_grammar):
    taught, counted = open_model(tiny_taught), open_model(tiny_grammar)
    assert {name: member.directory for name, member in taught.members.items()} == {"udgn-1": tiny_taught / "udgn-1"}
    assert (taught.brackets, taught.heads) == (("udgn-1",), ("udgn-1",))
    [grammar_set] = taught.grammars
    assert (grammar_set.folder, grammar_set.members, grammar_set.settings.classes) == ("grammars-1", ("udgn-1",), 12)
    assert stages_of(taught.recipe) == ["udgn", "grammars"]
    assert [stage["stage"] for stage in taught.provenance["stages"]] == ["udgn", "grammars"]
    assert list(counted.members) == ["grammar-1"]
    assert counted.description.recipe.training is None
    assert stages_of(counted.recipe) == ["grammars"]
    assert open_model(tiny_taught / "udgn-1").description == taught.description


def test_a_model_parses_as_it_records_and_what_is_said_goes_before(tiny_model, tmp_path):
    how = {"punctuation": "evidence", "function_words": "leaves"}
    folder = recording(tiny_model, tmp_path / "model", **how, brackets="published", heads="argmax")
    parser = Parser.load(folder, device="cpu")
    assert (parser.punctuation, parser.function_words) == ("evidence", "leaves")
    assert (parser.tree_decoders[0], parser.head_decoders[0]) == ("published", "argmax")
    asked = Parser.load(tiny_model, device="cpu", **how).parse(MARKED, brackets="published", heads="argmax")
    assert parser.parse(MARKED) == asked != alone(tiny_model, MARKED)
    said = Parser.load(folder, device="cpu", punctuation="ignore", function_words="free")
    assert said.parse(MARKED, brackets="unbiased", heads="joint") == Parser.load(tiny_model, device="cpu").parse(
        MARKED, brackets="unbiased", heads="joint"
    )


def test_several_models_parse_as_all_of_them_record(tiny_model, tiny_udgn, tmp_path):
    leaves_model = recording(
        tiny_model, tmp_path / "one", punctuation="evidence", function_words="leaves", heads="argmax"
    )
    free_model = recording(tiny_udgn, tmp_path / "other", punctuation="evidence", function_words="free", heads="argmax")
    together = Parser.load([leaves_model, free_model, "chain"], device="cpu")
    assert (together.punctuation, together.function_words) == ("evidence", "free")
    assert together.head_decoders[0] == "mst"  # a decoder is recorded for a model alone
    assert Parser.load([leaves_model, tiny_udgn], device="cpu").punctuation == "ignore"
    assert Parser.load([leaves_model, leaves_model], device="cpu").function_words == "leaves"
    assert Parser.load(["chain", "balanced"]).punctuation == "ignore"


@pytest.mark.parametrize(("part", "decoder"), [("brackets", "boundaries"), ("heads", "joint")])
def test_a_recorded_decoder_that_the_model_does_not_have_is_told(part, decoder, tiny_udgn, tmp_path):
    folder = recording(tiny_udgn, tmp_path / "model", **{part: decoder})
    with pytest.raises(DataError, match=f"the decoder of {part} is '{decoder}'; possible are projective"):
        Parser.load(folder, device="cpu")


def test_a_decoder_of_grammars_waits_for_them(tiny_udgn, tmp_path):
    folder = recording(tiny_udgn, tmp_path / "model", brackets="grammar", heads="grammar")
    parser, plain = (Parser.load(directory, device="cpu") for directory in (folder, tiny_udgn))
    assert (parser.tree_decoders, parser.head_decoders) == (plain.tree_decoders, plain.head_decoders)


def test_a_directory_goes_before_its_members(several):
    folder = several(["structformer", "udgn"], punctuation="evidence")
    for member in open_model(folder).members.values():
        write(replace(open_model(member.directory), parsing=ParsingConfig("ignore", "leaves", "projective")))
    parser = Parser.load(folder, device="cpu")
    assert (parser.punctuation, parser.function_words) == ("evidence", "free")
    assert info(str(folder))["parsing"] == {
        **{"punctuation": "evidence", "function_words": "free"},
        **{"brackets": "default", "heads": "default"},
    }


def test_one_config_says_all(several, monkeypatch):
    read = []
    original = model_directory.read_plain_yaml
    folder = several(["on-lstm", "udgn"], ["udgn"])
    for member in open_model(folder).members.values():
        (member.directory / "config.yaml").unlink()
    monkeypatch.setattr(model_directory, "read_plain_yaml", lambda path: (read.append(path), original(path))[1])
    Parser.load(folder, device="cpu").parse(["the dog barks"])
    assert read == [folder / "config.yaml"]


def test_brackets_come_from_one_and_heads_from_another(several, directories, sample_text):
    parser = Parser.load(several(["on-lstm"], ["udgn"], heads="projective"), device="cpu")
    assert parser.tree_decoders == ("unbiased", "splits", "published")
    assert parser.head_decoders == ("projective", "mst", "argmax", "phrases")
    sentences = [*sample_text[:30], *MARKED]
    brackets, heads = (alone(directories[name], sentences) for name in ("on-lstm", "udgn"))
    for both, of_brackets, of_heads in zip(parser.parse(sentences), brackets, heads, strict=True):
        assert both.tree == of_brackets.tree
        assert both.distances == of_brackets.distances
        assert both.heads == of_heads.heads


def test_a_model_takes_part_only_where_it_is_listed(several, directories, sample_text):
    parser = Parser.load(several(["on-lstm", "structformer", "udgn"], ["structformer"]), device="cpu")
    heads = Parser.load([directories["structformer"]] * 2, device="cpu").parse(sample_text[:30], brackets=None)
    assert [parse.heads for parse in parser.parse(sample_text[:30], brackets=None)] == [parse.heads for parse in heads]
    every = Parser.load([directories[name] for name in ("on-lstm", "structformer", "udgn")], device="cpu")
    trees = [parse.tree for parse in every.parse(sample_text[:30], heads=None)]
    assert [parse.tree for parse in parser.parse(sample_text[:30], heads=None)] == trees
    assert not any(parse.distances for parse in parser.parse(sample_text[:5]))


def test_a_model_that_is_not_asked_is_not_run(several):
    parser = Parser.load(several(["on-lstm"], ["udgn"]), device="cpu")

    def refuse(*_):
        raise AssertionError("is run")

    for number, decoders in enumerate([("unbiased", None), (None, "mst")]):
        members = [
            member._replace(score=refuse) if position != number else member
            for position, member in enumerate(parser.members)
        ]
        [parse] = Parser(members, parser.punctuation).parse(["the dog barks"], Request(*decoders))
        assert len(parse.tokens) == 3


def test_models_for_one_part_alone_give_that_part(several):
    folder = several(["structformer"])
    parser = Parser.load(folder, device="cpu")
    assert parser.head_decoders == ()
    assert parser.parse(["the dog barks"])[0].heads is None
    write(replace(open_model(folder), brackets=(), heads=("structformer",)))
    parser = Parser.load(folder, device="cpu")
    assert parser.tree_decoders == ()
    [parse] = parser.parse(["the dog barks"])
    assert parse.tree is None
    assert parse.heads


def test_a_description_is_of_each(several):
    folder = several(["on-lstm"], ["udgn"], punctuation="evidence")
    description = info(str(folder))
    assert (description["kind"], description["gives"]) == ("on-lstm + udgn", "brackets and heads")
    assert description["parameters"] == sum(info(str(folder / name))["parameters"] for name in ("on-lstm", "udgn"))
    assert description["members"]["udgn"]["provenance"]["seed"] == 1


UDGN = "{folder: udgn, for: [heads], recipe: {model: udgn}, provenance: {}}"
LONG = "x" * 101


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("members: {}", "names no model"),
        ("members: {a: 3}", "members.a must name its folder"),
        ("members: {a: {for: [heads]}}", "members.a must name its folder"),
        (f"members: {{{LONG}: {UDGN}}}", "must name its folder"),
        (f"members: {{'../a': {UDGN}}}", "must name its folder"),
        *(
            (f"members: {{a: {UDGN.replace('folder: udgn', f'folder: {folder}')}}}", "members.a must name its folder")
            for folder in ("../udgn", "/etc", "..", ".saved", "'udgn/'", '"udgn\\n"', "''", LONG, "1", "[udgn]")
        ),
        (f"members: {{a: {UDGN.replace('[heads]', 'heads')}}}", "for must be a list of brackets, heads, not 'heads'"),
        (f"members: {{a: {UDGN.replace('[heads]', '3')}}}", "for must be a list of brackets, heads, not 3"),
        (f"members: {{a: {UDGN.replace('[heads]', '[[heads]]')}}}", "for must be a list of brackets, heads, not [['h"),
        (f"members: {{a: {UDGN.replace('[heads]', '[]')}}}", "no member gives brackets or heads"),
        (f"members: {{a: {UDGN.replace('udgn}', 'gpt}')}}}", "unknown model"),
        (f"members: {{a: {UDGN.replace('provenance: {}', 'provenance: 3')}}}", "not a synparse config"),
        (f"members: {{a: {UDGN.replace('udgn,', 'nothing,')}}}", "no directory nothing"),
        (f"members: {{a: {UDGN.replace('udgn,', 'config.yaml,')}}}", "no directory config.yaml"),
        (f"members: {{a: {UDGN.replace('udgn,', 'away,')}}}", "a link that leads out"),
        ("members: {" + ", ".join(f"m{n}: {UDGN}" for n in range(101)) + "}", "names more than 100 models"),
        (f"members: {{a: {UDGN}}}\nrecipes: 3", "unknown setting recipes"),
        (f"members: {{a: {UDGN}}}\nrecipe: 3", "a recipe is a mapping"),
        (f"members: {{a: {UDGN}}}\nparsing: evidence", "parsing must be a mapping"),
        (f"members: {{a: {UDGN}}}\nparsing: {{punctuation: [evidence]}}", "parsing.punctuation must be one of"),
        (f"members: {{a: {UDGN}}}\nparsing: {{heads: both}}", "parsing.heads must be one of"),
        (f"members: {{a: {UDGN}}}\ngrammars: 3", "and grammars a list"),
        (f"members: {{a: {UDGN}}}\ngrammars: [3]", "a list of sets, each with its folder"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: ../x, members: [a]}}]", "a list of sets, each with its folder"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: ., members: []}}]", "must name the members that taught them"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: ., members: [b]}}]", "must name the members that taught them"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: ., members: [[a]]}}]", "must name the members"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: ., members: [a], settings: 3}}]", "settings must be a mapping"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: ., members: [a]}}]", "though it has grammars"),
        (f"members: {{a: {UDGN}}}\ngrammars: [{{folder: away, members: [a]}}]", "a link that leads out"),
    ],
)
def test_what_is_no_directory_of_models_is_reported_in_one_line(config, message, several, tmp_path):
    folder = several([], ["udgn"])
    shutil.copytree(folder / "udgn", tmp_path / "elsewhere")
    (folder / "away").symlink_to(tmp_path / "elsewhere")
    refused(folder, config + "\nprovenance: {}", message)


@pytest.mark.parametrize(
    ("provenance", "place"),
    [
        ("{corpus: 3}", "provenance.corpus"),
        ("{corpus: {given_trees: {files: [a]}}}", "provenance.corpus.given_trees"),
        ("{origins: 4}", "provenance.origins"),
        ("{origins: [{model: a}]}", "provenance.origins[0]"),
        ("{stages: [3]}", "provenance.stages[0]"),
    ],
)
def test_a_provenance_of_another_form_is_reported_in_one_line(provenance, place, several):
    """Of the directory and of a member: `calibrate` and `train --teacher` read what the trees were learned from."""
    folder, message = several([], ["udgn"]), f"damaged model: {place} is not as synparse writes it"
    refused(folder, f"members: {{a: {UDGN}}}\nprovenance: {provenance}", message)
    member = UDGN.replace("provenance: {}", f"provenance: {provenance}")
    refused(folder, f"members: {{a: {member}}}\nprovenance: {{}}", message)
    refused(folder, f"members: {{a: {UDGN}}}\nprovenance: 3", "provenance is not as synparse writes it")


def refused(folder, config, message):
    (folder / "config.yaml").write_text(config)
    with pytest.raises(DataError) as caught:
        Parser.load(folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)


# Directories of before


OLDER = Path(__file__).parents[1] / "fixtures" / "older"
OF_NETWORK = ("vocabulary.txt", "weights.safetensors", "boundaries.safetensors")
OF_GRAMMARS = ("classes.tsv", "grammar.safetensors")


def older(name, folder, *sources):
    """A directory with this config of before, and the files of these folders."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(OLDER / f"{name}.yaml", folder / "config.yaml")
    for source in sources:
        for file in (*OF_NETWORK, *OF_GRAMMARS):
            if (source / file).exists():
                shutil.copyfile(source / file, folder / file)
    return folder


def assert_same_trees(model, other, sample_text, **options):
    sentences = [*sample_text[:30], *MARKED]
    assert alone(model, sentences, **options) == alone(other, sentences, **options)


def assert_same_after_all_that_is_done_with_it(folder):
    """Its description is written, in one line at most of what is not known; it is written anew, and packed."""
    model = open_model(folder)
    assert '"provenance"' in printed("info", folder, "--json").out
    packed = pack([folder], [folder], folder.with_name("packed"), storage="float32", check=MARKED[:1] * 2, most=0.0)
    assert packed.changes.fraction == 0.0
    write(model)
    assert open_model(folder) == model


def test_a_lone_network_of_before(tiny_udgn, tmp_path, sample_text):
    folder = older("network", tmp_path / "old", tiny_udgn)
    model = open_model(folder)
    now = open_model(tiny_udgn).description
    assert model.members == {"udgn": StoredModel(folder, ModelDescription(now.recipe, model.provenance))}
    assert (model.brackets, model.heads, model.grammars) == (("udgn",), ("udgn",), ())
    assert (model.parsing, stages_of(model.recipe)) == (ParsingConfig(), ["udgn"])
    assert model.provenance["corpus"] == now.provenance["corpus"]
    assert model.recipe.model_recipe(model.recipe.networks[0]) == now.recipe
    assert_same_trees(folder, tiny_udgn, sample_text)
    assert_same_after_all_that_is_done_with_it(folder)


def test_a_lone_network_with_grammars_of_before(tiny_taught, tmp_path, sample_text):
    folder = older("taught", tmp_path / "old", tiny_taught / "udgn-1", tiny_taught / "grammars-1")
    model, now = open_model(folder), open_model(tiny_taught)
    [grammar_set], [current_set] = model.grammars, now.grammars
    assert (grammar_set.folder, grammar_set.members, grammar_set.settings) == (".", ("udgn",), current_set.settings)
    assert grammar_set.provenance.keys() == current_set.provenance.keys()
    assert stages_of(model.recipe) == ["udgn", "grammars"]
    assert [stage.settings for stage in model.recipe.grammars] == [grammar_set.settings]
    assert_same_trees(folder, tiny_taught, sample_text)
    assert_same_after_all_that_is_done_with_it(folder)


def test_grammars_without_a_network_of_before(tiny_grammar, tmp_path, sample_text):
    folder = older("grammar", tmp_path / "old", tiny_grammar / "grammar-1", tiny_grammar / "grammars-1")
    model, now = open_model(folder), open_model(tiny_grammar)
    assert list(model.members) == ["grammar"]
    assert model.description.recipe == now.description.recipe
    assert model.grammars[0].settings == now.grammars[0].settings
    assert (model.parsing, stages_of(model.recipe)) == (now.parsing, ["grammars"])
    assert_same_trees(folder, tiny_grammar, sample_text)
    assert_same_after_all_that_is_done_with_it(folder)


@pytest.fixture
def two(tiny_udgn, tiny_taught, tmp_path):
    """Two networks in the present shape."""
    folder, members = tmp_path / "two", {}
    for name, source in (("udgn-1", tiny_udgn), ("udgn-2", tiny_taught / "udgn-1")):
        shutil.copytree(source, folder / name)
        members[name] = StoredModel(folder / name, open_model(source).description)
    return Model(folder, members, tuple(members), tuple(members))


def test_models_with_joint_grammars_of_before(two, tiny_taught, tmp_path, sample_text):
    folder = older("joint", tmp_path / "old", tiny_taught / "grammars-1")
    older("network", folder / "udgn-1", two.members["udgn-1"].directory)
    older("taught", folder / "udgn-2", two.members["udgn-2"].directory)
    model = open_model(folder)
    [grammar_set] = model.grammars
    assert (grammar_set.folder, grammar_set.members, grammar_set.settings.link_strength) == (
        ".",
        ("udgn-1", "udgn-2"),
        0.0,
    )
    assert grammar_set.provenance["classes"] == 12
    assert model.parsing == ParsingConfig("evidence", "leaves")
    assert model.recipe is None
    shutil.copytree(tiny_taught / "grammars-1", two.directory / "grammars-1")
    grammars = (grammar_set._replace(folder="grammars-1"),)
    assert_same_trees(folder, write(replace(two, grammars=grammars, parsing=model.parsing)), sample_text)
    assert_same_after_all_that_is_done_with_it(folder)


def test_models_each_with_its_own_grammars_of_before(two, tiny_taught, tmp_path, sample_text):
    of_run = open_model(tiny_taught).grammars[0]
    folder = older("each", tmp_path / "old")
    for name in ("udgn-1", "udgn-2"):
        older("taught", folder / name, tiny_taught / "udgn-1", tiny_taught / "grammars-1")
        shutil.copytree(tiny_taught / "udgn-1", two.directory / name, dirs_exist_ok=True)
        for file in OF_GRAMMARS:
            shutil.copy(tiny_taught / "grammars-1" / file, two.directory / name)
    model = open_model(folder)
    assert [(grammar_set.folder, grammar_set.members) for grammar_set in model.grammars] == [
        (name, (name,)) for name in ("udgn-1", "udgn-2")
    ]
    assert model.parsing == ParsingConfig("evidence", "free", "grammar", "grammar")
    grammars = tuple(GrammarSet(name, (name,), of_run.settings) for name in two.members)
    members = {name: StoredModel(two.directory / name, open_model(tiny_taught).description) for name in two.members}
    now = write(replace(two, members=members, grammars=grammars, parsing=model.parsing))
    assert_same_trees(folder, now, sample_text)
    assert_same_trees(folder, now, sample_text, punctuation="ignore")
    assert_same_after_all_that_is_done_with_it(folder)


def test_members_of_before_agree_on_what_their_directory_leaves_open(two, tmp_path):
    folder = older("each", tmp_path / "old")
    (folder / "config.yaml").write_text("members: {brackets: [udgn-1, udgn-2]}\nparse: {function_words: free}")
    for name, member in two.members.items():
        config = older("network", folder / name, member.directory) / "config.yaml"
        text = config.read_text(encoding="utf-8").replace("punctuation: ignore", "punctuation: evidence")
        config.write_text(text.replace("function_words: free", "function_words: leaves"), encoding="utf-8")
    assert open_model(folder).parsing == ParsingConfig("evidence", "free")
    assert open_model(folder / "udgn-1").parsing == ParsingConfig("evidence", "leaves")
    config = folder / "udgn-1" / "config.yaml"
    config.write_text(config.read_text(encoding="utf-8").replace("punctuation: evidence\n    function", "function"))
    assert open_model(folder).parsing.function_words == "free"


def test_a_model_of_before_that_records_nothing_uses_no_punctuation(tiny_udgn, tmp_path, sample_text):
    folder = older("network", tmp_path / "old", tiny_udgn)
    values = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    del values["recipe"]["parsing"]
    (folder / "config.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    assert open_model(folder).parsing == ParsingConfig("ignore", "free")
    values["parse"] = {"confidence": {"gold": ["x"]}}  # of a calibration
    (folder / "config.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    assert open_model(folder).confidence == {"gold": ["x"]}
    assert_same_trees(folder, tiny_udgn, sample_text)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("members: {heads: []}", "names no model"),
        ("members: null", "must be a mapping"),
        ("members: [udgn]", "members must be a mapping"),
        ("members: {heads: udgn}", "heads must be a list of directory names"),
        ("members: {heads: 3}", "heads must be a list of directory names"),
        ("members: {heads: [../udgn]}", "list of directory names"),
        ("members: {heads: [.]}", "list of directory names"),
        ("members: {heads: [.saved]}", "list of directory names"),
        ("members: {heads: ['']}", "list of directory names"),
        (f"members: {{heads: [{LONG}]}}", "list of directory names"),
        ("members: {heads: [1]}", "list of directory names"),
        ("members: {heads: [[udgn]]}", "list of directory names"),
        ("members: {heads: [udgn, udgn]}", "a name appears twice in heads"),
        ("members: {heads: [" + ", ".join(f"m{n}" for n in range(101)) + "]}", "more than 100 models"),
        ("members: {head: [udgn]}", "unknown setting members.head; did you mean members.heads"),
        ("members: {heads: [udgn]}\nrecipe: {model: udgn}", "unknown setting recipe"),
        ("members: {heads: [udgn]}\nparse: evidence", "parse must be a mapping"),
        ("members: {heads: [udgn]}\nparse: {punctuation: [evidence]}", "punctuation must be one of"),
        ("members: {heads: [udgn]}\nparse: {function_words: both}", "must be one of free, leaves, adpositions, not"),
        ("members: {heads: [udgn]}\nparse: {heads: joint}", "'joint'; possible are projective"),
        ("members: {heads: [nothing]}", "no directory nothing"),
        ("members: {heads: [config.yaml]}", "no directory config.yaml"),
        ("members: {heads: [inner]}", "holds several models; name one of them"),
        ("members: {heads: [empty]}", "it has no config.yaml"),
        ("members: {heads: [away]}", "a link that leads out"),
        ("members: {heads: [self]}", "holds several models"),
    ],
)
def test_what_is_no_directory_of_before_is_reported_in_one_line(config, message, tiny_udgn, tmp_path):
    folder = tmp_path / "old"
    older("network", folder / "udgn", tiny_udgn)
    for name, inner in (("inner", "members: {heads: [udgn]}"), ("empty", None)):
        (folder / name).mkdir()
        if inner is not None:
            (folder / name / "config.yaml").write_text(inner)
    shutil.copytree(folder / "udgn", tmp_path / "elsewhere")
    (folder / "away").symlink_to(tmp_path / "elsewhere")
    (folder / "self").symlink_to(folder)
    refused(folder, config, message)


def test_a_folder_is_in_the_directory(tmp_path):
    (tmp_path / "a").mkdir()
    assert (folder_in(tmp_path, "."), folder_in(tmp_path, "a")) == (tmp_path, tmp_path / "a")
    with pytest.raises(DataError, match="a member is missing: no directory b"):
        folder_in(tmp_path, "b")


def test_a_file_is_no_model_and_no_training_is_advised_that_would_write_there(tiny_udgn):
    with pytest.raises(DataError, match="no such model: this is a file, and a model is a directory") as told:
        open_model(tiny_udgn / "config.yaml")
    assert "--output" not in str(told.value)
