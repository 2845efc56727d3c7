"""Training runs: the stages of a recipe, one after the other, from text to a model directory; and how to resume them.

After each group of stages, the directory holds the best parser so far: its config.yaml lists the folders of the parser,
and each stage writes its own folders. One file has the state of the run, for resuming, and is deleted at the end.
PyTorch is needed only to train networks.
"""

from __future__ import annotations

import math
import shlex
import signal as signals
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from synparse.config.recipe import (
    GrammarStage,
    ModelRecipe,
    NetworkStage,
    Recipe,
    Stage,
    TreeStage,
    is_empty,
    load_recipe,
    name_of,
    recipe_to_train,
    refuse_grammars_of_baselines,
    refuse_settled,
    shipped_recipes,
)
from synparse.config.training import TreeTraining
from synparse.corpora.text_notes import text_notes
from synparse.corpora.tokenizer_choice import text_settings
from synparse.files.cores import available_cores
from synparse.files.extras import how_to_install
from synparse.files.folders import exclusive_lock, save_together, scratch_folder, stored
from synparse.files.processes import Executor, pool
from synparse.files.streams import is_read_once, read_lines
from synparse.inducers.configurations import NoNetwork
from synparse.inducers.devices import has_torch, pick_device
from synparse.parsing.decoders import check_recorded
from synparse.parsing.run import refuse_bad_address
from synparse.store.cards import described_files, origin_of
from synparse.store.labels import label_files, names_of
from synparse.store.model_directory import CLASSES, RUN, ModelDescription, is_unfinished, load, read_config
from synparse.store.models import open_model
from synparse.store.overwriting import refuse_to_lose, refuse_to_overwrite, remove_stages, stage_names, what_is_there
from synparse.training.comparison import SENTENCES, compared
from synparse.training.events import Learning, Note, Report, StageBegins, TrainingResult
from synparse.training.given_models import copy_teacher, start_of, teachers_of
from synparse.training.labels import learned_labels
from synparse.training.launcher import is_first, is_launched, restarts
from synparse.training.planning import (
    Group,
    Rates,
    adds_students,
    gives_way,
    groups_of,
    least_seconds,
    planned,
    trees_after,
)
from synparse.training.progress import RunState, read_run
from synparse.training.reading import RunSettings
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.save_every import save_every as read_save_every
from synparse.training.stages import (
    Work,
    fingerprint_of,
    given_to,
    kind_of,
    measured_rates,
    networks_so_far,
    run_stage,
    size_of_text,
)
from synparse.training.stopping import stop_on_signals
from synparse.trees.arguments import Name, Names, name_given, names_given, number_given
from synparse.trees.errors import DataError, SettingError, TrainingError

CORPORA = ("standard-input.txt", "standard-input-2.txt")
"""Where the text of standard input is kept until the run is done: not where the unfinished run that it replaces has it,
which goes on if the new one fails."""

OVERRUN = 1.2
"""A run that takes so many times its minutes says so."""


