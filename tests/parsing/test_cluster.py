"""A real cluster of two processes: what it writes is complete, in order, and the same when one is killed."""

import errno
import logging
import os
import signal
import sys
import urllib.error
import urllib.request

import pytest

pytest.importorskip("distributed", reason="no Dask here: pip install 'dask[distributed]>=2024.8'")

from distributed import Client, LocalCluster
from distributed.comm import CommClosedError

from synparse.cli.app import run
from synparse.corpora.sentences import read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.signals import Terminated, terminable
from synparse.parsing.cluster import PartitionTask, cluster, parsed_text_by_cluster
from synparse.parsing.jobs import ModelChoice, Writing, parsed_text
from synparse.parsing.options import ParserOptions, Request
from synparse.parsing.parser import Parser
from synparse.parsing.partitions import partitions_of
from synparse.trees.errors import DataError

CONLLU = Writing("conllu", Request(None, "mst"))
CHAIN = PartitionTask(ModelChoice(("chain",)), CONLLU, "whitespace", False)


@pytest.fixture(scope="module")
def client(dask_address, tmp_path_factory):
    with cluster(dask_address, 2, tmp_path_factory.mktemp("dask")) as client:
        yield client


@pytest.fixture
def scratch(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert [path for path in folder.iterdir() if not path.name.startswith(".")] == []  # a killed one may leave its own


def test_a_killed_worker_costs_no_sentence(client, scratch, tmp_path, sample_text, tiny_student):
    lines = [f"{line}\n" + "\n" * (number % 5 == 0) for number, line in enumerate(sample_text)]
    (tmp_path / "text.txt").write_text("".join(lines) * 3)
    task = CHAIN._replace(choice=ModelChoice((str(tiny_student),), ParserOptions(device="cpu")))
    partitions = list(partitions_of([str(tmp_path / "text.txt")], None, 5_750))
    assert 10 < len(partitions) < 15

    undisturbed = "".join(parsed_text_by_cluster(client, task, partitions, scratch))
    assert undisturbed.count("# newpar\n") == 3 * 80
    assert f"# sent_id = {3 * 400}\n" in undisturbed

    texts = parsed_text_by_cluster(client, task, partitions, scratch)
    disturbed = next(texts)
    busy = max(client.processing().items(), key=lambda item: len(item[1]))
    assert busy[1]
    killed = client.run(os.getpid, workers=[busy[0]])[busy[0]]
    os.kill(killed, signal.SIGKILL)
    disturbed += "".join(texts)
    assert killed not in client.run(os.getpid).values()
    assert disturbed == undisturbed

    sentences = read_files([str(tmp_path / "text.txt")], load_tokenizer("whitespace"))
    assert "".join(parsed_text(Parser.load(tiny_student, device="cpu"), sentences, CONLLU)) == undisturbed


@pytest.mark.parametrize(
    ("model", "writing"),
    [
        ("chain", CONLLU),
        ("chain", Writing("json", Request(None, "mst"))),
        ("right-branching", Writing("brackets", Request("unbiased", None))),
    ],
)
def test_files_of_all_formats_are_joined_as_in_a_plain_run(client, scratch, tmp_path, model, writing):
    (tmp_path / "a.txt").write_text("the dog barks\n\n" * 30)
    (tmp_path / "b.conllu").write_text("# sent_id = own\n1\ta" + "\t_" * 8 + "\n\n1\tb" + "\t_" * 8)
    (tmp_path / "c.mrg").write_text("(S (A a)\n   (B b))\n" * 20)
    (tmp_path / "d.jsonl").write_text('{"sent_id": "1", "tokens": ["a", "b"]}\n{"tokens": ["c"]}\n' * 5)
    names = [str(path) for path in sorted(tmp_path.glob("?.*"))]
    plain = parsed_text(Parser.load(model), read_files(names, load_tokenizer("whitespace")), writing)
    task = CHAIN._replace(choice=ModelChoice((model,)), writing=writing)
    assert "".join(parsed_text_by_cluster(client, task, partitions_of(names, None, 100), scratch)) == "".join(plain)


def test_several_models_are_loaded_by_the_workers(client, scratch, tmp_path, sample_text, tiny_model, monkeypatch):
    (tmp_path / "text.txt").write_text("".join(f"{line}\n" for line in sample_text[:60]))
    monkeypatch.chdir(tiny_model.parent)
    names, models = [str(tmp_path / "text.txt")], (tiny_model.name, "left-branching")
    task = CHAIN._replace(choice=ModelChoice(models, ParserOptions(device="cpu", punctuation="evidence")))
    written = "".join(parsed_text_by_cluster(client, task, partitions_of(names, None, 1000), scratch))
    sentences = read_files(names, load_tokenizer("whitespace"))
    parser = Parser.load(models, device="cpu", punctuation="evidence")
    assert written == "".join(parsed_text(parser, sentences, CONLLU))


def test_the_command_joins_beside_its_output_and_leaves_nothing_else(client, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("the dog barks\n\n" * 500)
    arguments = ["parse", "text", "-m", "chain", "--dask", client.scheduler.address, "--partition-size", "0.002"]
    assert run([*arguments, "-o", "out"]) == 0
    assert run(["parse", "text", "-m", "chain"]) == 0
    assert capfd.readouterr() == ((tmp_path / "out").read_text(), "")
    (tmp_path / "text").write_bytes(b"fine\n\xff\n")
    assert run([*arguments, "-o", "other"]) == 1
    assert capfd.readouterr().err.startswith("synparse: text:2: not UTF-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "text"]
    assert run(["parse", "text", "-m", "chain", "--partition-size", "2"]) == 2
    assert "--partition-size: needs --dask" in capfd.readouterr().err


def test_errors_come_with_their_line(client, tmp_path):
    (tmp_path / "scratch").mkdir()
    (tmp_path / "x.txt").write_bytes(b"fine\n" * 50 + b"\xff\n")
    partitions = partitions_of([str(tmp_path / "x.txt")], None, 50)
    with pytest.raises(DataError, match=r"x\.txt:51: not UTF-8"):
        list(parsed_text_by_cluster(client, CHAIN, partitions, tmp_path / "scratch"))


def test_a_partition_that_kills_every_worker_is_told(client, tmp_path, monkeypatch):
    from synparse.parsing import cluster as module

    monkeypatch.setattr(module, "parse_partition", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    (tmp_path / "x.txt").write_text("fine\n")
    with pytest.raises(DataError, match="killed repeatedly"):
        list(parsed_text_by_cluster(client, CHAIN, partitions_of([str(tmp_path / "x.txt")], None, 50), tmp_path))


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.ENOSPC])
def test_an_error_of_a_worker_s_disk_is_told_as_it_is(client, tmp_path, monkeypatch, number):
    def late(*_):
        raise OSError(number, "the disk", "somewhere")

    monkeypatch.setattr("synparse.parsing.cluster.parse_partition", late)
    (tmp_path / "x.txt").write_text("fine\n")
    with pytest.raises(OSError, match="the disk: 'somewhere'"):
        list(parsed_text_by_cluster(client, CHAIN, partitions_of([str(tmp_path / "x.txt")], None, 50), tmp_path))


def test_a_cluster_without_workers_is_told_and_waited_for(tmp_path, monkeypatch):
    from synparse.parsing import cluster as module

    monkeypatch.setattr(module, "LOOK_SECONDS", 0.1)
    (tmp_path / "x.txt").write_text("fine\n")
    partitions = list(partitions_of([str(tmp_path / "x.txt")], None, 50))
    notes = []
    with (
        LocalCluster(
            n_workers=0, threads_per_worker=1, processes=False, dashboard_address=None, local_directory=str(tmp_path)
        ) as empty,
        Client(empty, set_as_default=False) as client,
    ):

        def report(note):
            notes.append(note)
            empty.scale(1)

        assert "fine" in "".join(parsed_text_by_cluster(client, CHAIN, partitions, tmp_path, report))
    assert notes == ["the cluster has no workers; waiting until some join it"]


def test_a_cluster_that_is_starting_when_a_signal_comes_is_ended(monkeypatch, tmp_path):
    ended = []

    class Starting:
        def __init__(self, **_):
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            ended.append(self)

    monkeypatch.setattr("distributed.LocalCluster", Starting)
    with pytest.raises(Terminated), terminable(), cluster("local", 1, tmp_path):
        pass
    assert ended


def test_where_nothing_answers_it_is_told(monkeypatch, tmp_path):
    from synparse.parsing import cluster as module

    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(DataError, match=r"tcp://127\.0\.0\.1:1: no Dask scheduler"),
        cluster("tcp://127.0.0.1:1", 1, tmp_path),
    ):
        pass


def test_loggers_of_dask_say_nothing(client, tmp_path):
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logger = logging.getLogger("distributed.client")
    logger.addHandler(handler)
    try:
        with cluster(client.scheduler.address, 1, tmp_path):
            logger.critical("the scheduler is gone")
    finally:
        logger.removeHandler(handler)
    assert lines == []


def test_local_processes_talk_in_private_and_serve_no_pages(tmp_path):
    pytest.importorskip("cryptography", reason="no cryptography here: pip install 'synparse[dask]'")
    with cluster("local", 1, tmp_path) as client:
        address = client.scheduler.address
        assert address.startswith("tls://127.0.0.1:")
        with pytest.raises((CommClosedError, TimeoutError)):
            Client(address.replace("tls:", "tcp:"), timeout=1, set_as_default=False)
        [worker] = client.scheduler_info()["workers"].values()
        for port in (client.scheduler_info()["services"]["dashboard"], worker["services"]["dashboard"]):
            for page in ("/", "/status", "/health", "/metrics", "/json/counts.json", "/info/main/workers.html"):
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=10)


def test_without_cryptography_there_are_no_local_processes(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(DataError, match="--dask local needs cryptography"), cluster("local", 1, tmp_path):
        pass
