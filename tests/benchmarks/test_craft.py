"""From runs of Craft to tables, on run folders that are written by hand."""

import json
from xml.etree import ElementTree

import pytest
import yaml

from benchmarks import results
from benchmarks.craft import COLUMNS, learning_curve, read_runs, tables_of
from benchmarks.quality.table import write_table
from synparse.tasks.craft.ppo import Row

OPTIONS = {"options": 3, "hidden_size": 128, "temperature": 10.0, "end_bias": -3.0}
STEPS = 1000


def write_run(folder, name, config, log):
    (folder / name).mkdir()
    (folder / name / "config.yaml").write_text(yaml.safe_dump({"task": "craft", **config}), encoding="utf-8")
    (folder / name / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    return folder / name


def write_model(folder, name, seed, nmi, *, sizes=OPTIONS, tasks=("AC", "DA")):
    recipe = {
        "model": "option-controller",
        "architecture": sizes,
        "training": {"balance": 0.1, "batch_size": 128, "learning_rate": 0.002},
    }
    provenance = {"seed": seed, "steps": 200, "data": ["s1.tsv"]}
    log = [
        {
            **{"step": step, "seconds": 0.6 * step, "log_likelihood": -1 / step},
            **{"nmi": value, "alignment_accuracy": 0.5, "boundary_f1": None, "action_accuracy": 0.25},
        }
        for step, value in zip((100, 200, 300), nmi, strict=True)
    ]
    return write_run(folder, name, {"tasks": list(tasks), "recipe": recipe, "provenance": provenance}, log)


def write_agent(folder, name, seed, returns, *, models=("oc-seed1",), kind="options", rate=3e-4, steps=STEPS):
    config = {
        "agent": {"task": "DCA", "reward": "sparse", "kind": kind, "options": 3 * len(models), "option_size": 128},
        "grid": {"size": 8, "things": 2, "walls": 4, "limit": 50},
        "view": {"near": 5},
        "training": {"learning_rate": rate, "batch": 1024},
        "provenance": {
            **{"seed": seed, "models": list(models), "seconds": 120.0},
            **{"steps": steps, "steps_asked_for": STEPS},
        },
    }
    log = [
        {
            **{"steps": STEPS * (number + 1) // len(returns), "episodes": number + 1, "mean_return": value},
            **{"success_rate": value, "length": 10.0, "decisions": 2.0, "entropy": 0.5},
        }
        for number, value in enumerate(returns)
    ]
    return write_run(folder, name, config, log)


def evaluated(nmi, subtask_of):
    rates = {"A": {"A": 90.0, "B": 0.0, "C": 5.0, "D": 0.0}, "C": {"A": 0.0, "B": 10.0, "C": 80.0, "D": 2.0}}
    scores = {"alignment_accuracy": 99.0, "f1": 98.0, "nmi": nmi, "action_accuracy": 91.0, "nats": 0.2}
    options = {"subtask_of": subtask_of, "success": [rates[one] for one in subtask_of]}
    return {
        "kind": "option-controller",
        "demonstrations": 1000,
        "boundaries": "threshold",
        **scores,
        "options": options,
    }


def test_seeds_of_a_configuration_are_one_row_with_the_scores_of_the_kept_models(tmp_path):
    write_model(tmp_path, "oc-seed1", 1, (0.1, 0.96, 0.2))
    write_model(tmp_path, "oc-seed2", 2, (0.3, 0.5, 0.2))
    write_model(tmp_path, "one", 1, (0.0, 1.0, 0.0), sizes={**OPTIONS, "temperature": 1.0})
    rows = tables_of(*read_runs([tmp_path]))["craft_imitation"]
    assert [(row["name"], row["temperature"], row["seeds"]) for row in rows] == [("oc", "10", "1 2"), ("one", "1", "1")]
    assert rows[0]["NMI"] == "73.0 (32.5)"
    assert rows[0]["seeds with NMI from 95 on"] == "1 of 2"
    assert (rows[0]["updates"], rows[0]["minutes"], rows[0]["F1"]) == ("300 (0)", "3.0 (0.0)", "–")
    assert (rows[0]["scored on"], rows[0]["boundaries"]) == ("held out", "threshold")


def test_evaluations_take_the_place_of_the_log_where_all_seeds_have_one(tmp_path):
    for seed in (1, 2):
        write_model(tmp_path, f"oc-seed{seed}", seed, (0.1, 0.2, 0.3))
    printed = tmp_path / "oc.json"
    models = {"elsewhere/oc-seed1": evaluated(97.0, ["A", "C"])}
    printed.write_text(json.dumps({"models": models}), encoding="utf-8")
    assert tables_of(*read_runs([tmp_path]))["craft_imitation"][0]["NMI"] == "20.0 (0.0)"
    models["elsewhere/oc-seed2"] = evaluated(99.0, ["C", "A"])
    printed.write_text(json.dumps({"models": models}), encoding="utf-8")
    tables = tables_of(*read_runs([tmp_path]))
    [row] = tables["craft_imitation"]
    assert (row["NMI"], row["scored on"]) == ("98.0 (1.4)", "1,000 demonstrations")
    of_ours = [row for row in tables["craft_options"] if row["name"] == "oc"]
    assert [(row["option"], row["A"], row["C"]) for row in of_ours] == [
        *(("A", "90.0 (0.0)", "5.0 (0.0)"), ("C", "0.0 (0.0)", "80.0 (0.0)"))
    ]
    assert [row["option"] for row in tables["craft_options"] if row["name"] == "published"] == [
        *("A (option 1)", "C (option 3)", "D (option 2)")
    ]


def test_the_best_learning_rate_is_that_of_the_highest_return_at_the_end(tmp_path):
    write_agent(tmp_path, "a-seed1", 1, [0.9] * 9 + [0.2])
    write_agent(tmp_path, "a-seed2", 2, [0.9] * 9 + [0.4])
    write_agent(tmp_path, "b-seed1", 1, [0.0] * 9 + [0.5], rate=1e-3)
    write_agent(tmp_path, "flat", 1, [0.0] * 9 + [0.125], models=(), kind="flat")
    write_agent(tmp_path, "both", 1, [0.0] * 9 + [1.0], models=("oc-seed1", "oc2-seed1"))
    tables = tables_of(*read_runs([tmp_path]))
    found = {(row["setting"], row["kind"], row["learning rate"]): row for row in tables["craft_transfer"]}
    assert {key: (row["return"], row["best"]) for key, row in found.items()} == {
        ("S1", "options", "0.0003"): ("0.30 (0.14)", "no"),
        ("S1", "options", "0.001"): ("0.50", "yes"),
        ("S2", "options", "0.0003"): ("1.00", "yes"),
        ("S2", "flat", "0.0003"): ("0.12", "yes"),
    }
    assert found["S1", "options", "0.0003"]["seeds"] == "1 2"
    drawn = {(row["model"], row["learning rate"]) for row in tables["craft_curves"]}
    assert drawn == {("options", "0.001"), ("options", "0.0003"), ("flat", "0.0003")}


def test_curves_are_means_where_every_seed_was_validated(tmp_path):
    write_model(tmp_path, "oc-seed1", 1, (0.1, 0.2, 0.3))
    path = write_model(tmp_path, "oc-seed2", 2, (0.3, 0.2, 0.3)) / "log.jsonl"
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:2]), encoding="utf-8")
    rows = tables_of(*read_runs([tmp_path]))["craft_curves"]
    assert [(row["x"], row["mean"], row["deviation"]) for row in rows if row["measure"] == "NMI"] == [
        *(("100", "20.0", "14.1"), ("200", "20.0", "0.0"))
    ]
    assert not [row for row in rows if row["measure"] == "F1"]


