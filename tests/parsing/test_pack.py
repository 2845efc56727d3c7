import shutil
from dataclasses import replace

import pytest
import yaml

from synparse.config.parsing import ParsingConfig
from synparse.files.folders import exclusive_lock
from synparse.inducers.loading import build_on_meta
from synparse.inducers.table import INDUCERS
from synparse.parsing import scorers
from synparse.parsing.options import ParserOptions
from synparse.parsing.pack import changed_trees, pack
from synparse.parsing.parser import Parser
from synparse.store.calibrations import calibration_of, mean_calibration, save_calibration
from synparse.store.cards import Changes
from synparse.store.model_directory import read_shapes
from synparse.store.models import config_file, open_model
from synparse.training.run import resume, train
from synparse.trees.errors import DataError, SettingError
from tests.conftest import GRAMMARS
from tests.untrained import NETWORKS, loaded

TEXT = ["the old dog sees the cat .", "a cat , which the dog sees , barks", ""]


def assert_is_there(packing):
    """What packing says of the directory is what is written, and each file of it."""
    written = open_model(packing.model.directory)
    assert (written.brackets, written.heads) == (packing.model.brackets, packing.model.heads)
    assert (written.parsing, written.grammars) == (packing.model.parsing, packing.model.grammars)
    assert {name: member.description for name, member in written.members.items()} == {
        name: member.description for name, member in packing.model.members.items()
    }
    assert all(path.is_dir() or path.stat().st_size for path in written.directory.rglob("*"))
    assert Parser.load(packing.model, device="cpu").parse(TEXT) == Parser.load(written, device="cpu").parse(TEXT)


def trees(parser, sentences=TEXT):
    return [(parse.tree, parse.heads) for parse in parser.parse(sentences)]


@pytest.mark.parametrize(("model", "gives_heads"), [("tiny_model", True), ("tiny_udgn", True), ("tiny_on_lstm", False)])
def test_packed_in_four_bytes_a_model_parses_as_before(model, gives_heads, request, tmp_path, sample_text):
    directory = request.getfixturevalue(model)
    packing = pack([directory], [directory] * gives_heads, tmp_path / "small", storage="float32", check=iter([]))
    assert packing.changes == Changes(0, 0, 0)
    before, after = (Parser.load(path, device="cpu") for path in (directory, tmp_path / "small"))
    assert trees(after, sample_text[:40]) == trees(before, sample_text[:40])
    [name] = packing.model.members
    shapes = read_shapes(tmp_path / "small" / name)
    assert shapes.items() < read_shapes(directory).items()
    assert (tmp_path / "small" / name / "vocabulary.txt").read_bytes() == (directory / "vocabulary.txt").read_bytes()


def test_the_configs_of_models_are_read_once_as_runs_may_change_them(tiny_udgn, tmp_path, monkeypatch):
    monkeypatch.setattr(scorers, "open_model", None)
    assert pack([tiny_udgn], [tiny_udgn], tmp_path / "small").model.heads == ("udgn-1",)


@pytest.mark.parametrize(("storage", "bytes_each"), [("float16", 2), ("int8", 1)])
def test_fewer_bytes_are_as_many_as_they_should_be(storage, bytes_each, tiny_udgn, tmp_path):
    packing = pack([tiny_udgn], [tiny_udgn], tmp_path / "small", storage=storage)
    assert packing.size == sum(path.stat().st_size for path in (tmp_path / "small").rglob("*.*")) - len(
        (tmp_path / "small" / "README.md").read_bytes()
    )
    weights = tmp_path / "small" / "udgn-1" / "weights.safetensors"
    shapes = read_shapes(weights.parent)
    least = sum(bytes_each * a * b[0] for a, *b in shapes.values() if b)
    rest = sum(4 * a for a, *_ in shapes.values())  # vectors, or scales
    assert least < weights.stat().st_size <= least + rest + 150 * len(shapes)
    whole, small = (loaded(path).inducer.state_dict() for path in (tiny_udgn, tmp_path / "small"))
    for name, tensor in small.items():
        largest = whole[name].abs().amax(-1, keepdim=True)
        assert ((tensor - whole[name]).abs() <= largest / (250 if storage == "int8" else 2000)).all()