def train(
    corpus: Names,
    recipe: Recipe | Name | None = None,
    output: Name = "model",
    *,
    model: str | None = None,
    changes: Names = (),
    teachers: Names = (),
    init: Name | None = None,
    valid: Name | None = None,
    raw: bool = False,
    language: str | None = None,
    tokenizer: str | None = None,
    input_format: str | None = None,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 1,
    vocabulary: Name | None = None,
    trees: Names = (),
    save_every: SaveEvery | int | str = TEN_MINUTES,
    report: Report = lambda _: None,
    force: bool = False,
    jobs: int | None = None,
    cluster: str | None = None,
) -> TrainingResult:
    """Train a parser on ``corpus``: one file or several (``-`` is standard input). Files and models are strings or
    paths; where several can be given, one may stand alone.

    - ``recipe``: a name, a path or a `Recipe` (`synparse.config.recipe`); None: the recipe of ``model``, or the default
      recipe. ``changes``: changed settings, such as ``training.mask_rate=0.4``.
    - ``raw``, ``language``, ``tokenizer``: how text is split, as the options of these names; by default, text that is
      not tokenised is split by rules, which is reported, unless ``changes`` set a tokenizer.
    - ``output``: the model directory to write. Whenever the run ends, it holds the best parser so far.
    - ``minutes``: a time limit. Before each group of stages begins, the run decides what there is time for, so that no
      stage is interrupted. It reports which stages it leaves out, and records the passes and sentences of the others in
      the recipe of the model.
    - ``teachers``: trained models from which the first stage learns; they are copied to the directory.
    - ``init``: a model with whose weights, vocabulary and recipe the first network starts.
    - ``valid``: a file of held-out text; None: 2 % of the corpus are held out.
    - ``vocabulary``: the vocabulary.txt of a model, to use for all networks instead of the words of the corpus, so that
      perplexities can be compared.
    - ``trees``: files of given trees, whole or with gaps, from which grammars and students learn as well.
    - ``force``: overwrite a model or an unfinished run at ``output``, once there is something to save.
    - ``save_every``: how often a network saves a checkpoint: a number of updates (``500``) or a time (``"10m"``).
    - ``report``: a function that is called with every event (`synparse.training.events`).
    - ``jobs``: the number of processes that count the text, compute the expected counts of EM, and parse for a student;
      None: one, which has a thread for each core in EM, and as many for the trees as save time. ``cluster``: do this on
      a Dask cluster: the address of its scheduler, or ``local``.

    SIGINT (Ctrl-C), SIGTERM and SIGHUP end the run; the directory then holds the best parser so far and what `resume`
    needs. If PyTorch's launcher restarts the processes of a run, the run continues.

    Raises DataError for an invalid corpus or teacher, and if the output cannot be written; SettingError if the output
    exists, for an unknown device or tokenizer, for numbers out of range, for options that do not fit the recipe or each
    other, and for decoders that the models do not have; TrainingError if training fails, and for networks if PyTorch is
    not installed (the default recipe then ends before its networks, which is reported).
    """
    output = Path(output)
    files, changes, teachers, trees = map(names_given, (corpus, changes, teachers, trees))
    recipe = name_given(recipe)
    init, valid, vocabulary = name_given(init), name_given(valid), name_given(vocabulary)
    base, member = (None, None) if init is None else start_of(init)
    refuse_to_lose("--init: this model", [] if member is None else [member.directory], output)
    has_own = init is not None or (recipe is not None and recipe not in shipped_recipes())
    has_own |= any(change.startswith("text.tokenizer=") for change in changes)
    values, note = text_settings(files, tokenizer, language, raw, input_format, has_own)
    for text in filter(None, (note, *text_notes(files, input_format))):
        report(Note(text, matters=True))
    if init is not None and (values or any(change.lstrip("0123456789.").startswith("text.") for change in changes)):
        raise SettingError("--init reads text as its model does: leave out --tokenizer, --language and --set text.…")
    changes = (*changes, *(f"text.{name}='{value}'" for name, value in values.items()))  # no is Norwegian
    chosen = recipe_to_train(recipe, model, changes, base)
    if recipe is None and model is None and init is None:
        chosen = _possible(chosen, report)
    _refuse_without_torch(chosen.stages)
    for option, given in (("--valid", [valid]), ("--vocabulary", [vocabulary]), ("--trees", trees)):
        _refuse_pipes(option, filter(None, given))
        refuse_to_lose(f"{option}: this file", map(Path, filter(None, given)), output)
    refuse_to_lose("this text", (Path(path) for path in files if not is_read_once(path)), output)
    settings = RunSettings(files, valid, raw, input_format, minutes, seed, vocabulary, trees).absolute()
    loaded = teachers_of(teachers, output)
    _check(chosen, settings, [teacher.description for teacher in loaded])
    _check_processes(chosen, settings)
    _check_executor(chosen, jobs, cluster)
    state = RunState(chosen, settings)
    if member is not None:
        if vocabulary is not None:
            raise SettingError("--init takes the vocabulary of its model: leave out --vocabulary")
        load(member)  # damage is told before anything is learned
        state.init = {"model": str(member.directory.absolute()), "sha256": fingerprint_of(member)}
    state.origins = [origin_of(name) for name in (*teachers, *([] if init is None else [init]))]
    work = Work(output, state, device, read_save_every(save_every), report)
    given_to(work, chosen.text)  # the first stage may take long and not read them, and then be in vain

    def begin() -> None:
        work.replaced = stored(output, RUN).read_bytes() if stored(output, RUN).is_file() else None
        pipes = list(filter(is_read_once, settings.corpus))  # every stage reads the text
        name_of_copy = _names_of_copies(work)[0]
        copy = str((output / name_of_copy).absolute())
        corpus = [path for path in settings.corpus if path not in pipes]
        if pipes:
            corpus.insert(settings.corpus.index(pipes[0]), copy)
        state.settings = replace(settings, corpus=tuple(corpus))
        for teacher in loaded:
            name = state.new_name(teacher.description.recipe.model)
            copy_teacher(teacher, output / name)
            state.members.append(name)
        makers = state.members if isinstance(state.recipe.active_stages[0], TreeStage) else ()  # of its trees
        work.save(makers, others={name_of_copy: partial(_copy, pipes)} if pipes else None)

    with exclusive_lock(output) if is_first() else nullcontext():
        if restarts() and is_unfinished(output):
            before = read_run(output)
            # With minutes, its recipe is what has been planned.
            if before.settings == settings and (before.recipe == chosen or minutes is not None):
                work.state = before
                return _run(work, None, jobs, cluster)
        if is_first():
            refuse_to_overwrite(output, force)
        state.earlier = stage_names(output)
        return _run(work, begin, jobs, cluster)


