"""Maps fitted on gold trees; what is counted is what the scorers count."""

import json
import shutil
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from synparse.corpora.sentences import read_sentences
from synparse.parsing.calibrate import calibrate
from synparse.parsing.options import ParserOptions, Request
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.scoring.evaluate import evaluate
from synparse.scoring.in_step import NamedLines
from synparse.store.calibrations import calibration_file, mean_calibration, save_calibration
from synparse.trees.calibration import fitted_map
from synparse.trees.errors import DataError, SettingError
from synparse.trees.scored_words import kept_words

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


@pytest.fixture(scope="module")
def gold(tmp_path_factory):
    """Gold trees of both kinds: the first sentences of the shipped sample."""
    folder = tmp_path_factory.mktemp("gold")
    trees = (SAMPLE / "gold.brackets").read_text(encoding="utf-8").splitlines(keepends=True)[:60]
    sentences = (SAMPLE / "gold.conllu").read_text(encoding="utf-8").split("\n\n")[:61]
    (folder / "dev.mrg").write_text("".join(trees), encoding="utf-8")
    (folder / "dev.conllu").write_text("".join(f"{sentence}\n\n" for sentence in sentences), encoding="utf-8")
    return str(folder / "dev.mrg"), str(folder / "dev.conllu")


@pytest.fixture(scope="module")
def calibrated(tiny_taught, gold):
    return calibrate(str(tiny_taught), gold, options=ParserOptions(punctuation="evidence"))


@pytest.mark.parametrize(("kind", "format", "score"), [(0, "brackets", "precision"), (1, "conllu", "uas")])
def test_what_is_right_is_what_eval_counts(calibrated, gold, tiny_taught, kind, format, score):
    options = ParserOptions(punctuation="evidence")
    written = "".join(parse([gold[kind]], [str(tiny_taught)], format, options=options)).splitlines(keepends=True)
    lines = Path(gold[kind]).read_text(encoding="utf-8").splitlines(keepends=True)
    comparison = evaluate([NamedLines("predicted", written)], NamedLines("gold", lines))
    judged = (calibrated.spans, calibrated.arcs)[kind]
    assert judged.right.mean() == pytest.approx(comparison.systems[0].scores[score])


def test_sentences_without_gold_constituents_do_not_count(tiny_taught, tmp_path):
    trees = {"tokens": ["a", "b", "c"], "constituents": [[0, 3], [1, 3]]}
    rows = [json.dumps(row) + "\n" for row in (trees, trees, {**trees, "constituents": None})]
    for name, lines in (("two", rows[:2]), ("three", rows)):
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    two, three = (calibrate(tiny_taught, tmp_path / f"{name}.jsonl").spans for name in ("two", "three"))
    assert two.probabilities.tolist() == three.probabilities.tolist()


def test_one_path_may_stand_alone(gold, tiny_taught):
    options = ParserOptions(punctuation="evidence")
    calibration = calibrate(tiny_taught, Path(gold[0]), options).calibration
    assert calibration == calibrate(str(tiny_taught), [gold[0]], options).calibration


def test_punctuation_of_other_tags_than_penns_is_left_out_as_eval_does(gold, tiny_taught, tmp_path):
    text = Path(gold[0]).read_text(encoding="utf-8")
    other = tmp_path / "other.mrg"
    other.write_text(text.replace("(, ", "(Fc ").replace("(. ", "(Fp "), encoding="utf-8")
    assert other.read_text(encoding="utf-8") != text
    options = ParserOptions(punctuation="evidence")
    spans, expected = (calibrate(str(tiny_taught), [str(path)], options).spans for path in (other, gold[0]))
    assert spans.right.tolist() == expected.right.tolist()
    assert spans.probabilities.tolist() == pytest.approx(expected.probabilities.tolist())


def test_the_first_sentences_of_a_file_show_what_punctuation_is_as_for_eval(tiny_taught, tmp_path):
    """Universal Dependencies have the tags of words in the first two sentences, but not those of the file. So the comma
    is left out by its form, and the words that depend on it are reattached."""
    row = "{}\t{}\t_\t{}\t_\t_\t{}\tdep\t_\t_\n".format
    tags = [("DET", "PU", "ADV")] * 2 + [("N", "T", "V")] * 2
    gold = "".join(row(1, "so", x, 2) + row(2, ",", y, 0) + row(3, "now", z, 2) + "\n" for x, y, z in tags)
    (tmp_path / "gold.conllu").write_text(gold, encoding="utf-8")
    written = "".join(parse([str(tmp_path / "gold.conllu")], [str(tiny_taught)])).splitlines(keepends=True)
    scores = evaluate([NamedLines("predicted", written)], NamedLines("gold", gold.splitlines(keepends=True)))
    judged = calibrate(tiny_taught, tmp_path / "gold.conllu").arcs
    assert judged.right.mean() == pytest.approx(scores.systems[0].scores["uas"])