def test_each_model_does_its_own_part(tiny_on_lstm, tiny_udgn, tmp_path):
    packing = pack(
        [tiny_on_lstm],
        [tiny_udgn],
        tmp_path / "pair",
        options=ParserOptions(punctuation="evidence"),
        check=map(str.split, TEXT),
    )
    assert (packing.model.brackets, packing.model.heads) == (("on-lstm-1",), ("udgn-1",))
    assert packing.model.parsing == ParsingConfig("evidence", "free", "unbiased", "projective")
    assert_is_there(packing)
    assert packing.changes.sentences == 3
    brackets, heads = (Parser.load(path, device="cpu", punctuation="evidence") for path in (tiny_on_lstm, tiny_udgn))
    for both, bracket_parse, head_parse in zip(
        *(each.parse(TEXT) for each in (Parser.load(tmp_path / "pair", device="cpu"), brackets, heads)), strict=True
    ):
        assert (both.tree, both.heads) == (bracket_parse.tree, head_parse.heads)


def test_adpositions_are_packed_where_base_phrases_are(tiny_grammar, tiny_udgn, tmp_path):
    options = ParserOptions(function_words="adpositions")
    packing = pack([tiny_grammar], [tiny_grammar], tmp_path / "small", options=options, check=map(str.split, TEXT))
    assert packing.changes.heads == 0
    assert Parser.load(tmp_path / "small", device="cpu").function_words == "adpositions"
    card = (tmp_path / "small" / "README.md").read_text()
    assert "gives function words but adpositions no dependents" in card
    with pytest.raises(SettingError, match="has no base phrases"):
        pack([tiny_udgn], [tiny_udgn], tmp_path / "other", options=options)


def test_what_models_record_is_kept_unless_told_otherwise(tiny_model, tmp_path):
    leaves_model, free_model = tmp_path / "one", tmp_path / "other"
    for folder, words in ((leaves_model, "leaves"), (free_model, "free")):
        shutil.copytree(tiny_model, folder)
        model = open_model(folder)
        parsing = ParsingConfig("evidence", words, "published", "argmax")
        (folder / "config.yaml").write_bytes(config_file(replace(model, parsing=parsing)))
    pack([leaves_model], [leaves_model], tmp_path / "small", storage="float32", check=map(str.split, TEXT))
    kept = ParsingConfig("evidence", "leaves", "published", "argmax")
    assert open_model(tmp_path / "small").parsing == kept
    assert trees(Parser.load(tmp_path / "small", device="cpu")) == trees(Parser.load(leaves_model, device="cpu"))
    pack([leaves_model, free_model], [leaves_model, free_model], tmp_path / "both")
    assert open_model(tmp_path / "both").parsing == ParsingConfig("evidence", "free", "published", "argmax")
    pack([leaves_model], [leaves_model], tmp_path / "told", options=ParserOptions(punctuation="ignore"))
    assert open_model(tmp_path / "told").parsing == replace(kept, punctuation="ignore")


def test_a_model_that_is_packed_alone_with_all_layers_keeps_its_calibration(tiny_on_lstm, tiny_udgn, tmp_path):
    fitted = tmp_path / "fitted"
    shutil.copytree(tiny_on_lstm, fitted)
    save_calibration(fitted, replace(mean_calibration(), arcs=None))
    pack([fitted], [], tmp_path / "alone")
    pack([fitted], [], tmp_path / "lowest", options=ParserOptions(layer=1))
    pack([fitted], [tiny_udgn], tmp_path / "two")
    assert calibration_of(open_model(tmp_path / "alone")) == calibration_of(open_model(fitted)) is not None
    assert [calibration_of(open_model(tmp_path / name)) for name in ("lowest", "two")] == [None, None]


