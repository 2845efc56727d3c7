"""What SIGTERM and SIGHUP become, and when."""

import importlib
import signal
from threading import Event, Thread

import pytest

from synparse.files.signals import TERMINATING, Terminated, signals_wait, terminable
from tests.processes import HANG

NUMBERS = pytest.mark.parametrize("number", TERMINATING)


@NUMBERS
def test_a_signal_to_end_is_an_exception_of_its_own(number):
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(Terminated) as raised, terminable():
            signal.raise_signal(number)
        assert raised.value.number == number
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)


@NUMBERS
def test_a_second_signal_does_not_interrupt_the_way_out(number):
    done = []

    def work():
        try:
            signal.raise_signal(number)
        finally:
            signal.raise_signal(number)
            done.append("all of it")

    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(Terminated), terminable():
            work()
    finally:
        signal.signal(number, before)
    assert done == ["all of it"]


@NUMBERS
def test_a_signal_that_is_ignored_stays_so(number):
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with terminable(), signals_wait():
            signal.raise_signal(number)
    finally:
        signal.signal(number, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize(("name", "raised"), [("SIGINT", KeyboardInterrupt), ("SIGTERM", Terminated)])
def test_a_signal_during_an_import_is_raised_after_it(name, raised, tmp_path, monkeypatch):
    (tmp_path / f"raises_{name}.py").write_text(f"import signal\nsignal.raise_signal(signal.{name})\nis_whole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    imported = []

    def work():
        imported.append(importlib.import_module(f"raises_{name}"))
        Event().wait(HANG)

    with pytest.raises(raised), terminable():
        work()
    assert imported[0].is_whole


def test_signals_wait_until_what_must_not_be_interrupted_is_done():
    done = []

    def work():
        with signals_wait():
            signal.raise_signal(signal.SIGTERM)
            done.append("all of it")

    with pytest.raises(Terminated), terminable():
        work()
    assert done == ["all of it"]


def test_in_another_thread_nothing_is_changed():
    handlers = []

    def look():
        with terminable(), signals_wait():
            handlers.append(signal.getsignal(signal.SIGTERM))

    thread = Thread(target=look)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGTERM)]
