"""The figures of docs/craft.md: finished runs of `synparse task craft` become TSV files.

    python -m benchmarks.craft RUNS...    then: make docs

RUNS are folders. Whatever is in them and in folders below is read:

- model directories of `synparse task craft train`, by their config.yaml and log.jsonl;
- agents of `synparse task craft transfer`, by the same two files;
- files named `*.json` that `synparse task craft evaluate --success N --json` printed. A model is found by the name of
  its directory, so these names have to differ.

Runs that differ by nothing but their seed are the seeds of one configuration. Everything that tells configurations
apart is read from config.yaml; a folder may have any name. If it ends with `-seed` and a number, what stands before
is the name of the configuration in the tables. Runs that are unfinished, because their checkpoint is still there or
because they were stopped, are left out, and a note says so.

    runs/s1-oc-T10-k3-seed1/         runs/s1-oc-T10-k3-seed2/ …      models
    runs/s1-DCA-sparse-options-seed1/ …                              agents
    runs/s1-oc-T10-k3.json                                           what evaluate printed

Written are, per cent, mean (standard deviation, n − 1) over seeds:

- craft_imitation.tsv: models of imitation, each with its scores on the demonstrations that `evaluate` was given, or, if
  some of its seeds have not been evaluated, on the held-out ones at the best update, from the log;
- craft_options.tsv: how often an option takes the thing of each subtask, and the same from the thesis. The options of
  all seeds are put together by the subtasks to which `evaluate` assigned them;
- craft_transfer.tsv: returns of agents: the mean over the episodes that ended in the last tenth of the steps. `best`
  is yes for the best of several learning rates of a kind of agent;
- craft_curves.tsv: scores of imitation by updates, and returns of agents by steps of the environment; the latter for
  the best learning rate alone.

`benchmarks/results.py` draws the curves from these files alone. Two pictures of the page show what a model and an agent
do, and need their directories (MODEL, AGENT):

    synparse task craft generate DA --count 1 --size 8 --seed 21 --output da.tsv --ends-output da.ends
    synparse task craft generate CD --count 1 --size 8 --seed 11 --output cd.tsv --ends-output cd.ends
    cat da.tsv cd.tsv > both.tsv; cat da.ends cd.ends > both.ends
    synparse task craft segment MODEL both.tsv --format tsv --output options.tsv
    synparse task craft draw both.tsv --ends both.ends --segments options.tsv -f svg -o docs/images/craft-segments.svg
    synparse task craft play AGENT --episodes 20 --seed 4 --output played.tsv --segments-output options.tsv
    synparse task craft draw played.tsv --segments options.tsv --count 1 -f svg -o docs/images/craft-agent.svg

An agent with the options of one model belongs to setting S1 of the thesis, with those of several to S2; a flat agent,
which has no options, to the setting of its task.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks.quality.table import NOTHING, dated, mean_and_spread, write_table
from synparse.files.tables import Row
from synparse.store.model_directory import CONFIG, LAST, LOG
from synparse.tasks.craft.ppo import Row as LogRow
from synparse.tasks.craft.subtasks import SUBTASKS

FOLDER = Path(__file__).resolve().parent

SCORES = {
    "alignment_accuracy": "alignment accuracy",
    "f1": "F1",
    "nmi": "NMI",
    "action_accuracy": "action accuracy",
}
"""The names of scores where `evaluate` prints them, and their columns."""

IN_LOG = {name: name for name in SCORES} | {"f1": "boundary_f1"}
"""Their names in log.jsonl, where they are fractions."""

FOUND = 95.0
"""NMI from which on a seed has found the subtasks."""

POINTS = 40
"""Of a learning curve of an agent."""

AT_THE_END = 10
"""The returns of a table are those of the last of so many parts of a run."""

PUBLISHED = {"A": ("1", (96, NOTHING, 7, 3)), "C": ("3", (1, NOTHING, 98, 1)), "D": ("2", (0, NOTHING, 2, 95))}
"""By subtask, its option, and the per cent of success of this with A, B, C and D: thesis, table 5.2."""

MADE = ("commit", "date")
OF_MODEL = (
    *("name", "tasks", "model", "options", "temperature", "balance", "end cost", "end bias", "batch", "learning rate"),
)
COLUMNS = {
    "craft_imitation": (
        *(*OF_MODEL, "updates", "minutes", "seeds", "scored on", "boundaries"),
        *(*SCORES.values(), "seeds with NMI from 95 on", *MADE),
    ),
    "craft_options": ("name", "seeds", "option", *SUBTASKS, *MADE),
    "craft_transfer": (
        *("setting", "task", "reward", "world", "kind", "options of", "options", "learning rate", "batch", "best"),
        *("steps", "minutes", "seeds", "return", "success", "length", "decisions", *MADE),
    ),
    "craft_curves": (
        *("setting", "tasks", "reward", "world", "name", "model", "options", "temperature", "balance", "end cost"),
        *("learning rate", "measure", "unit", "x", "mean", "deviation", "seeds"),
    ),
}
"""Of each table."""


class Model(NamedTuple):
    """A finished run of imitation: its folder's name, config.yaml and log.jsonl; evaluated: what `evaluate` printed of
    it, by how boundaries were chosen."""

    name: str
    config: Mapping[str, Any]
    log: Sequence[Mapping[str, Any]]
    evaluated: Mapping[str, Mapping[str, Any]]

    @property
    def seed(self) -> int:
        return int(self.config["provenance"]["seed"])


class Agent(NamedTuple):
    """A finished run of transfer: its folder's name, config.yaml and log.jsonl."""

    name: str
    config: Mapping[str, Any]
    log: Sequence[LogRow]

    @property
    def seed(self) -> int:
        return int(self.config["provenance"]["seed"])

    @property
    def steps(self) -> int:
        return int(self.config["provenance"]["steps_asked_for"])


