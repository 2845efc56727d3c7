"""The commands behind each figure, and where the figure is in their results."""

import dataclasses

import pytest

from synparse.replication.data import Data, Needs
from synparse.replication.measures import MEASURES, Case, DoesNotApply, Settings, measurement
from synparse.replication.papers import OurRow
from synparse.replication.steps import with_needs, words
from synparse.trees.errors import SettingError

FILES = [
    *("text.txt", "test.txt", "gold.mrg", "gold.conllu", "pairs.tsv"),
    *(f"{name}.tsv.gz" for name in ("stsb-train", "stsb-dev", "stsb-test", "sick-test")),
    *(f"sts{year}.tsv" for year in range(12, 17)),
    *(f"{name}.ptb.gz" for name in ("train", "dev", "test")),
    *("train0", "train6", "test7", "test12"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name in FILES:
        (folder / name).write_text(name, encoding="utf-8")
    return folder


@pytest.fixture
def commands(folder, tmp_path):
    """A function: the commands behind a figure, as typed, in the folder of the data; and the figure in a result."""

    def of(row, *measure, result=None, size="small", minutes=2.5, listops=None, demonstrations=None, **given):
        data = Data(**{name: str(folder / path) if path else str(folder) for name, path in given.items()})
        data = Data(**{**vars(data), "texts": (str(folder / "text.txt"),), "listops": listops})
        data = dataclasses.replace(data, demonstrations=demonstrations)
        found = measurement(Case(Settings(data, tmp_path, size, minutes), OurRow(**row), 3), measure)
        lines = [" ".join(words(step, tmp_path)) for step in with_needs([found.step])]
        for step in with_needs([found.step]):
            lines = [line.replace(f"{tmp_path}/{step.folder}", step.title.partition(" ")[0]) for line in lines]
        return [line.replace(f"{folder}/", "") for line in lines], result and found.value_of(result)

    return of


TRAIN = "train text.txt --recipe udgn-small --set grammar.parts=none --seed 3 --minutes 2.5 --output train/model --json"
PLAIN = "--punctuation ignore --function-words free --jobs 1"


def test_perplexity(commands):
    lines, value = commands(
        {"recipe": "udgn"}, "perplexity", "test", test="test.txt", result={"models": [{"perplexity": 99.5}]}
    )
    assert lines == [TRAIN, "perplexity train/model test.txt --json"]
    assert value == 99.5


def test_settings_of_a_row_are_those_of_the_training(commands):
    row = {"recipe": "udgn", "set": ("architecture.gates=false",)}
    lines, _ = commands(row, "perplexity", "valid", valid="test.txt", size="paper", minutes=None)
    assert lines[0] == (
        "train text.txt --recipe udgn-ptb --valid test.txt --set grammar.parts=none --set architecture.gates=false "
        "--seed 3 --output train/model --json"
    )


def test_a_part_of_the_text(commands, tmp_path):
    lines, _ = commands({"recipe": "udgn", "every": 4}, "perplexity", "test", test="test.txt")
    assert lines[0].startswith(f"train {tmp_path}/text-1-of-4-")


def test_a_part_of_the_text_with_the_words_of_all_of_it(commands):
    row = {"recipe": "udgn", "every": 4, "vocabulary": "whole"}
    lines, _ = commands(row, "perplexity", "test", test="test.txt")
    assert lines[0] == TRAIN
    assert " --vocabulary train/model/udgn-1/vocabulary.txt " in lines[1]


def test_heads_of_given_dependencies(commands):
    given = {"dependencies": "gold.conllu", "brackets": "gold.mrg"}
    lines, value = commands({"recipe": "udgn"}, "heads", "argmax", "stanford", "uas", result={"uas": 41.5}, **given)
    assert lines[1:] == [
        f"parse gold.conllu --model train/model --decode-heads mst --distributions {PLAIN} --output parse/trees.conllu",
        "eval parse/trees.conllu gold.conllu --root wrong --argmax --json",
    ]
    assert value == 41.5


def test_heads_of_converted_brackets(commands):
    for scheme, target in (("stanford", "stanford"), ("conll", "lth2007")):
        lines, _ = commands({"recipe": "udgn"}, "heads", "mst", scheme, "uuas", brackets="gold.mrg")
        assert lines == [
            f"convert gold.mrg --to {target} --output convert/gold.conllu",
            TRAIN,
            f"parse convert/gold.conllu --model train/model --decode-heads mst --distributions {PLAIN} "
            "--output parse/trees.conllu",
            "eval parse/trees.conllu convert/gold.conllu --json",
        ]


def test_brackets_by_layer_and_label(commands):
    result = {
        "uf1_sentence": 40.5,
        "breakdowns": {
            "label": [{"gold label": "NP", "recall": 61.5}],
            "sentence_length": [{"words of the sentence": "WSJ10", "uf1_sentence": 55.5}],
            "depth": [{"trees": "gold", "mean_depth": 7.5}, {"trees": "predicted", "mean_depth": 5.5}],
        },
    }
    row = {"recipe": "on-lstm", "layer": 3}
    of = {"uf1": 40.5, "label NP": 61.5, "label INTJ": None, "length WSJ10": 55.5, "depth": 5.5}
    for score, expected in of.items():
        measure = ("brackets", "published", *score.split())
        lines, value = commands(row, *measure, brackets="gold.mrg", result=result)
        assert value == expected
    assert lines[0] == "convert gold.mrg --to brackets --output convert/gold.brackets"
    assert lines[2:] == [
        "parse convert/gold.brackets --model train/model --format brackets --decode-brackets published --layer 3 "
        f"{PLAIN} --output parse/trees",
        "eval parse/trees convert/gold.brackets --protocol shen2018 --breakdown --json",
    ]
    lines, _ = commands({**row, "decoder": "unbiased"}, "brackets", "published", "uf1", brackets="gold.mrg")
    assert "--decode-brackets unbiased" in lines[2]


def test_parsers_that_learn_nothing_are_not_trained(commands):
    lines, _ = commands({"parser": "chain"}, "heads", "mst", "stanford", "uas", dependencies="gold.conllu")
    assert lines[0] == f"parse gold.conllu --model chain {PLAIN} --output parse/trees.conllu"
    with pytest.raises(DoesNotApply):
        commands({"parser": "chain"}, "perplexity", "test", test="test.txt")


def test_pairs_by_construction(commands):
    groups = [
        {"group": "agreement, simple", "comparison": "grammatical vs. ungrammatical", "accuracy": 80.0},
        {"group": "NPI, simple", "comparison": "grammatical vs. ungrammatical", "accuracy": 10.0},
        {"group": "NPI, simple", "comparison": "grammatical vs. intrusive", "accuracy": 90.0},
    ]
    measure = ("pairs", "NPI, simple", "grammatical vs. intrusive")
    lines, value = commands({"recipe": "lstm"}, *measure, pairs="pairs.tsv", result={"models": [{"groups": groups}]})
    assert lines[1] == "pairs train/model pairs.tsv --json"
    assert value == 90.0


def test_channels_of_a_relation_under_either_of_its_names(commands):
    result = {"models": [{"relations": [{"relation": "nn", "correlation": 0.4}]}]}
    measure = ("channels", "compound", "nn")
    lines, value = commands({"recipe": "udgn"}, *measure, channels="gold.conllu", result=result)
    assert lines[1] == "channels train/model gold.conllu --frequent 100 --json"
    assert value == 0.4
    lines, _ = commands({"recipe": "udgn"}, *measure, brackets="gold.mrg")
    assert lines[1:] == [
        "convert gold.mrg --to stanford --output convert/gold.conllu",
        "channels train/model convert/gold.conllu --frequent 100 --json",
    ]


def test_similarity_after_tuning(commands):
    result = {"models": [{"sets": {"sts12": {"spearman": 61.5}}, "mean": 60.5}]}
    row = {"recipe": "udgn", "freeze_parser": True}
    lines, value = commands(row, "similarity", "sts12", similarity="", result=result)
    assert lines[1] == (
        "similarity train train/model --data stsb-train.tsv.gz --valid stsb-dev.tsv.gz --recipe small "
        "--freeze-parser --seed 3 --minutes 2.5 --output tune/model --json"
    )
    assert lines[2].startswith("similarity evaluate tune/model --data sts12.tsv --data sts13.tsv")
    assert lines[2].count("--data") == 7
    assert value == 61.5
    assert commands(row, "similarity", "mean", similarity="", result=result)[1] == 60.5


def test_sentiment_of_an_encoder(commands):
    row = {"encoder": "ordered-memory"}
    lines, value = commands(row, "sentiment", "sst5", sentiment="", result={"models": {"m": {"accuracy": 44.5}}})
    assert lines == [
        "sentiment train train.ptb.gz --task sst5 --model ordered-memory --valid dev.ptb.gz --recipe small "
        "--seed 3 --minutes 2.5 --output sentiment/model --json",
        "sentiment evaluate sentiment/model --data test.ptb.gz --json",
    ]
    assert value == 44.5


def test_logic_by_operators_and_splits(commands):
    scores = {"accuracy": 90.0, "f1": 70.0, "groups": {"operators": {"7": {"accuracy": 95.5}}}}
    row, result = {"encoder": "lstm"}, {"models": {"m": scores}}
    lines, value = commands(row, "logic", "7", logic="", result=result)
    assert lines == [
        "task logic train train0 train6 --model lstm --recipe small --seed 3 --minutes 2.5 --output logic/model --json",
        "task logic evaluate logic/model --data test7 --data test12 --json",
    ]
    assert value == 95.5
    assert commands(row, "logic-trees", logic="", result=result)[1] == 70.0
    lines, value = commands(row, "logic-split", "B", logic="", result=result)
    assert "task logic split B train0 train6 --train-output split/without.tsv --test-output split/with.tsv" in lines
    assert lines[-1] == "task logic evaluate logic/model --data split/with.tsv --json"
    assert value == 90.0


def test_listops_are_generated(commands):
    result = {"models": {"m": {"accuracy": 90.0, "f1": 70.0}}}
    lines, value = commands({"encoder": "lstm"}, "listops", "f1", result=result, listops=90_000)
    limits = "--max-depth 4 --max-length 30"
    assert lines == [
        f"task listops generate --count 90000 --seed 1 {limits} --output listops/examples.tsv",
        "task listops train listops/examples.tsv --model lstm --recipe small --seed 3 --minutes 2.5 "
        "--output listops/model --json",
        f"task listops generate --count 5000 --seed 2 {limits} --without listops/examples.tsv "
        "--output listops/examples.tsv",
        "task listops evaluate listops/model --data listops/examples.tsv --json",
    ]
    assert value == 70.0


def test_imitation_in_craft(commands):
    result = {"models": {"m": {"nmi": 98.5}}}
    row = {"encoder": "option-controller", "set": ("architecture.options=2",)}
    lines, value = commands(row, "imitation", "AB BA", "nmi", result=result, demonstrations=60)
    assert lines == [
        "task craft generate AB BA --count 60 --seed 1 --output demonstrations/demos.tsv",
        "task craft train demonstrations/demos.tsv --model option-controller --recipe small "
        "--set architecture.options=2 --seed 3 --minutes 2.5 --output craft/model --json",
        "task craft generate AB BA --count 300 --seed 2 --output demonstrations/demos.tsv",
        "task craft evaluate craft/model --data demonstrations/demos.tsv --json",
    ]
    assert value == 98.5


def test_success_of_the_option_of_a_subtask(commands):
    options = {"success": [{"A": 2.0, "C": 95.0}, {"A": 90.0, "C": 1.0}], "subtask_of": ["C", "A"]}
    result = {"models": {"m": {"options": options}}}
    row = {"encoder": "option-controller", "option": "A"}
    lines, value = commands(row, "option-success", "AC", "C", result=result, demonstrations=60)
    assert lines[-1] == "task craft evaluate craft/model --data demonstrations/demos.tsv --success 1000 --json"
    assert value == 1.0
    result["models"]["m"]["options"] = options | {"subtask_of": ["C", None]}
    assert commands(row, "option-success", "AC", "C", result=result, demonstrations=60)[1] is None


@pytest.mark.parametrize(
    ("size", "options", "flat"),
    [
        ("small", "--steps 100000 --set training.batch=256", "--steps 100000"),
        ("paper", *["--steps 1000000 --set training.learning_rate=3e-4"] * 2),
    ],
)
def test_returns_of_agents(commands, size, options, flat):
    of = ("return", "DBC", "sparse", "AB BA", "CD DC")
    row = {"encoder": "option-controller", "agent": "options"}
    lines, value = commands(row, *of, size=size, result={"mean_return": 0.75}, demonstrations=60)
    assert [line.partition(" --")[0] for line in lines[:4]] == [
        "task craft generate AB BA",
        "task craft train demonstrations/demos.tsv",
        "task craft generate CD DC",
        "task craft train demonstrations/demos.tsv",
    ]
    assert lines[4:] == [
        "task craft transfer craft/model craft/model --task DBC --reward sparse --kind options "
        f"{options} --seed 3 --output learn/agent --json",
        "task craft play learn/agent --episodes 1000 --json",
    ]
    assert value == 0.75
    lines, _ = commands({"agent": "flat"}, *of, size=size, demonstrations=60)
    assert lines[0] == (
        f"task craft transfer --task DBC --reward sparse --kind flat {flat} --seed 3 --output learn/agent --json"
    )
    with pytest.raises(DoesNotApply):
        commands({"encoder": "ompn"}, *of, demonstrations=60)


@pytest.mark.parametrize(
    ("row", "measure", "option"),
    [
        ({"recipe": "udgn"}, ("perplexity", "test"), "--test TEXT"),
        ({"recipe": "udgn"}, ("heads", "mst", "stanford", "uas"), r"--trees BRACKETS \(or --trees CONLLU\)"),
        ({"recipe": "udgn"}, ("heads", "mst", "conll", "uas"), "--trees BRACKETS$"),
        ({"recipe": "udgn"}, ("brackets", "unbiased", "uf1"), "--trees BRACKETS"),
        ({"recipe": "udgn"}, ("pairs", "a", "b"), "--pairs FILE"),
        ({"recipe": "udgn"}, ("channels", "det"), "--channels CONLLU"),
        ({"recipe": "udgn"}, ("similarity", "sts12"), "--similarity DIR"),
        ({"encoder": "lstm"}, ("sentiment", "sst2"), "--sentiment DIR"),
        ({"encoder": "lstm"}, ("logic", "7"), "--logic DIR"),
        ({"encoder": "lstm"}, ("listops", "f1"), "--listops COUNT"),
        ({"encoder": "ompn"}, ("imitation", "AC", "f1"), "--demonstrations COUNT"),
        ({"agent": "flat"}, ("return", "DCA", "dense", "AC"), "--demonstrations COUNT"),
    ],
)
def test_what_is_missing_is_named(commands, row, measure, option):
    with pytest.raises(Needs, match=option):
        commands(row, *measure)


def test_language_models_need_text(tmp_path, folder):
    settings = Settings(Data(test=str(folder / "test.txt")), tmp_path)
    with pytest.raises(Needs, match="TEXT"):
        measurement(Case(settings, OurRow(recipe="udgn"), 1), ("perplexity",))


def test_a_recipe_that_is_not_shipped_is_said_to_be_needed(commands):
    with pytest.raises(Needs, match=r"a recipe student-ptb \(none is shipped\)"):
        commands({"recipe": "student"}, "perplexity", "test", test="test.txt", size="paper")


def test_an_unknown_measure_is_answered_with_the_known_ones(tmp_path):
    with pytest.raises(SettingError, match=f"unknown measure 'las'; there are {', '.join(MEASURES)}"):
        measurement(Case(Settings(Data(), tmp_path), OurRow(), 1), ("las",))
