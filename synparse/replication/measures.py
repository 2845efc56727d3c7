"""From one of our rows, a column and a seed to the step whose result has the figure, with the steps before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from synparse.config.recipe import recipe_folder
from synparse.replication.data import TEXT, Data, Needs, given, part, parts, thinned
from synparse.replication.papers import OurRow
from synparse.replication.steps import Argument, Made, Output, Shipped, Step, UserFile
from synparse.trees.errors import SettingError

Size: TypeAlias = Literal["small", "paper"]

RECIPE_SIZES: Mapping[str, str] = {"small": "small", "paper": "ptb"}
"""How the names of recipes of language models end."""

SCHEMES = {"stanford": "stanford", "conll": "lth2007"}
"""The dependencies of the papers' tables, as `synparse convert --to` names them."""

STS = ("sts12", "sts13", "sts14", "sts15", "sts16", "stsb-test", "sick-test")
"""Files of sentence pairs that are scored."""

LEAST_TRAINED, MOST_TRAINED, MOST_TESTED = 0, 6, 12
"""Operators of pairs of formulas: those trained on, and from the next number on those tested on."""

LISTOPS_LIMITS: Mapping[str, tuple[str, ...]] = {"small": ("--max-depth", "4", "--max-length", "30"), "paper": ()}
"""Of expressions; none is the published distribution."""

TEST_DEMONSTRATIONS = "300"
"""Of each task in Craft; models are scored on these."""

TRIED_IN, EPISODES = "1000", "1000"
"""Random worlds in which an option is tried, and an agent acts."""

PPO: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "small": {
        "options": ("--steps", "100000", "--set", "training.batch=256"),  # a decision lasts about four steps
        "one-step": ("--steps", "100000"),
        "flat": ("--steps", "100000"),
    },
    "paper": dict.fromkeys(
        ("options", "one-step", "flat"), ("--steps", "1000000", "--set", "training.learning_rate=3e-4")
    ),
}
"""How agents of each kind learn; the number of steps is not told in the paper."""


@dataclass(frozen=True)
class Settings:
    """What all runs of a replication share. minutes: of each training, at most; None: as many as the recipe takes."""

    data: Data
    work: Path
    size: Size = "small"
    minutes: float | None = None


class DoesNotApply(Exception):  # noqa: N818 - not an error: the cell stays empty
    """The measure is of another kind of row: perplexity of a parser that learns nothing, say."""


class Case(NamedTuple):
    """One training of one of our rows."""

    settings: Settings
    row: OurRow
    seed: int


class Measurement(NamedTuple):
    """A figure of a case: ``value_of`` the result of a step, as JSON; None where the result has none."""

    step: Step
    value_of: Callable[[Any], float | None]


def measurement(case: Case, measure: tuple[str, ...]) -> Measurement:
    """The figure that a column shows.

    Raises Needs where data are missing, DoesNotApply where the row has no such figure, SettingError for an unknown
    measure.
    """
    name, *arguments = measure
    if name not in MEASURES:
        raise SettingError(f"unknown measure {name!r}; there are {', '.join(MEASURES)}")
    return MEASURES[name](case, *arguments)


# Language models


def trained(case: Case) -> Step:
    """The training of the row's language model: the network alone, as in the papers, without grammars."""
    settings, row, seed = case
    if not row.recipe:
        raise DoesNotApply
    if not settings.data.texts:
        raise Needs(TEXT)
    name = f"{row.recipe}-{RECIPE_SIZES[settings.size]}"
    recipe = Shipped(name, recipe_folder() / f"{name}.yaml")
    if not recipe.file.is_file():
        raise Needs(f"a recipe {name} (none is shipped)")
    texts = thinned(settings.data.texts, row.every, settings.work)
    valid = settings.data.valid
    whole = trained(case._replace(row=replace(row, every=1, vocabulary=""))) if row.vocabulary else None
    changes = ("grammar.parts=none", *row.set)
    return _training(
        case,
        " ".join(["train", name, *row.set, *([f"1 of {row.every}"] if row.every > 1 else []), f"seed {seed}"]),
        ("train", *map(UserFile, texts)),
        *("--recipe", recipe),
        *(() if valid is None else ("--valid", UserFile(valid))),
        *(() if whole is None else ("--vocabulary", Made(whole, f"model/{row.recipe}-1/vocabulary.txt"))),
        *(word for change in changes for word in ("--set", change)),
    )