def without_seed(name: str) -> str:
    """The name of a configuration.

    >>> without_seed("s1-oc-T10-seed3"), without_seed("mine")
    ('s1-oc-T10', 'mine')
    """
    return re.sub(r"-seed\d+$", "", name)


def note(text: str) -> None:
    print(text, file=sys.stderr)


def read_runs(folders: Iterable[Path]) -> tuple[list[Model], list[Agent]]:
    """All finished runs in folders and below. Raises ValueError where two models have one name."""
    models, agents = list[Model](), list[Agent]()
    printed = dict[tuple[str, str], Mapping[str, Any]]()
    for folder in folders:
        for directory, values in printed_in(folder):
            known = printed.setdefault((Path(directory).name, values["boundaries"]), {})
            printed[Path(directory).name, values["boundaries"]] = {**known, **values}
        for path in sorted(folder.rglob(CONFIG)):
            config = yaml.safe_load(path.read_text(encoding="utf-8"))
            if config.get("task") != "craft":
                continue
            log = [json.loads(line) for line in (path.parent / LOG).read_text(encoding="utf-8").splitlines()]
            provenance = config["provenance"]
            if (path.parent / LAST).exists() or provenance["steps"] < provenance.get("steps_asked_for", 0):
                note(f"{path.parent}: left out: this run is not finished")
            elif "agent" in config:
                agents.append(Agent(path.parent.name, config, [LogRow(**row) for row in log]))
            else:
                models.append(Model(path.parent.name, config, log, {}))
    names = [model.name for model in models]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two models are named {twice[0]}")
    if unknown := sorted({name for name, _ in printed} - set(names)):
        note(f"evaluations of models that are not there, or not finished: {', '.join(unknown)}")
    evaluated = {name: {how: values for (of, how), values in printed.items() if of == name} for name in names}
    return [model._replace(evaluated=evaluated[model.name]) for model in models], agents