def test_models_of_one_kind_are_numbered(tiny_model, tiny_udgn, tmp_path):
    other = shutil.copytree(tiny_model, tmp_path / "..." / "a b")
    packing = pack([tiny_model, tiny_udgn, other], [other], tmp_path / "small")
    assert packing.model.brackets == ("structformer-1", "udgn-1", "structformer-2")
    assert packing.model.heads == ("structformer-2",)


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_layers_above_the_one_that_is_read_are_left_out(layer, tiny_on_lstm, tmp_path):
    pack([tiny_on_lstm], [], tmp_path / "small", options=ParserOptions(layer=layer), storage="float32")
    assert open_model(tmp_path / "small").description.packed.layers == layer
    before = Parser.load(tiny_on_lstm, device="cpu", layer=layer)
    assert trees(Parser.load(tmp_path / "small", device="cpu")) == trees(before)
    with pytest.raises(SettingError, match=f"no layer {layer + 1}; this model has layers 1 to {layer}"):
        Parser.load(tmp_path / "small", layer=layer + 1)


@pytest.mark.parametrize("name", ["tiny_taught", "tiny_grammar"])
def test_grammars_are_packed_too(name, request, tmp_path, sample_text):
    directory = request.getfixturevalue(name)
    packing = pack([directory], [directory], tmp_path / "small", storage="float32", check=map(str.split, TEXT))
    assert packing.changes == Changes(3, 0, 0)
    assert (packing.model.parsing.brackets, packing.model.parsing.heads) == ("grammar", "grammar")
    assert_is_there(packing)
    for file in ("classes.tsv", "grammar.safetensors"):
        packed, whole = (folder / "grammars-1" / file for folder in (tmp_path / "small", directory))
        assert packed.read_bytes() == whole.read_bytes()
    assert packing.model.grammars == open_model(directory).grammars
    assert packing.model.recipe is None
    before, after = Parser.load(directory), Parser.load(tmp_path / "small")
    assert trees(after, sample_text[:40]) == trees(before, sample_text[:40])
    assert after.parse(TEXT, labels=True) == before.parse(TEXT, labels=True)
    assert "| grammars-1 | the dependency-and-boundary model and 2" in (tmp_path / "small" / "README.md").read_text()


def test_several_models_and_sets_of_grammars_are_packed_together(tiny_taught, tiny_udgns, tmp_path):
    """One directory of two models and two sets of grammars, and another one; all in one again, and their trees."""
    both = train(
        [str(tiny_taught.parent / "corpus.txt")],
        "grammar",
        tmp_path / "both",
        changes=[*GRAMMARS, "text.min_count=2"],
        teachers=[str(tiny_udgns[0]), str(tiny_udgns[1])],
    ).directory
    model = open_model(both)
    second = shutil.copytree(both / "grammars-1", both / "grammars-2")
    assert second.exists()
    sets = (*model.grammars, model.grammars[0]._replace(folder="grammars-2"))
    (both / "config.yaml").write_bytes(config_file(replace(model, grammars=sets)))
    packing = pack([both, tiny_taught], [both], tmp_path / "small", storage="float32", check=map(str.split, TEXT))
    packed = packing.model
    assert_is_there(packing)
    assert list(packed.members) == ["udgn-1", "udgn-2", "udgn-3"]
    assert (packed.brackets, packed.heads) == (("udgn-1", "udgn-2", "udgn-3"), ("udgn-1", "udgn-2"))
    assert [(grammar_set.folder, grammar_set.members) for grammar_set in packed.grammars] == [
        ("grammars-1", ("udgn-1", "udgn-2")),
        ("grammars-2", ("udgn-1", "udgn-2")),
        ("grammars-3", ("udgn-3",)),
    ]
    assert packed.grammars[2].settings == open_model(tiny_taught).grammars[0].settings
    assert packing.changes == Changes(3, 0, 0)
    alone = pack([both], [both], tmp_path / "alone", storage="float32", check=map(str.split, TEXT))
    assert alone.changes == Changes(3, 0, 0)
    assert trees(Parser.load(tmp_path / "alone")) == trees(Parser.load(both))
    assert dict(alone.model.provenance) == dict(model.provenance)
    assert dict(packed.provenance) == {"versions": {"synparse": model.version}}


def test_a_model_is_not_packed_in_place(tiny_udgn, tmp_path):
    copy = shutil.copytree(tiny_udgn, tmp_path / "model")
    with pytest.raises(SettingError, match=r"a model to pack is in .*model, which would be overwritten"):
        pack([tiny_udgn, copy], [copy], copy)