def test_what_is_not_finished_is_left_out_with_a_note(tmp_path, capsys):
    (write_model(tmp_path, "going", 1, (0.1, 0.2, 0.3)) / "last.safetensors").touch()
    write_agent(tmp_path, "stopped", 1, [0.5], steps=STEPS // 2)
    write_run(tmp_path, "other", {"task": "listops"}, [])
    (tmp_path / "lines.json").write_text("{}\n{}\n", encoding="utf-8")
    (tmp_path / "gone.json").write_text(json.dumps({"models": {"gone": evaluated(1.0, ["A"])}}), encoding="utf-8")
    assert read_runs([tmp_path]) == ([], [])
    notes = capsys.readouterr().err
    assert all(name in notes for name in ("going", "stopped", "lines.json", "gone"))


def test_two_models_of_one_name_are_refused(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_model(tmp_path / folder, "oc-seed1", 1, (0.1, 0.2, 0.3))
    with pytest.raises(ValueError, match="two models are named oc-seed1"):
        read_runs([tmp_path])


def test_a_seed_counts_once(tmp_path):
    for name in ("oc-seed1", "again"):
        write_model(tmp_path, name, 1, (0.1, 0.2, 0.3))
    with pytest.raises(ValueError, match="again and oc-seed1 are the same run"):
        tables_of(*read_runs([tmp_path]))


def test_settings_that_have_no_effect_do_not_tell_runs_apart(tmp_path):
    def with_cost(path, cost, epoch):
        config = (path / "config.yaml").read_text(encoding="utf-8")
        costs = f"balance: 0.1\n    end_cost: {cost}\n    end_cost_from: {epoch}"
        (path / "config.yaml").write_text(config.replace("balance: 0.1", costs), encoding="utf-8")

    curve, of_experts = (0.1, 0.2, 0.3), {"options": 3, "temperature": 1.0}
    write_model(tmp_path, "oc-seed1", 1, curve)
    with_cost(write_model(tmp_path, "oc-seed2", 2, curve), 0.0, 12)
    with_cost(write_model(tmp_path, "costs", 1, curve), 0.02, 12)
    write_model(tmp_path, "moe-seed1", 1, curve, sizes=of_experts)
    with_cost(write_model(tmp_path, "moe-seed2", 2, curve, sizes=of_experts), 0.02, 12)
    rows = tables_of(*read_runs([tmp_path]))["craft_imitation"]
    assert [(row["name"], row["seeds"], row["end cost"]) for row in rows] == [
        *(("costs", "1", "0.02 from epoch 12 on"), ("moe", "1 2", "–"), ("oc", "1 2", "0"))
    ]


def test_tables_and_pictures_are_made_from_the_files_alone(tmp_path, monkeypatch):
    for number, task in enumerate(("DCA", "CAD")):
        for kind, models in (("options", ("oc-seed1",)), ("flat", ())):
            name = f"{kind}-{number}"
            path = write_agent(tmp_path, name, 1, [0.0, 0.5 + number / 4], models=models, kind=kind) / "config.yaml"
            path.write_text(path.read_text(encoding="utf-8").replace("DCA", task), encoding="utf-8")
    write_model(tmp_path, "oc-seed1", 1, (0.1, 0.2, 0.3), tasks=["AC", "CD", "DA"])
    write_model(tmp_path, "five", 1, (0.1, 0.2, 0.3), tasks=["AC", "CD", "DA"], sizes={**OPTIONS, "options": 5})
    for name, rows in tables_of(*read_runs([tmp_path])).items():
        write_table(tmp_path / f"{name}.tsv", rows, COLUMNS[name])
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    pictures = results.craft_pictures()
    returns = texts_of(pictures["craft-returns-one.svg"])
    assert [text for text in returns if "reward" in text] == ["CAD, sparse reward", "DCA, sparse reward"]
    assert returns[-2:] == ["options", "flat"]
    assert texts_of(pictures["craft-imitation.svg"])[-1] == "option-controller, T = 10"
    assert texts_of(pictures["craft-options.svg"])[-2:] == ["3 options", "5 options"]
    cells = [line.split(" | ") for line in results.craft_returns().splitlines()]
    assert [line[1:3] + line[5:8] for line in cells[2:]] == [
        ["CAD", "sparse", "0.75 at 0.0003", "–", "0.75 at 0.0003"],
        ["DCA", "sparse", "0.50 at 0.0003", "–", "0.50 at 0.0003"],
        ["three tasks", "sparse", "0.7", "–", "–"],
    ]


def texts_of(picture):
    return [text.text for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def test_every_cell_has_a_column(tmp_path):
    write_model(tmp_path, "oc-seed1", 1, (0.1, 0.2, 0.3))
    write_agent(tmp_path, "agent", 1, [0.1, 0.2])
    for name, rows in tables_of(*read_runs([tmp_path])).items():
        assert rows
        assert {column for row in rows for column in row} <= set(COLUMNS[name])


def log_of(*rows):
    return [Row(steps, episodes, mean_return, None, None, None, 0.0) for steps, episodes, mean_return in rows]


def test_a_point_has_the_mean_of_the_episodes_of_a_window_of_each_run():
    first = log_of((60, 1, 1.0), (100, 4, 0.0), (101, 4, None), (160, 6, 0.5))
    second = log_of((90, 2, 0.75), (180, 2, None))
    assert learning_curve([first, second], window=100) == {100: [0.25, 0.75], 200: [0.5]}


def test_runs_without_episodes_have_no_curve():
    assert learning_curve([log_of((60, 0, None))], window=50) == {}
    assert learning_curve([], window=50) == {}