def resume(
    directory: Name,
    *,
    corpus: Names = (),
    trees: Names = (),
    minutes: float | None = None,
    changes: Names = (),
    allow_changed_corpus: bool = False,
    device: str = "auto",
    save_every: SaveEvery | int | str = TEN_MINUTES,
    report: Report = lambda _: None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> TrainingResult:
    """Continue the unfinished run in ``directory`` to its end.

    In one process on a CPU, the result is bit for bit that of a run without interruption, if the number of threads is
    the same; a `Note` reports if it is not. ``corpus``, ``trees``: the files, if they have moved; ``minutes``: the time
    limit of the whole run, including the part before the interruption; ``changes``: changed settings of the stages that
    are not done, see `synparse.config.recipe.refuse_settled`; ``jobs``, ``cluster``: as in `train`; they may differ
    from those before the interruption. A run whose ``minutes`` suffice for no further stage stays as it is. Raises as
    `train`, and DataError if there is nothing to resume, or if the corpus or given trees have changed (unless
    ``allow_changed_corpus``).
    """
    directory = Path(directory)
    corpus, trees, changes = map(names_given, (corpus, trees, changes))
    if not stored(directory, RUN).is_file():
        raise DataError(f"there is nothing to resume: {what_is_there(directory)}", str(directory))
    with exclusive_lock(directory) if is_first() else nullcontext():
        state = read_run(directory)
        for change in changes:
            state.recipe = _changed(state, change)
        _refuse_without_torch(state.recipe.stages[state.stages :])
        _check_executor(state.recipe, jobs, cluster)
        for option, given in (("TEXT with --resume", corpus), ("--trees", trees)):
            _refuse_pipes(option, given)
        if trees and not state.settings.trees:
            raise SettingError("--trees: this run began without given trees; leave it out, or begin another run")
        corpus = corpus or _moved_copies(directory, state.settings.corpus)
        state.settings = state.settings.changed(corpus, minutes, trees)
        _check_processes(state.recipe, state.settings)
        for files, again in ((state.settings.corpus, "train FILE"), (state.settings.trees, "train --trees FILE")):
            if gone := next((path for path in files if not Path(path).exists()), None):
                again = f"synparse {again} --resume {shlex.quote(str(directory))}"
                raise DataError(f"is not there any more; if it has moved, name the files again: {again}", gone)
        if allow_changed_corpus:  # what is known of the text is known of another one
            state.corpus = {}
        every = read_save_every(save_every)
        work = Work(directory, state, device, every, report, allows_change=allow_changed_corpus, is_resumed=True)
        given_to(work, state.recipe.text)
        return _run(work, None, jobs, cluster)


def _moved_copies(directory: Path, corpus: Sequence[str]) -> list[str]:
    """The files of a run, of which the copy of standard input is in its directory, also where that has moved."""
    copies = {name: str(directory / name) for name in CORPORA if (directory / name).is_file()}
    return [copies.get(Path(path).name, path) for path in corpus]


def _run(work: Work, begin: Callable[[], None] | None, jobs: int | None, cluster: str | None) -> TrainingResult:
    """Run the remaining stages; the caller has the lock of the directory. ``begin``: called first by a new run."""
    if work.device not in ("auto", "cpu"):  # refused before anything is learned; those need no PyTorch
        pick_device(work.device)
    signal: int | None = None
    with stop_on_signals() as stop, warnings.catch_warnings():
        # The words of the text that are rare are unknown to the parsers that learn from it.
        warnings.filterwarnings("ignore", ".* words are unknown to the model")
        try:
            with _executor(work, jobs, cluster) as work.executor:
                try:
                    if begin is not None and is_first():
                        begin()
                    with _seconds_saved(work):
                        _run_groups(work)
                except (DataError, SettingError, TrainingError):
                    if begin is not None:
                        _forget_if_nothing_is_done(work)
                    raise
        except KeyboardInterrupt:  # the signal may have been that of a network
            signal = stop.signal or (work.result and work.result.signal) or signals.SIGINT
    return replace(
        work.result or _result_so_far(work),
        seconds=work.state.spent(),
        signal=signal,
        is_resumable=is_unfinished(work.output),
        has_parser=work.state.has_parser,
        stages=tuple(work.state.records),
    )


def _result_so_far(work: Work) -> TrainingResult:
    """That of the last network of the parser, which was trained before the run was resumed."""
    for name in reversed(work.state.members):
        provenance = read_config(work.output / name)[1].get("provenance", {})
        if "words_seen" in provenance:
            steps, words = provenance["steps"], provenance["words_seen"]
            return TrainingResult(work.output, "perplexity", provenance.get("held_out_perplexity"), steps, words)
    return TrainingResult(work.output)


@contextmanager
def _seconds_saved(work: Work) -> Iterator[None]:
    """Within, Ctrl-C saves how long the run has taken; what it was about to note besides, it does again."""
    try:
        yield
    except KeyboardInterrupt:
        if is_first() and is_unfinished(work.output):
            saved, state = read_run(work.output), work.state
            saved.seconds, saved.began = state.seconds, state.began
            saved.starts |= state.starts
            save_together(work.output, saved.file())
        raise


@contextmanager
def _executor(work: Work, jobs: int | None, cluster: str | None) -> Iterator[Executor | None]:
    """The processes or cluster that the user requested, if any."""
    if cluster is not None:
        from synparse.parsing.cluster import cluster as opened
        from synparse.parsing.cluster import map_on_cluster

        with (
            scratch_folder(work.output.absolute()) as scratch,
            opened(cluster, jobs or available_cores(), scratch) as client,
        ):
            yield partial(map_on_cluster, client=client, report=lambda note: work.report(Note(note, matters=True)))
    else:
        with nullcontext() if jobs is None else pool(jobs) as executor:
            yield executor


def _check_executor(recipe: Recipe, jobs: int | None, cluster: str | None) -> None:
    """Raises SettingError if the recipe has no stage for several processes or a cluster, if their number is below 1,
    and as `refuse_bad_address`."""
    if jobs is not None:
        number_given("jobs", jobs, 1)
    if cluster is not None:
        refuse_bad_address(cluster, jobs)
    if (cluster or jobs) and all(isinstance(stage, NetworkStage) for stage in recipe.active_stages):
        option = "--jobs" if cluster is None else "--dask"
        raise SettingError(f"{option} is for grammars and trees; networks are trained by several processes of torchrun")


def _run_groups(work: Work) -> None:
    state = work.state
    groups = groups_of(state.recipe.stages)
    for number, group in enumerate(groups):
        if group[-1] < state.stages:
            continue
        if number >= state.groups:
            if _left_out(work, groups, number):
                continue
            if not _plan(work, groups, number):
                if work.is_resumed:
                    return
                state.not_taken += [position for later in groups[number:] for position in later]
                state.stages = groups[-1][-1] + 1
                work.save()
                break
            state.groups = number + 1
            work.save()
        for position in group:
            if position < state.stages:
                continue
            stage = state.recipe.stages[position]
            work.report(StageBegins(position + 1, groups[-1][-1] + 1, name_of(stage)))
            state.spent_on("stage")
            work.is_resumed = False
            state.record(position, run_stage(work, stage), round(state.spent_on("stage") / 60, 2))
            state.stages, state.units, state.units_done, state.starts = position + 1, [], 0, {}
            if position != group[-1]:
                work.save()
        _keep_the_better(work, group)
    _finish(work)


def _left_out(work: Work, groups: Sequence[Group], number: int) -> bool:
    """Whether a group of networks that predict words is left out for the student after it, or one of more students for
    want of a first one. That is then recorded."""
    state, minutes = work.state, work.state.settings.minutes
    group, later = groups[number], groups[number + 1 : number + 2]
    stages = state.recipe.stages
    trees = trees_after(stages, group, later)
    if adds_students(stages, group) and not networks_so_far(work, TreeTraining):
        why = "there is no student for them to join"
    elif number == 0 or trees is None:
        return False
    elif minutes is not None and gives_way(stages, group, later, *_time_left(work, [*group, *later[0]])):
        why = f"in {minutes:g} minutes, a student does more"
    else:
        return False
    work.report(Note(f"{_names(stages, group)}: left out: {why}", matters=True))
    state.record(group[0], f"left out: {why}")
    state.not_taken += group
    state.stages = group[-1] + 1
    return True


def _names(stages: Sequence[Stage], group: Group) -> str:
    """The stages of a group, for the user."""
    first, *others = (name_of(stages[position]) for position in group)
    return ", ".join([f"more {first}s" if adds_students(stages, group) else first, *others])


def _time_left(work: Work, positions: Sequence[int]) -> tuple[float, Rates]:
    """Remaining seconds of the time limit, and the times that stages take."""
    rates = measured_rates(work, positions)
    return work.state.left(), rates  # after the measurements, which take time


def _plan(work: Work, groups: Sequence[Group], number: int) -> bool:
    """Whether there is time for a group of stages; the recipe then says how much of it. The first group is always
    run."""
    state = work.state
    group, later = groups[number], groups[number + 1 :]
    stages, minutes = state.recipe.stages, state.settings.minutes
    if number == 0 and isinstance(stages[group[0]], GrammarStage):
        return True
    if minutes is None:  # no more words than are of use
        if any(getattr(stages[position], "most_words", 0) for position in group):
            fitted = planned(stages, group, (), math.inf, size_of_text(work))
            state.recipe = replace(state.recipe, stages=fitted or stages)
        return True
    left, rates = _time_left(work, [position for positions in (group, *later) for position in positions])
    needed = least_seconds(stages, group, rates)
    fitted = planned(stages, group, later, max(left, 1.1 * needed) if number == 0 else left, rates)
    if fitted is None:
        if trees_after(stages, group, later):  # which would be left out for the student
            needed = min(needed, least_seconds(stages, later[0], rates))
        more = math.ceil(minutes + (1.1 * needed - left) / 60)
        names = ", ".join(_names(stages, positions) for positions in (group, *later))
        work.report(Note(f"no time for: {names}; --minutes {more} suffices for some of these", matters=True))
        state.record(group[0], f"left out, with all later stages: --minutes {more} suffices for some")
        return False
    if number == 0 and needed > left:
        least = math.ceil(10 * minutes + (needed - left) / 6) / 10
        text = f"{minutes:g} minutes are too few: the first stages are always run, and need {least:g}"
        work.report(Note(text, matters=True))
    state.recipe = replace(state.recipe, stages=fitted)
    for position in group:
        work.report(Note(f"stage {position + 1}, {name_of(fitted[position])}: {_amount(fitted[position])}"))
    return True


def _keep_the_better(work: Work, group: Group) -> None:
    """Take the parser of a group of stages, unless it is worse than the one before. A network that has learned from
    given trees is always taken, since the segments of the text do not show what it has learned from these."""
    state = work.state
    if not is_first():
        return
    stages = [state.recipe.stages[position] for position in group]
    networks = [stage for stage in stages if isinstance(stage, NetworkStage)]
    if state.has_parser and networks:  # more grammars of the same kind make no parser worse
        work.report(Learning("comparing parsers", 0.0))
        sentences = [sentence.tokens for sentence in work.sample(4 * SENTENCES)]
        old, new = open_model(work.output), work.parser(state.members, state.sets)
        comparison = compared(new, old, sentences, work.device)
        knows_given = bool(state.settings.trees) and all(network.training.reads_trees for network in networks)
        is_worse = comparison.is_worse and not knows_given
        if is_worse:
            state.members, state.sets = list(old.members), list(old.grammars)
            state.not_taken += group
        verdict = f"{'not ' * is_worse}taken: {comparison}"
        state.records[-1]["result"] += f"; {verdict}"
        work.report(Note(f"the new parser is {verdict}"))
    state.has_parser = True
    work.timed.pop("trees", None)  # this parser may be slower
    work.save(state.members, state.sets)


def _finish(work: Work) -> None:
    """Delete everything that the parser does not need. If the process is killed meanwhile, the run can be resumed,
    which does this again."""
    state, output = work.state, work.output
    if not is_first():
        return
    done = [
        stage
        for position, stage in enumerate(state.recipe.stages)
        if position < state.stages and position not in state.not_taken and not is_empty(stage)
    ]
    kept = open_model(output)
    if state.settings.trees:
        work.report(Learning("labels", 0.0))
    learned = learned_labels(output, given_to(work, state.recipe.text), work.device, state.settings.seed)
    parser = replace(
        work.parser(list(kept.members), kept.grammars),
        recipe=replace(state.recipe, stages=tuple(done)),
        labels=names_of(learned),
    )
    if parser.parsing != state.recipe.parsing:
        work.report(Note("the parser lacks a decoder of the recipe's section parsing; its own is used", matters=True))
    save_together(output, {**described_files(parser), **label_files(learned)})
    remove_stages(output, frozenset([*kept.members, *(grammars.folder for grammars in kept.grammars)]))
    for name in (*CORPORA, RUN):
        (output / name).unlink(missing_ok=True)
    minutes = state.settings.minutes
    if minutes is not None and state.spent() > 60 * OVERRUN * minutes:
        spent = max(0.1, state.spent() / 60)
        reason = "its first stages need them, or the machine became slower"
        work.report(Note(f"the run took {spent:.1f} minutes: {reason}", matters=True))


def _forget_if_nothing_is_done(work: Work) -> None:
    """Delete the state of a run that failed before there was anything to continue; restore that of the unfinished run
    that it was to replace."""
    state, output = work.state, work.output
    folders = [output / name for name in state.units]
    has_begun = state.stages or state.units_done or any(map(is_unfinished, folders))
    has_begun = has_begun or any(stored(folder, CLASSES).is_file() for folder in folders)  # of a set of grammars
    if not is_first() or not output.is_dir() or has_begun:
        return
    if state.earlier is not None:
        remove_stages(output, state.earlier)
    if work.replaced is None:
        (output / RUN).unlink(missing_ok=True)
    else:
        save_together(output, {RUN: work.replaced})
    for name in _names_of_copies(work):
        (output / name).unlink(missing_ok=True)


def _names_of_copies(work: Work) -> list[str]:
    """Those of `CORPORA` that the unfinished run which this one replaces does not use."""
    return [name for name in CORPORA if name.encode() not in (work.replaced or b"")] or list(CORPORA[:1])


def _possible(recipe: Recipe, report: Report) -> Recipe:
    """The default recipe without its networks and what follows them, if PyTorch is not installed."""
    if has_torch():
        return recipe
    report(Note(f"PyTorch is not installed, so only grammars are learned; for all: {how_to_install('train')}", True))
    return replace(recipe, stages=tuple(takewhile(lambda stage: isinstance(stage, GrammarStage), recipe.stages)))


def _refuse_without_torch(stages: Sequence[Stage]) -> None:
    """Raises TrainingError for networks if PyTorch is not installed, before anything is learned."""
    networks = dict.fromkeys(stage.model for stage in stages if isinstance(stage, NetworkStage))
    if networks and not has_torch():
        raise TrainingError(f"training a network ({', '.join(networks)}) needs PyTorch: {how_to_install('train')}")


def _check_processes(recipe: Recipe, settings: RunSettings) -> None:
    """Raises SettingError if PyTorch's launcher started several processes for what one has to do."""
    if not is_launched():
        return
    if not all(isinstance(stage, NetworkStage) for stage in recipe.active_stages):
        raise SettingError("several processes train networks alone; leave grammars out: --set grammar.parts=none")
    if settings.minutes is not None:
        raise SettingError("several processes cannot plan --minutes; use --epochs")


def _changed(state: RunState, change: str) -> Recipe:
    """The recipe of a run with another setting in the stages that are not done. Raises SettingError if these have no
    such setting."""
    recipe, done = state.recipe, state.stages
    refuse_settled([change])
    stages = load_recipe(recipe, [change]).stages
    if stages != recipe.stages and stages[done:] == recipe.stages[done:]:
        raise SettingError(f"--set {change}: the stages that have this setting are done")
    return replace(recipe, stages=(*recipe.stages[:done], *stages[done:]))


def _refuse_pipes(option: str, paths: Iterable[str]) -> None:
    """Raises SettingError for a pipe where files are needed."""
    if any(map(is_read_once, paths)):
        raise SettingError(f"{option} takes a file: several stages read it, and a pipe can be read only once")


def _check(recipe: Recipe, settings: RunSettings, teachers: Sequence[ModelDescription]) -> None:
    """Raises SettingError if options do not fit the recipe, or if the recipe cannot be run."""
    refuse_grammars_of_baselines(recipe)
    stages = recipe.active_stages
    if teachers and isinstance(stages[0], NetworkStage):
        raise SettingError(f"--teacher is for recipes that begin with grammars or trees, not with a {stages[0].model}")
    if isinstance(stages[0], TreeStage) and not teachers:
        raise SettingError("the recipe begins with trees, before there is a parser that makes them")
    makes_trees = any(isinstance(stage, TreeStage) for stage in stages)  # from which these networks then learn
    networks = [stage for stage in recipe.networks if not (makes_trees and stage.training.reads_trees)]
    if settings.valid is not None and not networks:
        raise SettingError("no network learns from the text, so nothing is held out: leave out --valid")
    if settings.vocabulary is not None and all(isinstance(stage, GrammarStage) for stage in stages):
        raise SettingError("grammars choose their own words: leave out --vocabulary")
    if settings.trees and all(isinstance(stage, NetworkStage) for stage in stages):
        raise SettingError("--trees is for grammars and for students of the text's trees; the recipe has none of them")
    members, has_grammars = list(teachers), False
    for stage in stages:
        if isinstance(stage, NetworkStage):
            earlier = [member for member in members if isinstance(member.recipe.training, kind_of(stage))]
            members = [*earlier, *[ModelDescription(recipe.model_recipe(stage), {})] * stage.seeds]
            has_grammars = has_grammars and stage.is_student and bool(earlier)
        elif isinstance(stage, TreeStage):
            members = []
        else:
            has_grammars = True
    alone = ModelRecipe(recipe.name, "grammar", NoNetwork(), recipe.text, None)
    check_recorded(recipe.parsing, members or [ModelDescription(alone, {})], has_grammars)


def _amount(stage: Stage) -> str:
    """How much of it there is to be."""
    if isinstance(stage, TreeStage):
        return f"sentences: {stage.sentences:,} at most"
    if isinstance(stage, GrammarStage):
        return f"sets: {stage.seeds}"
    return f"networks: {stage.seeds}, passes: {stage.training.epochs:g}"


def _copy(pipes: Sequence[str], path: Path) -> None:
    """Copy what comes from pipes to a file, a blank line between them."""
    with path.open("w", encoding="utf-8", newline="") as file:
        for number, pipe in enumerate(pipes):
            file.write("\n\n" if number else "")
            file.writelines(read_lines(pipe))
