"""The same windows give the same bytes, whoever parses them."""

import itertools

import pytest

from synparse import parser as parsing
from synparse.corpora.sentences import Sentence, read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.parser import Parser
from synparse.parsing.windows import ModelChoice, Writing, loaded, parsed_text, parsed_text_by_processes

CONLLU, JSON = Writing("conllu", None, "mst"), Writing("json", "unbiased", "mst")


@pytest.fixture(scope="module")
def sentences(sample_text, tmp_path_factory):
    """Text with blank lines, CoNLL-U with comments and no blank line at its end, brackets with tags."""
    folder = tmp_path_factory.mktemp("mixed")
    lines = [f"{line}\n" + "\n" * (number % 5 == 0) for number, line in enumerate(sample_text[:100])]
    (folder / "a.txt").write_text("".join(lines))
    (folder / "b.conllu").write_text("# sent_id = own\n1\ta\t_\t_\tDT\t_\t_\t_\t_\tkept=yes\n\n1\tb" + "\t_" * 8)
    (folder / "c.mrg").write_text("(S (NP (DT the) (NN dog)) (VP (VBD barked)))\n" * 3)
    return list(read_files([str(path) for path in sorted(folder.iterdir())], load_tokenizer("whitespace")))


@pytest.mark.parametrize(("others", "punctuation"), [((), "ignore"), (("tiny_udgn", "tiny_on_lstm"), "evidence")])
def test_processes_write_the_same_bytes(sentences, tiny_model, others, punctuation, request, monkeypatch):
    models = (str(tiny_model), *(str(request.getfixturevalue(other)) for other in others))
    monkeypatch.setattr(parsing, "WINDOW_SENTENCES", 40)
    alone = list(parsed_text(Parser.load(models, device="cpu", punctuation=punctuation), sentences, JSON))
    assert len(alone) > 3
    # Here windows are small, in the processes they are not: what those are sent, they parse as it is.
    choice = ModelChoice(models, device="cpu", punctuation=punctuation)
    assert list(parsed_text_by_processes(choice, sentences, JSON, 2)) == alone


def test_numbers_and_paragraphs_go_on_from_window_to_window(sentences, monkeypatch):
    parser, writing = Parser.load("chain"), CONLLU
    together = "".join(parsed_text(parser, sentences, writing))
    assert together.count("# newpar\n") == 20
    assert together.count("# sent_id = own\n") == 1
    assert "# sent_id = 103\n" in together
    monkeypatch.setattr(parsing, "WINDOW_SENTENCES", 1)
    assert "".join(parsed_text(parser, sentences, writing)) == together


def test_endless_input_is_parsed_in_bounded_memory(monkeypatch):
    monkeypatch.setattr(parsing, "WINDOW_SENTENCES", 10)
    read = itertools.count()
    endless = (Sentence((str(number),)) for number in read)
    texts = parsed_text_by_processes(ModelChoice(("chain",)), endless, CONLLU, 2)
    assert next(texts).count("sent_id") == 10
    texts.close()
    assert next(read) < 200


def test_a_process_loads_a_model_once_and_again_when_it_changes(tiny_model):
    choice = ModelChoice((str(tiny_model),), device="cpu")
    assert loaded(choice) is loaded(choice) is not loaded(choice._replace(changed=1))


def test_processes_share_the_threads(tiny_model, monkeypatch):
    import torch

    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(4)
        loaded.cache_clear()
        loaded(ModelChoice((str(tiny_model),), device="cpu"), 2)
        assert torch.get_num_threads() == 2
        loaded(ModelChoice((str(tiny_model),), device="cpu"), 8)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