def _training(case: Case, title: str, begins: tuple[Argument, ...], *options: Argument) -> Step:
    """A training that writes a model. ``begins``: its command and data, by which it is resumed too."""
    minutes = case.settings.minutes
    limit = () if minutes is None else ("--minutes", f"{minutes:g}")
    arguments = (*begins, *options, "--seed", str(case.seed), *limit, "--output", Output("model"), "--json")
    return Step(title, arguments, begins, is_training=True)


def perplexity(case: Case, text: str = "test") -> Measurement:
    """Of the held-out text ``test`` or ``valid``, as the model predicts: masked words, or next words."""
    path = given(getattr(case.settings.data, text), f"--{text} TEXT")
    model = trained(case)
    step = Step(f"perplexity {text}, {model.title}", ("perplexity", Made(model, "model"), UserFile(path), "--json"))
    return Measurement(step, lambda result: _number(result["models"][0]["perplexity"]))


def brackets(case: Case, decoder: str, *score: str) -> Measurement:
    """Of constituents: ``uf1``, ``depth``, ``label NP`` (recall) or ``length WSJ10`` (UF1 of sentences of 10 words)."""
    step = scored_brackets(case, case.row.decoder or decoder)
    if score[0] == "uf1":
        return Measurement(step, lambda result: _number(result["uf1_sentence"]))
    breakdown, key, name, value = {
        "label": ("label", "gold label", score[-1], "recall"),
        "length": ("sentence_length", "words of the sentence", score[-1], "uf1_sentence"),
        "depth": ("depth", "trees", "predicted", "mean_depth"),
    }[score[0]]
    return Measurement(step, lambda result: _row(result["breakdowns"].get(breakdown, []), {key: name}, value))


def scored_brackets(case: Case, decoder: str) -> Step:
    """The score of the row's constituents against the gold brackets."""
    source = given(case.settings.data.brackets, "--trees BRACKETS")
    gold = Made(_converted(source, "brackets"), "gold.brackets")
    layer = () if case.row.layer is None else ("--layer", str(case.row.layer))
    model, title, decode = _parser(case, "brackets", decoder)
    parsed = Step(
        f"{' '.join(['parse', 'brackets', *decode[1:], *map(str, layer[1:])])}, {title}",
        ("parse", gold, "--model", model, "--format", "brackets", *decode, *layer, *PLAIN, "--output", Output("trees")),
    )
    arguments = ("eval", Made(parsed, "trees"), gold, "--protocol", "shen2018", "--breakdown", "--json")
    return Step(parsed.title.replace("parse", "eval", 1), arguments)


def heads(case: Case, decoder: str, scheme: str, score: str) -> Measurement:
    """Of dependencies: ``uas`` or ``uuas``. With ``argmax`` in place of a decoder, the most probable head of each word
    is scored, which is never the root and need not make a tree (StructFormer, eq. 18; thesis, 4.3.2)."""
    data = case.settings.data
    gold: Argument
    if scheme == "stanford" and data.dependencies is not None:
        gold = UserFile(data.dependencies)
    else:
        hint = "--trees BRACKETS" if scheme == "conll" else "--trees BRACKETS (or --trees CONLLU)"
        gold = Made(_converted(given(data.brackets, hint), SCHEMES[scheme]), "gold.conllu")
    is_argmax = decoder == "argmax"
    model, title, decode = _parser(case, "heads", "mst" if is_argmax else decoder)
    distributions = () if case.row.parser else ("--distributions",)  # those that learn nothing have none
    parsed = Step(
        f"{' '.join(['parse', scheme, *decode[1:]])}, {title}",
        ("parse", gold, "--model", model, *decode, *distributions, *PLAIN, "--output", Output("trees.conllu")),
    )
    rule = ("--root", "wrong", *(("--argmax",) if distributions else ())) if is_argmax else ()
    arguments = ("eval", Made(parsed, "trees.conllu"), gold, *rule, "--json")
    scored = " ".join(["eval", scheme, *([decoder] if decode else [])])
    return Measurement(Step(f"{scored}, {title}", arguments), lambda result: _number(result.get(score)))


