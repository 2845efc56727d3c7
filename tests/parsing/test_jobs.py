"""The same windows give the same bytes, whoever parses them."""

import itertools

import pytest

from synparse.corpora.sentences import Sentence, read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.processes import pool
from synparse.parsing import jobs, windows
from synparse.parsing.jobs import (
    PAYS,
    PAYS_FOR_TORCH,
    ModelChoice,
    Processes,
    Writing,
    loaded,
    parsed_text,
    parsed_text_by,
    parsed_text_by_processes,
    useful_processes,
)
from synparse.parsing.options import ParserOptions, Request
from synparse.parsing.parser import Parser

CONLLU, JSON = Writing("conllu", Request(None, "mst")), Writing("json", Request("unbiased", "mst"))


@pytest.fixture(scope="module")
def sentences(sample_text, tmp_path_factory):
    """Text with blank lines, CoNLL-U with comments and no blank line at its end, brackets with tags."""
    folder = tmp_path_factory.mktemp("mixed")
    lines = [f"{line}\n" + "\n" * (number % 5 == 0) for number, line in enumerate(sample_text[:100])]
    (folder / "a.txt").write_text("".join(lines))
    (folder / "b.conllu").write_text("# sent_id = own\n1\ta\t_\t_\tDT\t_\t_\t_\t_\tkept=yes\n\n1\tb" + "\t_" * 8)
    (folder / "c.mrg").write_text("(S (NP (DT the) (NN dog)) (VP (VBD barked)))\n" * 3)
    return list(read_files([str(path) for path in sorted(folder.iterdir())], load_tokenizer("whitespace")))


@pytest.mark.parametrize(
    ("names", "punctuation"),
    [(["tiny_student"], "ignore"), (["tiny_model", "tiny_udgn", "tiny_on_lstm"], "evidence")],
)
def test_processes_write_the_same_bytes(sentences, names, punctuation, request, monkeypatch):
    models = tuple(str(request.getfixturevalue(name)) for name in names)
    monkeypatch.setattr(windows, "WINDOW_SENTENCES", 40)
    parser = Parser.load(models, device="cpu", punctuation=punctuation)
    alone = list(parsed_text(parser, sentences, JSON))
    assert len(alone) > 3
    # Here windows are small, in the processes they are not: what those are sent, they parse as it is.
    choice = ModelChoice(models, ParserOptions(device="cpu", punctuation=punctuation))
    assert list(parsed_text_by_processes(parser, choice, sentences, JSON, Processes(2))) == alone


def test_numbers_and_paragraphs_go_on_from_window_to_window(sentences, monkeypatch):
    parser, writing = Parser.load("chain"), CONLLU
    together = "".join(parsed_text(parser, sentences, writing))
    assert together.count("# newpar\n") == 20
    assert together.count("# sent_id = own\n") == 1
    assert "# sent_id = 103\n" in together
    monkeypatch.setattr(windows, "WINDOW_SENTENCES", 1)
    assert "".join(parsed_text(parser, sentences, writing)) == together


def test_endless_input_is_parsed_in_bounded_memory(monkeypatch):
    monkeypatch.setattr(windows, "WINDOW_SENTENCES", 10)
    read = itertools.count()
    endless = (Sentence((str(number),)) for number in read)
    texts = parsed_text_by_processes(Parser.load("chain"), ModelChoice(("chain",)), endless, CONLLU, Processes(2))
    assert next(texts).count("sent_id") == 10
    texts.close()
    assert next(read) < 200


def test_a_process_loads_a_model_once_and_again_when_it_changes(tiny_model):
    choice = ModelChoice((str(tiny_model),), ParserOptions(device="cpu"))
    assert loaded(choice) is loaded(choice) is not loaded(choice._replace(changed=1))


def test_several_processes_parse_where_a_model_computes_on_the_cpu(tiny_model, tiny_udgn):
    trivial, structformer, udgn = (Parser.load(name, device="cpu") for name in ("chain", tiny_model, tiny_udgn))
    together = Parser.load([tiny_model, tiny_udgn], device="cpu")
    drawn = Parser.load([tiny_udgn, "random"], device="cpu")
    assert useful_processes(trivial, None, 8) == Processes(1, PAYS)
    assert useful_processes(udgn, None, 8) == Processes(8, PAYS)
    assert (
        useful_processes(structformer, None, 8) == useful_processes(together, None, 8) == Processes(8, PAYS_FOR_TORCH)
    )
    assert useful_processes(drawn, None, 8) == useful_processes(drawn, 3, 8) == Processes(1)
    assert useful_processes(trivial, 3, 8) == useful_processes(udgn, 3, 8) == Processes(3)
    udgn.members = [member._replace(device="cuda") for member in udgn.members]
    assert useful_processes(udgn, None, 8) == Processes(1)


def test_short_input_is_parsed_by_this_process(monkeypatch):
    monkeypatch.setattr(windows, "WINDOW_SENTENCES", 10)
    monkeypatch.setattr(jobs, "map_in_order", None)
    parser, choice = Parser.load("chain"), ModelChoice(("chain",))
    sentences = [Sentence((str(number),)) for number in range(20)]
    texts = parsed_text_by_processes(parser, choice, sentences, CONLLU, Processes(2, least_windows=3))
    assert [text.count("sent_id") for text in texts] == [10, 10]
    with pytest.raises(TypeError):
        next(parsed_text_by_processes(parser, choice, sentences, CONLLU, Processes(2, least_windows=2)))


def test_a_process_computes_by_one_thread(tiny_model):
    import torch

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(4)
        loaded.cache_clear()
        loaded(ModelChoice((str(tiny_model),), ParserOptions(device="cpu")))
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_a_process_that_parses_by_itself_has_its_threads_again_and_keeps_no_parser(tiny_model, sentences):
    import torch

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(4)
        loaded.cache_clear()
        choice = ModelChoice((str(tiny_model),), ParserOptions(device="cpu"))
        with pool(1) as executor:
            texts = parsed_text_by(executor, choice, sentences, JSON)
            assert next(texts)
            assert torch.get_num_threads() == 1
            texts.close()
        assert (torch.get_num_threads(), loaded.cache_info().currsize) == (4, 0)
    finally:
        torch.set_num_threads(before)