def test_grammars_give_heads_in_place_of_a_model_that_has_none(tiny_on_lstm, tiny_grammar, tiny_taught, tmp_path):
    packing = pack([tiny_on_lstm, tiny_taught], [tiny_grammar], tmp_path / "small", check=map(str.split, TEXT))
    assert packing.changes.sentences == 3
    [parse] = Parser.load(tmp_path / "small").parse(TEXT[:1])
    how = {"punctuation": "ignore", "function_words": "free"}  # the models do not record the same
    assert parse.heads == Parser.load(tiny_grammar, **how).parse(TEXT[:1])[0].heads
    with pytest.raises(SettingError, match="gives no heads; use this on-lstm with --brackets"):
        pack([], [tiny_on_lstm], tmp_path / "other")


def test_trees_that_change_too_much_stop_it(tiny_udgn, tmp_path, monkeypatch):
    monkeypatch.setattr("synparse.parsing.pack.changed_trees", lambda *_: Changes(200, 1, 3))
    with pytest.raises(DataError, match=r"trees of 1\.5 % of the sentences change, more than 1 %"):
        pack([tiny_udgn], [tiny_udgn], tmp_path / "small", check=[["a"]])
    assert list(tmp_path.iterdir()) == []
    pack([tiny_udgn], [tiny_udgn], tmp_path / "small", check=[["a"]], most=0.015)
    assert (
        "Of 200 sentences, packing gave 1 other brackets and 3 other heads."
        in (tmp_path / "small" / "README.md").read_text()
    )


def test_a_packed_model_takes_the_place_of_another_and_of_nothing_else(tiny_udgn, tiny_on_lstm, tmp_path):
    output = tmp_path / "small"
    pack([tiny_udgn], [tiny_udgn], output)
    (output / "notes.txt").write_text("mine")
    (output / "udgn-2").mkdir()
    (output / "udgn-2" / "mine.txt").write_text("mine")
    assert_is_there(packing := pack([tiny_on_lstm, tiny_udgn], [tiny_udgn], output))
    assert list(packing.model.members) == ["on-lstm-1", "udgn-3"]
    names = {"README.md", "config.yaml", "on-lstm-1", "udgn-3", "udgn-2", "notes.txt"}
    assert {path.name for path in output.iterdir()} == names
    assert [path.name for path in (output / "udgn-2").iterdir()] == ["mine.txt"]
    assert list(tmp_path.iterdir()) == [output]


def test_a_model_that_is_there_stays_where_the_packed_one_cannot_be_saved(tiny_udgn, tmp_path, disk_full_for):
    def contents():
        return {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}

    pack([tiny_udgn], [tiny_udgn], tmp_path / "small")
    before = contents()
    with exclusive_lock(tmp_path / "small"), pytest.raises(DataError, match="another process is writing to it"):
        pack([tiny_udgn], [tiny_udgn], tmp_path / "small", storage="int8")
    disk_full_for(tmp_path / "small")
    with pytest.raises(DataError, match="cannot be saved: No space left on device"):
        pack([tiny_udgn], [tiny_udgn], tmp_path / "small", storage="int8")
    assert contents() == before


def test_changes_are_counted_sentence_by_sentence():
    sentences = [["a"], ["a", "b"], ["a", "b", "c"], ["a", ",", "c", "d"]]
    right, left, chain = map(Parser.load, ("right-branching", "left-branching", "chain"))
    assert changed_trees(right, right, iter(sentences)) == Changes(4, 0, 0)
    assert changed_trees(right, left, iter(sentences)) == Changes(4, 2, 3)
    assert changed_trees(left, chain, iter(sentences)) == Changes(4, 0, 0)


def test_a_packed_model_does_not_go_on(tiny_udgn, tmp_path):
    pack([tiny_udgn], [tiny_udgn], tmp_path / "small")
    with pytest.raises(SettingError, match="packed for parsing only"):
        train([str(tiny_udgn.parents[1] / "corpus.txt")], output=tmp_path / "x", init=str(tmp_path / "small"))
    with pytest.raises(DataError, match="nothing to resume: this model is packed for parsing only"):
        resume(tmp_path / "small")
    with pytest.raises(DataError, match="is packed already"):
        pack([tmp_path / "small"], [], tmp_path / "again")
    assert not (tmp_path / "x").exists()