PLAIN = ("--punctuation", "ignore", "--function-words", "free", "--jobs", "1")
"""Trees as the network scores them, as in the papers: without cues that this program adds."""


def _parser(case: Case, part: Literal["brackets", "heads"], decoder: str) -> tuple[Argument, str, tuple[str, ...]]:
    """The model that parses, its title, and the decoder; parsers that learn nothing have none."""
    if case.row.parser:
        return case.row.parser, case.row.parser, ()
    model = trained(case)
    return Made(model, "model"), model.title, (f"--decode-{part}", decoder)


def _converted(source: str, target: str) -> Step:
    name = "gold.brackets" if target == "brackets" else "gold.conllu"
    return Step(f"convert {target}", ("convert", UserFile(source), "--to", target, "--output", Output(name)))


def pairs(case: Case, group: str, comparison: str) -> Measurement:
    """The percentage of minimal pairs of a group whose better sentence is more probable."""
    path = given(case.settings.data.pairs, "--pairs FILE")
    model = trained(case)
    step = Step(f"pairs, {model.title}", ("pairs", Made(model, "model"), UserFile(path), "--json"))
    wanted = {"group": group, "comparison": comparison}
    return Measurement(step, lambda result: _row(result["models"][0]["groups"], wanted, "accuracy"))


def channels(case: Case, *relations: str) -> Measurement:
    """The correlation of the best channel with a relation, which has another name in other schemes."""
    data = case.settings.data
    source = data.channels or data.dependencies
    gold: Argument = (
        UserFile(source)
        if source is not None
        else Made(_converted(given(data.brackets, "--channels CONLLU"), SCHEMES["stanford"]), "gold.conllu")
    )
    model = trained(case)
    arguments = ("channels", Made(model, "model"), gold, "--frequent", MOST_RELATIONS, "--json")
    step = Step(f"channels, {model.title}", arguments)

    def correlation(result: Any) -> float | None:
        rows = result["models"][0]["relations"]
        correlations = (_row(rows, {"relation": relation}, "correlation") for relation in relations)
        return next((value for value in correlations if value is not None), None)

    return Measurement(step, correlation)


MOST_RELATIONS = "100"
"""All relations of a scheme, which need not be among the most frequent ones."""


# Sentences


def similarity(case: Case, of: str) -> Measurement:
    """Spearman's correlation (times 100) on a set of sentence pairs, or the ``mean``, after tuning on STS-B."""
    folder, option = case.settings.data.similarity, "--similarity DIR"
    data = [part(folder, option, f"{name}.tsv") for name in ("stsb-train", "stsb-dev", *STS)]
    model = trained(case)
    frozen = ("--freeze-parser",) if case.row.freeze_parser else ()
    recipe = _of_size(case, "similarity", "similarity")
    tuned = _training(
        case,
        f"{' '.join(['tune', *(word[2:] for word in frozen)])}, {model.title}",
        ("similarity", "train", Made(model, "model"), "--data", UserFile(data[0])),
        *("--valid", UserFile(data[1]), "--recipe", recipe, *frozen),
    )
    tuned = replace(tuned, resumed_by=("similarity", "train", "--data", UserFile(data[0])))  # from its checkpoint
    sets = (word for path in data[2:] for word in ("--data", UserFile(path)))
    step = Step(f"similarity, {tuned.title}", ("similarity", "evaluate", Made(tuned, "model"), *sets, "--json"))
    if of == "mean":
        return Measurement(step, lambda result: _number(result["models"][0]["mean"]))
    return Measurement(step, lambda result: _number(result["models"][0]["sets"].get(of, {}).get("spearman")))


def sentiment(case: Case, task: str) -> Measurement:
    """Accuracy on the sentences of the Stanford Sentiment Treebank: ``sst2`` or ``sst5``."""
    folder, option = case.settings.data.sentiment, "--sentiment DIR"
    train, dev, test = (part(folder, option, f"{name}.ptb") for name in ("train", "dev", "test"))
    encoder = _encoder(case)
    trained_encoder = _training(
        case,
        f"sentiment {task} {encoder} seed {case.seed}",
        ("sentiment", "train", UserFile(train)),
        *("--task", task, "--model", encoder, "--valid", UserFile(dev)),
        *("--recipe", _of_size(case, "tasks", "sentiment")),
    )
    step = Step(
        f"accuracy, {trained_encoder.title}",
        ("sentiment", "evaluate", Made(trained_encoder, "model"), "--data", UserFile(test), "--json"),
    )
    return Measurement(step, lambda result: _number(_only(result)["accuracy"]))


