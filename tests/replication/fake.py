"""A synparse that trains nothing: commands end at once, or after some looks at them, with results that tests give."""

import json

from synparse.replication.runs import ERROR, OUT
from synparse.store.model_directory import LAST

INTERRUPTED = 130


class FakeCommand:
    def __init__(self, code, looks, when_interrupted=lambda: None):
        self.code, self.looks, self.when_interrupted, self.interrupts = code, looks, when_interrupted, 0

    def poll(self):
        if self.interrupts:
            return INTERRUPTED
        self.looks -= 1
        return None if self.looks >= 0 else self.code

    def interrupt(self):
        self.interrupts += 1
        self.when_interrupted()


class FakeSynparse:
    """``answer``: from the arguments of a command to its standard output as a value (None: none), or an exception,
    whose text is its error. ``looks``: after how many looks a command has ended, by its arguments."""

    def __init__(self, answer=lambda _: None, looks=lambda _: 0):
        self.answer, self.looks, self.calls, self.running = answer, looks, [], []

    def start(self, arguments, folder):
        arguments = list(arguments)
        self.calls.append(arguments)
        value = self.answer(arguments)
        failed = isinstance(value, Exception)
        (folder / ERROR).write_text(f"synparse: {value}\n" if failed else "", encoding="utf-8")
        (folder / OUT).write_text("" if failed or value is None else json.dumps(value), encoding="utf-8")

        def save():
            if "train" in arguments and "--output" in arguments:
                model = folder / "model"
                model.mkdir(exist_ok=True)
                (model / LAST).write_text("unfinished", encoding="utf-8")

        command = FakeCommand(int(failed), self.looks(arguments), save)
        self.running.append(command)
        return command


class FakeTime:
    """A clock that only pauses move on."""

    def __init__(self):
        self.now = 0.0

    def clock(self):
        return self.now

    def pause(self, seconds):
        self.now += seconds
