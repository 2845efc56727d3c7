import os
import signal
import threading

import pytest

from synparse.training.stopping import Abandoned, StopRequest, stop_on_signals

INTERRUPT, TERMINATE = signal.SIGINT, signal.SIGTERM


@pytest.fixture(autouse=True)
def handlers():
    """Those of this process, the same in a background job, which ignores Ctrl-C."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in (INTERRUPT, TERMINATE)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def send(number):
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [INTERRUPT, TERMINATE])
def test_where_nothing_can_be_saved_a_signal_interrupts(number):
    with stop_on_signals() as request:
        assert not request.is_made
        with pytest.raises(KeyboardInterrupt):
            send(number)
        assert request.signal == number


@pytest.mark.parametrize("number", [INTERRUPT, TERMINATE])
def test_where_the_run_can_save_a_first_signal_only_asks(number):
    with stop_on_signals() as request:
        with request.heeded():
            send(number)
            assert request.is_made
        assert request.signal == number


def test_a_second_ctrl_c_interrupts_and_a_second_sigterm_does_nothing():
    with stop_on_signals() as request, request.heeded():
        send(TERMINATE)
        send(TERMINATE)
        with pytest.raises(KeyboardInterrupt):
            send(INTERRUPT)
        assert request.signal == TERMINATE  # the first one tells how the run ended


def test_a_signal_while_abandoning_abandons_once():
    with stop_on_signals() as request, request.heeded():
        with pytest.raises(Abandoned), request.abandoning():
            send(TERMINATE)
        with request.heeded():
            send(TERMINATE)  # while what was abandoned is put in order


def test_nothing_that_can_be_abandoned_begins_after_a_request():
    request = StopRequest()
    with request.heeded():
        request.receive(INTERRUPT, None)
        with pytest.raises(Abandoned), request.abandoning():
            pytest.fail("it began")


def test_a_signal_after_abandoning_only_asks():
    with stop_on_signals() as request, request.heeded():
        with request.abandoning():
            pass
        send(INTERRUPT)
        assert request.signal == INTERRUPT


def test_handlers_are_put_back():
    before = [signal.getsignal(number) for number in (INTERRUPT, TERMINATE)]
    with stop_on_signals():
        assert signal.getsignal(INTERRUPT) != before[0]
    assert [signal.getsignal(number) for number in (INTERRUPT, TERMINATE)] == before


def test_a_signal_that_is_ignored_stays_ignored():
    signal.signal(INTERRUPT, signal.SIG_IGN)
    with stop_on_signals() as request:
        send(INTERRUPT)
        assert not request.is_made
        assert signal.getsignal(INTERRUPT) is signal.SIG_IGN


def test_outside_the_main_thread_signals_are_left_alone():
    before, seen = signal.getsignal(INTERRUPT), []

    def run():
        with stop_on_signals():
            seen.append(signal.getsignal(INTERRUPT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [before]
