"""Running steps: order, budget, interruption, resumption, failure; what is done is not done again."""

import json
import os
import signal

import pytest

from synparse.replication.runs import RESULT, ChildProcess, run, stored
from synparse.replication.steps import Made, Output, Step, words
from synparse.trees.errors import DataError
from tests.processes import HANG
from tests.replication.fake import FakeCommand, FakeSynparse, FakeTime


def training(seed=1):
    return Step(
        f"train seed {seed}",
        ("train", "--seed", str(seed), "--output", Output("model"), "--json"),
        resumed_by=("train",),
        is_training=True,
    )


def scored(model, name="eval"):
    return Step(f"{name} {model.title}", (name, Made(model, "model"), "--json"))


def answer(arguments):
    return {"seconds": 90.0} if arguments[0] == "train" else {"uas": 50.0}


@pytest.fixture
def time():
    return FakeTime()


def go_on(steps, work, fake, time, **options):
    return run(steps, work, start=fake.start, clock=time.clock, pause=time.pause, **options)


def test_results_are_stored_and_never_made_again(tmp_path, time):
    steps = [training(), scored(training())]
    fake, lines = FakeSynparse(answer), []
    progress = go_on(steps, tmp_path, fake, time, report=lines.append)
    assert fake.calls == [words(step, tmp_path) for step in steps]
    assert lines[0] == "2 commands to run, 1 of them train a model"
    assert lines[1].startswith("$ synparse train --seed 1 --output ")
    assert progress.outcomes[steps[1]].result == {"uas": 50.0}
    assert progress.outcomes[steps[0]].seconds == 90.0
    assert not progress.missing
    assert not progress.failed
    kept = json.loads((tmp_path / steps[1].folder / RESULT).read_text(encoding="utf-8"))
    assert kept["command"].startswith("synparse eval")
    again = FakeSynparse(lambda _: pytest.fail("done already"))
    assert go_on(steps, tmp_path, again, time).outcomes == progress.outcomes
    changed = [training(2), scored(training(2))]
    other = FakeSynparse(answer)
    go_on([*steps, *changed], tmp_path, other, time)
    assert len(other.calls) == 2


def test_jobs_run_side_by_side_and_wait_for_what_they_need(tmp_path, time):
    steps = [training(1), scored(training(1)), training(2), scored(training(2))]
    fake = FakeSynparse(answer, looks=lambda arguments: 3 if arguments[0] == "train" else 0)
    go_on(steps, tmp_path, fake, time, jobs=2)
    assert [call[0] for call in fake.calls] == ["train", "train", "eval", "eval"]
    alone = FakeSynparse(answer)
    go_on(steps, tmp_path / "other", alone, time, jobs=1)
    assert [call[0] for call in alone.calls] == ["train", "eval", "train", "eval"]


def test_the_budget_interrupts_training_which_the_next_call_resumes(tmp_path, time):
    steps = [training(), scored(training())]
    fake = FakeSynparse(answer, looks=lambda _: 10_000)
    progress = go_on(steps, tmp_path, fake, time, minutes=1)
    assert 60 <= time.now < 62
    assert progress.missing == steps
    assert [command.interrupts for command in fake.running] == [1]
    again = FakeSynparse(answer)
    progress = go_on(steps, tmp_path, again, time, minutes=1)
    assert again.calls[0] == ["train", "--resume", f"{tmp_path}/{steps[0].folder}/model", "--json"]
    assert not progress.missing


def test_no_minutes_run_nothing(tmp_path, time):
    fake = FakeSynparse(answer)
    assert go_on([training()], tmp_path / "work", fake, time, minutes=0).missing == [training()]
    assert not fake.calls
    assert not (tmp_path / "work").exists()


def test_what_an_interrupted_command_left_is_cleared_where_it_cannot_go_on(tmp_path, time):
    step = scored(training())
    go_on([training()], tmp_path, FakeSynparse(answer), time)
    (tmp_path / step.folder).mkdir()
    (tmp_path / step.folder / "half").write_text("")
    go_on([training(), step], tmp_path, FakeSynparse(answer), time)
    assert sorted(path.name for path in (tmp_path / step.folder).iterdir()) == [RESULT, "stderr", "stdout"]