# Formal tasks


def logic(case: Case, operators: str) -> Measurement:
    """Accuracy on pairs of formulas with so many operators, more than it was trained on."""
    step = _evaluated(case, "logic", *_formulas(case), "")

    def accuracy(result: Any) -> float | None:
        return _number(_only(result)["groups"]["operators"].get(operators, {}).get("accuracy"))

    return Measurement(step, accuracy)


def logic_trees(case: Case) -> Measurement:
    """F1 of the trees of the same formulas."""
    step = _evaluated(case, "logic", *_formulas(case), "")
    return Measurement(step, lambda result: _number(_only(result)["f1"]))


def logic_split(case: Case, split: str) -> Measurement:
    """Accuracy on the longer pairs that have a construction, trained on the shorter pairs that do not have it."""
    shorter, longer = _formulas(case)
    train, test = _split(split, "train", shorter), _split(split, "test", longer)
    step = _evaluated(case, "logic", (Made(train, "without.tsv"),), (Made(test, "with.tsv"),), f"split {split}")
    return Measurement(step, lambda result: _number(_only(result)["accuracy"]))


def listops(case: Case, score: str) -> Measurement:
    """``accuracy`` or ``f1`` of trees on random expressions."""
    count = given(case.settings.data.listops, "--listops COUNT")
    every, train = _expressions(case, count, 1), _expressions(case, max(1, count // case.row.every), 1)
    test = _expressions(case, TEST_EXPRESSIONS, 2, "--without", Made(every, "examples.tsv"))
    step = _evaluated(case, "listops", (Made(train, "examples.tsv"),), (Made(test, "examples.tsv"),), "")
    return Measurement(step, lambda result: _number(_only(result).get(score)))


def _formulas(case: Case) -> tuple[tuple[UserFile, ...], tuple[UserFile, ...]]:
    """The published pairs of formulas to train on, and the longer ones to test on."""
    folder, option = case.settings.data.logic, "--logic DIR"
    train = parts(folder, option, "train", range(LEAST_TRAINED, MOST_TRAINED + 1))
    test = parts(folder, option, "test", range(MOST_TRAINED + 1, MOST_TESTED + 1))
    return tuple(map(UserFile, train)), tuple(map(UserFile, test))


def _split(split: str, of: str, data: tuple[UserFile, ...]) -> Step:
    outputs = ("--train-output", Output("without.tsv"), "--test-output", Output("with.tsv"))
    return Step(f"split {split} {of}", ("task", "logic", "split", split, *data, *outputs))


TEST_EXPRESSIONS = 5_000


def _expressions(case: Case, count: int, seed: int, *without: Argument) -> Step:
    limits = LISTOPS_LIMITS[case.settings.size]
    drawn = ("--count", str(count), "--seed", str(seed))
    return Step(
        f"listops expressions {count}",
        ("task", "listops", "generate", *drawn, *limits, *without, "--output", Output("examples.tsv")),
    )


def _evaluated(case: Case, task: str, train: tuple[Argument, ...], test: tuple[Argument, ...], title: str) -> Step:
    """The score of an encoder that is trained on a formal task."""
    trained_encoder = _trained_encoder(case, [task, title, _encoder(case)], ("task", task, "train"), train)
    data = (word for file in test for word in ("--data", file))
    evaluate = ("task", task, "evaluate", Made(trained_encoder, "model"), *data, "--json")
    return Step(f"accuracy, {trained_encoder.title}", evaluate)


# Craft


def imitation(case: Case, tasks: str, score: str) -> Measurement:
    """A score, in per cent, of the segments or actions of a model that imitates demonstrations of the tasks."""
    step = _evaluated_imitator(case, tasks, "segments")
    return Measurement(step, lambda result: _number(_only(result)[score]))


def option_success(case: Case, tasks: str, thing: str) -> Measurement:
    """How often the row's option takes this thing first, in per cent; None where no option is assigned to its
    subtask."""

    def success(result: Any) -> float | None:
        options = _only(result)["options"]
        by_subtask = dict(zip(options["subtask_of"], options["success"], strict=True))
        return _number(by_subtask.get(case.row.option, {}).get(thing))

    return Measurement(_evaluated_imitator(case, tasks, "options", "--success", TRIED_IN), success)


def _evaluated_imitator(case: Case, tasks: str, title: str, *options: str) -> Step:
    """The scores of the row's model on other demonstrations of its tasks."""
    model, test = _imitator(case, tasks), _demonstrations(tasks, TEST_DEMONSTRATIONS, seed=2)
    arguments = ("task", "craft", "evaluate", Made(model, "model"), "--data", Made(test, "demos.tsv"))
    return Step(f"{title}, {model.title}", (*arguments, *options, "--json"))


def task_return(case: Case, task: str, reward: str, *tasks: str) -> Measurement:
    """The mean return of an agent that has learned the task, with the options of a model of each of ``tasks``."""
    kind = case.row.agent
    if not kind:
        raise DoesNotApply
    given(case.settings.data.demonstrations, DEMONSTRATIONS)
    imitators = () if kind == "flat" else tuple(_imitator(case, each) for each in tasks)
    of = imitators[0].title if imitators else f"seed {case.seed}"
    asked = ("--task", task, "--reward", reward, "--kind", kind, *PPO[case.settings.size][kind])
    agent = Step(
        f"learn {task} {reward} {kind}, {of}",
        (
            *("task", "craft", "transfer"),
            *(Made(model, "model") for model in imitators),
            *asked,
            *("--seed", str(case.seed), "--output", Output("agent"), "--json"),
        ),
        is_training=True,
    )
    arguments = ("task", "craft", "play", Made(agent, "agent"), "--episodes", EPISODES, "--json")
    return Measurement(Step(f"play, {agent.title}", arguments), lambda result: _number(result["mean_return"]))


DEMONSTRATIONS = "--demonstrations COUNT"


def _demonstrations(tasks: str, count: str, seed: int) -> Step:
    drawn = ("--count", count, "--seed", str(seed), "--output", Output("demos.tsv"))
    return Step(f"demonstrations of {tasks}", ("task", "craft", "generate", *tasks.split(), *drawn))


def _imitator(case: Case, tasks: str) -> Step:
    """The training of the row's model on demonstrations of the tasks."""
    count = given(case.settings.data.demonstrations, DEMONSTRATIONS)
    demonstrations = Made(_demonstrations(tasks, str(count), seed=1), "demos.tsv")
    return _trained_encoder(case, ["craft", _encoder(case), tasks], ("task", "craft", "train"), (demonstrations,))


def _trained_encoder(case: Case, title: Sequence[str], command: tuple[str, ...], data: tuple[Argument, ...]) -> Step:
    """The training of the row's encoder on the examples of a task, which is the second word of the command."""
    return _training(
        case,
        " ".join(filter(None, [*title, *case.row.set, f"seed {case.seed}"])),
        (*command, *data),
        *("--model", _encoder(case), "--recipe", _of_size(case, "tasks", command[1])),
        *(word for change in case.row.set for word in ("--set", change)),
    )


def _of_size(case: Case, folder: str, task: str) -> Shipped:
    """The recipe of a task, by its size."""
    size = case.settings.size
    return Shipped(size, recipe_folder() / folder / f"{task}-{size}.yaml")


def _encoder(case: Case) -> str:
    if not case.row.encoder:
        raise DoesNotApply
    return case.row.encoder


def _only(result: Any) -> Any:
    """The scores of the one model that was evaluated."""
    [scores] = result["models"].values()
    return scores


def _row(rows: list[dict[str, Any]], wanted: Mapping[str, str], value: str) -> float | None:
    """A value of the first row that has what is wanted."""
    return next((_number(row.get(value)) for row in rows if wanted.items() <= row.items()), None)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


MEASURES: Mapping[str, Callable[..., Measurement]] = {
    "perplexity": perplexity,
    "brackets": brackets,
    "heads": heads,
    "pairs": pairs,
    "channels": channels,
    "similarity": similarity,
    "sentiment": sentiment,
    "logic": logic,
    "logic-trees": logic_trees,
    "logic-split": logic_split,
    "listops": listops,
    "imitation": imitation,
    "option-success": option_success,
    "return": task_return,
}
"""The measures by the names that columns use."""
