"""`synparse channels`, and induced relations from parse to eval."""

import json

import pytest

from synparse.trees.conllu import format_conllu, read_conllu
from tests.cli.commands import synparse
from tests.untrained import untrained

WORDS = "the a old dog saw it cat he in and was of"
GOLD = (
    format_conllu("the old dog saw it .".split(), (3, 3, 4, 0, 4, 4), ("det", "amod", "nsubj", "root", "obj", "punct"))
    + format_conllu("a cat saw the dog".split(), (2, 3, 0, 5, 3), ("det", "nsubj:x", "root", "det", "obj"))
    + format_conllu("he was in it".split(), (4, 4, 4, 0), ("nsubj", "cop", "case", "root"))
)


@pytest.fixture(scope="module")
def udgn(tmp_path_factory):
    return untrained(tmp_path_factory.mktemp("udgn") / "model", "udgn", WORDS)


@pytest.fixture(autouse=True)
def _folder(udgn, tmp_path, monkeypatch):
    """The current one, with the files gold and model."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").write_text(GOLD, encoding="utf-8")
    (tmp_path / "model").symlink_to(udgn)


def typed(line, code=0):
    """What a command prints."""
    return synparse(*line.split(), code=code)


def test_tables_maps_and_json(tmp_path):
    text = typed(
        "channels model gold --only det,nsubj,det --clusters --all --svg map.svg --report page.html --names universal"
    )
    assert [line.split()[0] for line in text.splitlines() if line.startswith(("det", "nsubj", "mean"))] == [
        "det", "nsubj", "mean"
    ]  # fmt: skip
    assert "induced and trivial relations of gold arcs" in text
    assert "all channels" in text
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "all channels" in (tmp_path / "page.html").read_text(encoding="utf-8")
    text = typed("channels model model gold --frequent 3 --json")
    values = json.loads(text)
    assert list(values) == ["gold", "protocol", "models"]
    [model] = values["models"]
    assert list(model) == ["model", "kind", "layers", "channels", "arcs", "relations", "mean_of_best", "entropies"]
    assert [relation["relation"] for relation in model["relations"]] == ["det", "nsubj", "obj"]
    text = typed("channels model gold --frequent 1 --tsv")
    assert text.splitlines()[-2].split("\t")[:2] == ["det", "3"]


@pytest.mark.parametrize("rule", ["channels", "messages"])
def test_relations_go_from_parse_to_eval(rule, tmp_path):
    assert typed(f"parse gold -m model --relations {rule} --device cpu -o out") == ""
    sentences = list(read_conllu((tmp_path / "out").read_text(encoding="utf-8").splitlines(True), "out"))
    names = {name for sentence in sentences for name in sentence.relations}
    sides = {f"{rule[0]}{number}:{side}" for number in (1, 2) for side in ("left", "right")}
    assert {"root", "punct"} < names <= {"root", "punct"} | sides
    text = typed("eval gold gold --score-relations full --baselines --json")
    scores = json.loads(text)
    assert scores["relation_v_measure"] == scores["relation_las"] == 100
    assert [row["relations"] for row in scores["breakdowns"]["relations"]][:2] == ["induced", "random"]
    text = typed("eval out gold --score-relations universal")
    assert "LAS, mapped" in text


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("channels gold", 2, "name one model and one gold file"),
        ("channels model gold --json --tsv", 2, "one of --json, --tsv and --latex at most"),
        (
            "channels english gold",
            2,
            "the model student has no channels; models with channels are udgn, structformer, transformer",
        ),
        ("channels model gold --only xyz", 2, "gold has no arc with the relation 'xyz'; it has det, nsubj"),
        ("parse gold -m english --relations messages", 2, "english sends no messages along arcs; a udgn does, if it"),
        ("parse gold -m model --relations channels -f brackets", 2, "--relations names arcs, which brackets do not"),
    ],
)
def test_errors_are_one_line(line, code, message):
    assert message in typed(line, code)