def test_tokens_that_are_not_read_do_not_count(tiny_taught, fixtures):
    """Here gold counts a $ as a word. Traces of gold trees are no words."""
    result = calibrate(str(tiny_taught), [str(fixtures / "sentences.ud.conllu"), str(fixtures / "sentences.mrg")])
    sentences = list(read_sentences(str(fixtures / "sentences.ud.conllu"), str.split))
    scored = sum(sum(kept_words(sentence.tokens, sentence.conllu.upos, sentence.conllu.xpos)) for sentence in sentences)
    assert len(result.arcs.right) < scored
    assert len(result.spans.right) > 0


def test_maps_are_fitted_on_odd_sentences(calibrated):
    for judged, fitted in (
        (calibrated.arcs, calibrated.calibration.arcs),
        (calibrated.spans, calibrated.calibration.spans),
    ):
        odd, even = judged.of_sentences(odd=True), judged.of_sentences(odd=False)
        assert set(odd.sentences % 2) == {1}
        assert len(odd.right) + len(even.right) == len(judged.right)
        assert fitted_map(odd.probabilities, odd.right) == fitted
    known = calibrated.calibration
    assert (known.punctuation, known.function_words, known.brackets, known.heads) == (
        *("evidence", "free"),
        *("grammar", "grammar"),
    )
    assert known.gold == ("dev.mrg", "dev.conllu")