def printed_in(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What `evaluate` printed into files of a folder: the directory of each model, and its scores."""
    for path in sorted(folder.rglob("*.json")):
        try:
            printed = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            note(f"{path}: left out: not what evaluate --json printed")
            continue
        for directory, values in printed.get("models", {}).items():
            if "boundaries" in values:
                yield directory, values


def grouped(runs: Iterable[Any], key: Callable[[Any], object]) -> list[list[Any]]:
    """The runs of each configuration by their seeds, in the order of the configurations' names. Raises ValueError for
    two runs of one seed."""
    groups = dict[str, dict[int, Any]]()
    for run in sorted(runs, key=lambda run: run.name):
        seeds = groups.setdefault(json.dumps(key(run), sort_keys=True), {})
        if run.seed in seeds:
            raise ValueError(f"{seeds[run.seed].name} and {run.name} are the same run")
        seeds[run.seed] = run
    return [[runs_of[seed] for seed in sorted(runs_of)] for runs_of in groups.values()]


def configuration(model: Model) -> object:
    """All that tells models apart, besides seeds."""
    recipe = model.config["recipe"]
    return model.config["tasks"], {**recipe, "training": training_of(model)}, model.config["provenance"]["data"]


def training_of(model: Model) -> Mapping[str, Any]:
    """The settings of training that have an effect on a model of its kind; those of older runs lack what was added
    since."""
    settings = {"end_cost": 0.0, "end_cost_from": 1, **model.config["recipe"]["training"]}
    sizes = model.config["recipe"]["architecture"]
    idle = {"end_cost", "end_cost_from"} if "end_bias" not in sizes else set()
    idle |= {"balance"} if "options" not in sizes else set()
    idle |= {"end_cost_from"} if not settings["end_cost"] else set()
    return {name: value for name, value in settings.items() if name not in idle}


def of_model(model: Model) -> Row:
    """The cells that describe a model."""
    recipe = model.config["recipe"]
    sizes, training = recipe["architecture"], training_of(model)
    return {
        "name": without_seed(model.name),
        "tasks": " ".join(model.config["tasks"]),
        "model": recipe["model"],
        "options": cell(sizes.get("options")),
        "temperature": cell(sizes.get("temperature")),
        "balance": cell(training.get("balance")),
        "end cost": cell(training.get("end_cost")) + first_epoch(training),
        "end bias": cell(sizes.get("end_bias")),
        "batch": cell(training["batch_size"]),
        "learning rate": cell(training["learning_rate"]),
    }


def first_epoch(training: Mapping[str, Any]) -> str:
    """From which epoch on an option's end has a cost, unless it is the first."""
    return f" from epoch {training['end_cost_from']} on" if training.get("end_cost_from", 1) > 1 else ""


def cell(value: float | None) -> str:
    """A setting as it is written."""
    return NOTHING if value is None else f"{value:g}"


def seeds_of(runs: Sequence[Any]) -> str:
    return " ".join(str(run.seed) for run in runs)


def kept(model: Model) -> Mapping[str, Any]:
    """The row of the log at the update whose model was kept."""
    return next(row for row in model.log if row["step"] == model.config["provenance"]["steps"])


def logged(model: Model) -> dict[str, float | None]:
    """The scores of the model that was kept on held-out demonstrations, in per cent."""
    row = kept(model)
    return {name: None if row[of] is None else 100 * row[of] for name, of in IN_LOG.items()}


def imitation_rows(models: Sequence[Model]) -> Iterator[Row]:
    """A row for each configuration, and for each way of choosing boundaries in which all its seeds were evaluated."""
    for runs in grouped(models, configuration):
        ways = set.intersection(*(set(run.evaluated) for run in runs))
        for way in sorted(ways) or [NOTHING]:
            scores = [run.evaluated[way] if ways else logged(run) for run in runs]
            if ways:
                tested = f"{scores[0]['demonstrations']:,} demonstrations"
            else:
                tested, way = "held out", "known" if runs[0].config["recipe"]["model"] == "ompn" else "threshold"
            nmi = [seed_scores["nmi"] for seed_scores in scores if seed_scores["nmi"] is not None]
            yield {
                **of_model(runs[0]),
                "updates": mean_and_spread([run.log[-1]["step"] for run in runs], 0),
                "minutes": mean_and_spread([run.log[-1]["seconds"] / 60 for run in runs]),
                "seeds": seeds_of(runs),
                "scored on": tested,
                "boundaries": way,
                **{
                    title: mean_and_spread([seed_scores[name] for seed_scores in scores])
                    for name, title in SCORES.items()
                },
                "seeds with NMI from 95 on": f"{sum(value >= FOUND for value in nmi)} of {len(nmi)}"
                if nmi
                else NOTHING,
            }


def option_rows(models: Sequence[Model]) -> Iterator[Row]:
    """A row for each option of a configuration, by the subtask that it was assigned to: its success with each subtask,
    over seeds; and the published table."""
    for runs in grouped(models, configuration):
        evaluated = [run for run in runs if options_of(run) is not None]
        tables = [options for run in runs if (options := options_of(run)) is not None]
        for subtask in sorted({assigned for table in tables for assigned in table["subtask_of"] if assigned}):
            rates = [
                rate
                for table in tables
                for assigned, rate in zip(table["subtask_of"], table["success"], strict=True)
                if assigned == subtask
            ]
            cells = {letter: mean_and_spread([rate[letter] for rate in rates]) for letter in SUBTASKS}
            yield {"name": without_seed(runs[0].name), "seeds": seeds_of(evaluated), "option": subtask, **cells}
    for subtask, (option, values) in PUBLISHED.items():
        cells = {letter: str(value) for letter, value in zip(SUBTASKS, values, strict=True)}
        yield {"name": "published", "option": f"{subtask} (option {option})", **cells}


def options_of(model: Model) -> Mapping[str, Any] | None:
    """What `evaluate` printed of a model's options, if it tried them."""
    return next((evaluation["options"] for evaluation in model.evaluated.values() if "options" in evaluation), None)


def setting_of(agents: Sequence[Agent]) -> Callable[[Agent], str]:
    """A function that tells the setting of an agent by the number of models that its options are of, of a flat agent by
    its task."""

    def by_models(agent: Agent) -> str:
        return f"S{min(2, len(agent.config['provenance']['models']))}"

    of_tasks = {
        agent.config["agent"]["task"]: by_models(agent) for agent in agents if agent.config["provenance"]["models"]
    }

    def setting(agent: Agent) -> str:
        if agent.config["provenance"]["models"]:
            return by_models(agent)
        return of_tasks.get(agent.config["agent"]["task"], NOTHING)

    return setting


def transfer_configuration(agent: Agent) -> object:
    """All that tells agents apart, besides seeds."""
    return compared_with(agent), agent.config["training"]["learning_rate"]


def compared_with(agent: Agent) -> object:
    """The same without the learning rate, of which the best is chosen."""
    training = {name: value for name, value in agent.config["training"].items() if name != "learning_rate"}
    models = [without_seed(model) for model in agent.config["provenance"]["models"]]
    return [agent.config[part] for part in ("agent", "grid", "view")], training, models, agent.steps


def of_agent(agent: Agent) -> Row:
    """The cells that describe an agent, besides what it is called in the tables."""
    config, grid = agent.config, agent.config["grid"]
    return {
        "reward": config["agent"]["reward"],
        "world": f"{grid['size']} × {grid['size']}, {grid['things']} of each thing, {grid['limit']} steps",
        "options": cell(config["agent"]["options"] or None),
        "learning rate": cell(config["training"]["learning_rate"]),
    }


def models_of(agent: Agent) -> str:
    """The names of the models whose options it has."""
    return ", ".join(without_seed(model) for model in agent.config["provenance"]["models"]) or NOTHING


def at_the_end(agent: Agent, value: Callable[[LogRow], float | None]) -> float:
    """The mean of a value over the episodes that ended in the last part of a run. Raises ZeroDivisionError if there are
    none."""
    total, count, before = 0.0, 0, 0
    for row in agent.log:
        measured, ended = value(row), row.episodes - before
        before = row.episodes
        if measured is not None and row.steps > agent.steps * (1 - 1 / AT_THE_END):
            total, count = total + measured * ended, count + ended
    return total / count


def final_return(agent: Agent) -> float:
    return at_the_end(agent, lambda row: row.mean_return)


def best_groups(agents: Sequence[Agent]) -> list[tuple[list[Agent], bool]]:
    """The agents of each configuration, and whether its learning rate is the one with the highest mean return."""
    groups = grouped(agents, transfer_configuration)
    best = dict[str, tuple[float, int]]()
    for number, runs in enumerate(groups):
        key = json.dumps(compared_with(runs[0]), sort_keys=True)
        best[key] = max(best.get(key, (-1.0, number)), (statistics.fmean(map(final_return, runs)), number))
    chosen = {number for _, number in best.values()}
    return [(runs, number in chosen) for number, runs in enumerate(groups)]


def transfer_rows(agents: Sequence[Agent]) -> Iterator[Row]:
    """A row for each configuration of agents."""
    setting = setting_of(agents)
    for runs, is_best in best_groups(agents):
        yield {
            **of_agent(runs[0]),
            "setting": setting(runs[0]),
            "task": runs[0].config["agent"]["task"],
            "kind": runs[0].config["agent"]["kind"],
            "options of": models_of(runs[0]),
            "batch": cell(runs[0].config["training"]["batch"]),
            "best": "yes" if is_best else "no",
            "steps": f"{runs[0].steps:,}",
            "minutes": mean_and_spread([run.config["provenance"]["seconds"] / 60 for run in runs]),
            "seeds": seeds_of(runs),
            "return": mean_and_spread(map(final_return, runs), 2),
            "success": mean_and_spread([100 * at_the_end(run, lambda row: row.success_rate) for run in runs]),
            "length": mean_and_spread([at_the_end(run, lambda row: row.length) for run in runs]),
            "decisions": mean_and_spread([at_the_end(run, lambda row: row.decisions) for run in runs]),
        }


def curve_rows(models: Sequence[Model], agents: Sequence[Agent]) -> Iterator[Row]:
    """A row for each point of each curve."""
    for runs in grouped(models, configuration):
        steps = set.intersection(*({row["step"] for row in run.log} for run in runs))
        described = {name: text for name, text in of_model(runs[0]).items() if name in COLUMNS["craft_curves"]}
        for name, title in SCORES.items():
            for step in sorted(steps):
                logged_then = [next(row for row in run.log if row["step"] == step) for run in runs]
                values = [100 * row[IN_LOG[name]] for row in logged_then if row[IN_LOG[name]] is not None]
                if values:
                    yield {**described, "measure": title, "unit": "updates", **point(step, values, 1)}
    setting = setting_of(agents)
    for runs in (runs for runs, is_best in best_groups(agents) if is_best):
        described = {
            **of_agent(runs[0]),
            "setting": setting(runs[0]),
            "tasks": runs[0].config["agent"]["task"],
            "name": models_of(runs[0]),
            "model": runs[0].config["agent"]["kind"],
            "measure": "return",
            "unit": "steps",
        }
        for step, returns in learning_curve([run.log for run in runs], max(1, runs[0].steps // POINTS)).items():
            if step <= runs[0].steps:  # the last update goes some steps beyond
                yield {**described, **point(step, returns, 3)}


def learning_curve(logs: Sequence[Sequence[LogRow]], window: int) -> dict[int, list[float]]:
    """The mean return of the episodes that ended in each window of so many steps, of each run in which some did, by the
    steps at the end of the window."""
    means = [window_means(log, window) for log in logs]
    indices = sorted(set().union(*means))
    return {(index + 1) * window: [run[index] for run in means if index in run] for index in indices}


def window_means(log: Sequence[LogRow], window: int) -> dict[int, float]:
    """The mean return of the episodes of each window, by the window's index; a row's are counted at its end."""
    sums: dict[int, tuple[float, int]] = {}
    before = 0
    for row in log:
        if row.mean_return is not None:
            index, count = (row.steps - 1) // window, row.episodes - before
            total, number = sums.get(index, (0.0, 0))
            sums[index] = total + row.mean_return * count, number + count
        before = row.episodes
    return {index: total / number for index, (total, number) in sums.items()}


def point(x: int, values: Sequence[float], decimals: int) -> Row:
    """The cells of a point of a curve."""
    deviation = f"{statistics.stdev(values):.{decimals}f}" if len(values) > 1 else NOTHING
    mean = f"{statistics.fmean(values):.{decimals}f}"
    return {"x": str(x), "mean": mean, "deviation": deviation, "seeds": str(len(values))}


def tables_of(models: Sequence[Model], agents: Sequence[Agent]) -> dict[str, list[Row]]:
    """The rows of all tables."""
    return {
        "craft_imitation": list(imitation_rows(models)),
        "craft_options": list(option_rows(models)),
        "craft_transfer": list(transfer_rows(agents)),
        "craft_curves": list(curve_rows(models, agents)),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("runs", nargs="+", type=Path, help="folders with model directories, agents and evaluations")
    options.add_argument("--output", type=Path, default=FOLDER, help="the folder of the TSV files")
    given = options.parse_args()
    made = dated()
    try:
        tables = tables_of(*read_runs(given.runs))
    except ValueError as error:
        raise SystemExit(str(error)) from None
    for name, rows in tables.items():
        write_table(given.output / f"{name}.tsv", [{**row, **made} for row in rows], COLUMNS[name])
        note(f"{given.output / name}.tsv: {len(rows)} rows")


if __name__ == "__main__":
    main()