def test_a_failure_stops_only_what_needs_it(tmp_path, time):
    def failing(arguments):
        return ValueError("no such corpus") if "--seed 1" in " ".join(arguments) else answer(arguments)

    steps = [training(1), scored(training(1)), training(2), scored(training(2))]
    lines = []
    progress = go_on(steps, tmp_path, FakeSynparse(failing), time, report=lines.append)
    assert progress.failed == {steps[0]: "no such corpus", steps[1]: "needs what failed: train seed 1"}
    assert set(progress.outcomes) == set(steps[2:])
    assert "failed: train seed 1: no such corpus" in lines
    assert set(go_on(steps, tmp_path, FakeSynparse(answer), time).outcomes) == set(steps)


def test_ctrl_c_interrupts_once_and_keeps_what_is_done(tmp_path, time):
    steps = [training(1), training(2)]
    fake = FakeSynparse(answer, looks=lambda arguments: 0 if "1" in arguments else 10_000)

    def pause(seconds):
        time.pause(seconds)
        if time.now > 5 and not fake.running[-1].interrupts:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(steps, tmp_path, start=fake.start, clock=time.clock, pause=pause)
    assert fake.running[-1].interrupts == 1
    assert set(stored(steps, tmp_path).outcomes) == {steps[0]}


def test_a_signal_while_a_command_starts_reaches_it_too(tmp_path, time):
    class InterruptedStart(FakeSynparse):
        def start(self, arguments, folder):
            signal.raise_signal(signal.SIGINT)
            return super().start(arguments, folder)

    fake = InterruptedStart(answer, looks=lambda _: 10_000)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            go_on([training()], tmp_path, fake, time)
    finally:
        signal.signal(signal.SIGINT, before)
    assert [command.interrupts for command in fake.running] == [1]


def test_a_command_that_outlives_its_call_keeps_its_folder(tmp_path, time):
    folder = tmp_path / training().folder
    folder.mkdir(parents=True)
    os.mkfifo(folder / "text")
    process = ChildProcess(["parse", str(folder / "text"), "-m", "chain"], folder)
    with pytest.raises(DataError, match="another process is writing to it"):
        go_on([training()], tmp_path, FakeSynparse(answer), time)
    assert (folder / "text").exists()
    process.interrupt()
    process.interrupt()
    process._process.wait(HANG)
    assert set(go_on([training()], tmp_path, FakeSynparse(answer), time).outcomes) == {training()}


def test_another_ctrl_c_ends_what_is_still_saving(tmp_path, time):
    class Saves(FakeCommand):
        def poll(self):
            return 130 if self.interrupts == 2 else None

    fake = FakeSynparse(answer)
    fake.start = lambda *_: fake.running.append(Saves(0, 0)) or fake.running[-1]

    def pause(seconds):
        time.pause(seconds)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([training()], tmp_path, start=fake.start, clock=time.clock, pause=pause)
    assert [command.interrupts for command in fake.running] == [2]


def test_a_damaged_result_is_told(tmp_path, time):
    go_on([training()], tmp_path, FakeSynparse(answer), time)
    (tmp_path / training().folder / RESULT).write_text("{")
    with pytest.raises(DataError, match="damaged; delete the folder"):
        stored([training()], tmp_path)


def test_output_that_is_no_json_is_a_failure(tmp_path, time):
    class Prints(FakeSynparse):
        def start(self, arguments, folder):
            command = super().start(arguments, folder)
            if "1" in arguments:
                (folder / "stdout").write_text("UAS 50")
            return command

    progress = go_on([training(1), training(2)], tmp_path, Prints(answer), time)
    assert "stdout:1: not JSON" in progress.failed[training(1)]
    assert set(progress.outcomes) == {training(2)}


def test_a_command_ends_when_it_is_asked_and_at_once_when_it_is_asked_again(tmp_path):
    for requests in (1, 2):
        (tmp_path / str(requests)).mkdir()
        command = ChildProcess(["parse", "-"], tmp_path / str(requests))
        for _ in range(requests):
            command.interrupt()
        assert command._process.wait(HANG) != 0


def test_real_commands_are_processes_with_one_thread(tmp_path):
    step = Step("recipes", ("info", "--json"))
    progress = run([step], tmp_path)
    assert "english" in progress.outcomes[step].result
    broken = Step("broken", ("eval", "none.conllu", "none.conllu"))
    assert "none.conllu: cannot be read" in run([broken], tmp_path).failed[broken]