def test_a_parser_maps_its_probabilities(calibrated, tiny_taught, tmp_path):
    model = shutil.copytree(tiny_taught, tmp_path / "model")
    save_calibration(model, calibrated.calibration)
    parser = Parser.load(model, punctuation="evidence")
    known = calibrated.calibration
    sentences = ["the dog , however , barks .", "", "dog"]
    pairs = zip(parser.parse(sentences, confidence="raw"), parser.parse(sentences, confidence="fitted"), strict=True)
    for raw, fitted in pairs:
        assert (raw.tree, raw.heads) == (fitted.tree, fitted.heads)
        if raw.tokens:
            assert fitted.span_probabilities == (1.0, *known.spans.calibrated(raw.span_probabilities[1:]))
            assert fitted.head_probabilities == known.arcs.calibrated(raw.head_probabilities)
    config = yaml.safe_load((model / "config.yaml").read_text(encoding="utf-8"))
    config["parsing"]["punctuation"] = "evidence"
    (model / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    [as_recorded] = Parser.load(model).parse(sentences[:1], confidence="fitted")
    assert as_recorded == parser.parse(sentences[:1], confidence="fitted")[0]


OTHER_PARSES = [
    ({}, (), "is for --punctuation evidence, not ignore"),
    ({"punctuation": "evidence", "function_words": "leaves"}, (), "is for --function-words free, not leaves"),
    ({"punctuation": "evidence", "function_words": "adpositions"}, (), "is for --function-words free, not adpositions"),
    ({"punctuation": "evidence"}, ("boundaries",), "is for --decode-brackets grammar, not boundaries"),
    ({"punctuation": "evidence"}, ("grammar", "mst"), "is for --decode-heads grammar, not mst"),
]


@pytest.mark.parametrize(("options", "decoders", "reason"), OTHER_PARSES)
def test_other_parses_have_the_mean_maps_unless_a_file_is_named(
    calibrated, tiny_taught, tmp_path, options, decoders, reason
):
    model, path = shutil.copytree(tiny_taught, tmp_path / "model"), tmp_path / "maps.yaml"
    save_calibration(model, calibrated.calibration)
    path.write_text(calibration_file(calibrated.calibration), encoding="utf-8")
    request = Request(*decoders, confidence="fitted")
    own, without = (Parser.load(name, **options).parse(["the dog barks"], request) for name in (model, tiny_taught))
    assert own == without == fitted_by(mean_calibration(), tiny_taught, request, **options)
    with pytest.raises(SettingError, match=f"{reason}: calibrate again"):
        Parser.load(tiny_taught, **options, calibration=str(path)).parse(["the dog barks"], request)


def test_several_models_have_the_mean_maps(calibrated, tiny_taught, tmp_path):
    model = shutil.copytree(tiny_taught, tmp_path / "model")
    save_calibration(model, calibrated.calibration)
    request = Request(confidence="fitted")
    together = Parser.load([model, tiny_taught], punctuation="evidence").parse(["the dog barks"], request)
    assert together == fitted_by(mean_calibration(), [tiny_taught, tiny_taught], request, punctuation="evidence")


def fitted_by(known, models, request, **options):
    """What a parser gives with this calibration: raw probabilities, mapped."""
    [raw] = Parser.load(models, **options).parse(["the dog barks"], replace(request, confidence="raw"))
    spans = (1.0, *known.spans.calibrated(raw.span_probabilities[1:]))
    return [replace(raw, span_probabilities=spans, head_probabilities=known.arcs.calibrated(raw.head_probabilities))]


def test_what_has_no_gold_has_the_mean_map(tiny_taught, gold, tmp_path):
    result = calibrate(str(tiny_taught), gold[1:])
    assert result.spans is result.calibration.spans is result.calibration.brackets is None
    model, path = shutil.copytree(tiny_taught, tmp_path / "model"), tmp_path / "maps.yaml"
    save_calibration(model, result.calibration)
    path.write_text(calibration_file(result.calibration), encoding="utf-8")
    request = Request(confidence="fitted")
    known = replace(mean_calibration(), arcs=result.calibration.arcs)
    assert Parser.load(model).parse(["the dog barks"], request) == fitted_by(known, tiny_taught, request)
    with pytest.raises(SettingError, match="not for spans, because no gold file had them"):
        Parser.load(tiny_taught, calibration=str(path)).parse(["the dog barks"], request)


def test_heads_of_phrases_are_calibrated_with_their_brackets(tiny_student, gold, tmp_path):
    calibration = calibrate(str(tiny_student), gold[1:], ParserOptions(device="cpu"), "splits", "phrases").calibration
    assert (calibration.spans, calibration.brackets, calibration.heads) == (None, "splits", "phrases")
    model = shutil.copytree(tiny_student, tmp_path / "model")
    save_calibration(model, calibration)
    file = tmp_path / "maps.yaml"
    file.write_text(calibration_file(calibration), encoding="utf-8")
    with pytest.raises(SettingError, match="is for --decode-brackets splits, not unbiased"):
        Parser.load(model, device="cpu", calibration=str(file)).parse(["a dog"], brackets=None, confidence="fitted")
    save_calibration(model, calibrate(str(tiny_student), gold[1:], ParserOptions(device="cpu")).calibration)
    [parsed] = Parser.load(model, device="cpu").parse(["a dog barks"], brackets=None, confidence="fitted")
    assert None not in parsed.head_probabilities


@pytest.mark.parametrize("mark", ["", "# checked = yes\n"])
def test_drafts_that_nobody_has_checked_are_told(gold, tiny_taught, tmp_path, mark):
    [text] = [Path(path).read_text(encoding="utf-8") for path in gold if path.endswith(".conllu")]
    (tmp_path / "drafts.conllu").write_text(f"# synparse = x\n{mark}{text}", encoding="utf-8")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        calibrate(str(tiny_taught), str(tmp_path / "drafts.conllu"))
    assert any("a parser wrote these trees" in str(warning.message) for warning in caught) == (not mark)


def test_bad_gold_is_refused(tiny_taught, tiny_on_lstm, gold, tmp_path):
    cases = {
        "text.txt": ("the dog\n", SettingError, "no gold file"),
        "empty.conllu": ("", DataError, "holds no sentences"),
        "short.mrg": ("(S (A a) (B b))\n", DataError, "too few sentences"),
        "loop.conllu": ("1\ta" + "\t_" * 4 + "\t1\tx\t_\t_\n\n", DataError, "loop.conllu:1: not a gold tree"),
    }
    for name, (text, kind, reason) in cases.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(kind, match=reason):
            calibrate(str(tiny_taught), [str(tmp_path / name)])
    with pytest.raises(SettingError, match="induces no heads; use a model that has heads"):
        calibrate(str(tiny_on_lstm), gold, options=ParserOptions(device="cpu"))
    with pytest.raises(SettingError, match="baseline"):
        calibrate("balanced", gold)
    with pytest.raises(SettingError, match=f"{gold[0]} is named twice"):
        calibrate(str(tiny_taught), [*gold, gold[0]])