def test_a_card_says_what_is_known(tiny_on_lstm, tiny_udgn, tmp_path):
    packing = pack([tiny_on_lstm], [tiny_udgn], tmp_path / "pair", storage="int8")
    card = (tmp_path / "pair" / "README.md").read_text(encoding="utf-8")
    provenance = open_model(tiny_udgn).description.provenance
    for known in (
        "# pair\n",
        f"{packing.size / 1e6:.1f} MB",
        "|  | on-lstm-1 | udgn-1 |",
        "| gives | brackets | heads |",
        provenance["corpus"]["sha256"],
        f"{provenance['held_out_perplexity']} (masked)",
        "synparse train corpus.txt --recipe tiny-udgn --seed 1 --output udgn-1\n",
        "Without options, `parse` uses no punctuation cues and lets function words be heads",
        "synparse pack --brackets on-lstm-1 --heads udgn-1 --punctuation ignore --function-words free --storage int8 ",
        "has not been checked",
    ):
        assert known in card
    assert card.count("*To be written") == 3
    assert "{" not in card


def test_models_that_do_not_say_where_they_come_from_are_told(tiny_udgn, tmp_path):
    shutil.copytree(tiny_udgn, tmp_path / "model")
    config = yaml.safe_load((tmp_path / "model" / "config.yaml").read_text(encoding="utf-8"))
    config["members"]["udgn-1"]["provenance"] = {}
    (tmp_path / "model" / "config.yaml").write_text(yaml.safe_dump(config))
    with pytest.raises(DataError, match="lacks the provenance"):
        pack([tmp_path / "model"], [], tmp_path / "small")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_every_kind_can_be_packed():
    for name in NETWORKS:
        parts = build_on_meta(name, 9, INDUCERS[name].configuration())
        assert parts.PARSER
        assert all(hasattr(parts, part) for part in parts.PARSER)


def taught(tmp_path, tiny_student_recipe, text, layers=1):
    """A student of a few trees, in the format that ``text`` is in."""
    (tmp_path / "trees").write_text(text * 200, encoding="utf-8")
    changes = ["training.epochs=1", f"architecture.layers={layers}"]
    corpus = [str(tmp_path / "trees")]
    return train(corpus, str(tiny_student_recipe), tmp_path / "student", changes=changes, device="cpu").directory


def test_a_student_is_not_said_to_have_seen_no_tree(tiny_student_recipe, tmp_path):
    student = taught(tmp_path, tiny_student_recipe, '{"tokens": ["a", "b", "c"], "heads": [2, 0, 2]}\n')
    pack([], [student / "student-1"], tmp_path / "packed")
    card = " ".join((tmp_path / "packed" / "README.md").read_text(encoding="utf-8").split())
    assert "student, trained on trees that it was given, by" in card
    assert "without annotated trees" not in card
    assert "(tree) |" in card


def test_a_student_that_was_shown_no_heads_is_not_packed_for_heads(tiny_student_recipe, tmp_path):
    student = taught(tmp_path, tiny_student_recipe, "(S (X (_ a) (_ b)) (_ c))\n")
    with pytest.raises(SettingError, match="gives no heads; use this student with --brackets"):
        pack([], [student], tmp_path / "packed")
    pack([student], [], tmp_path / "packed")


@pytest.mark.parametrize("without_torch", [True, False])
def test_a_packed_student_has_all_its_layers(tiny_student_recipe, tmp_path, without_torch):
    tree = '{"tokens": ["a", "b", "c"], "heads": [2, 0, 2], "constituents": [[0, 3], [0, 2]]}\n'
    student = taught(tmp_path, tiny_student_recipe, tree, layers=2)
    pack([student], [student], tmp_path / "packed")
    whole, packed = (loaded(directory, without_torch) for directory in (student, tmp_path / "packed"))
    layers = (
        model.inducer.layers if without_torch else model.inducer.parser.forward_layers for model in (whole, packed)
    )
    assert [len(of_model) for of_model in layers] == [2, 2]
