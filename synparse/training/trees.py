"""The stage of a run that parses the text with the parser so far; students learn from these trees.

This is self-training (McClosky, Charniak & Johnson, 2006, "Effective Self-Training for Parsing") without a treebank.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from synparse.corpora.normalization import TextConfig
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence
from synparse.files.cores import available_cores
from synparse.files.processes import Executor
from synparse.files.streams import write_whole
from synparse.parsing.formats import FORMATS
from synparse.parsing.jobs import (
    ModelChoice,
    Writing,
    parsed_text_by,
    parsed_text_by_processes,
    shared,
    useful_processes,
)
from synparse.parsing.options import EVIDENCE, ParserOptions, Request
from synparse.parsing.parser import Parser
from synparse.parsing.windows import Numbering
from synparse.training.events import Learning
from synparse.training.given_trees import GivenTree, completed, times_counted
from synparse.training.reading import RunSettings, TextPart, interned, parts_of, sentences_of
from synparse.trees.function_words import LearnedConvention

TIMED = 256
"""Number of sentences on which parsing is timed."""


def sentences_to_parse(settings: RunSettings, text: TextConfig, most: int, executor: Executor = map) -> list[Sentence]:
    """A random sample of the sentences of the corpus, without blank ones. ``executor`` reads its parts."""
    samples = executor(partial(_sampled, settings, text, most), parts_of(replace(settings, valid=None)))
    sample: Sample[Sentence] = next(samples, Sample(0, 0))  # where all files are empty
    for later in samples:
        sample.join(later)
    return sample.items


def _sampled(settings: RunSettings, text: TextConfig, most: int, part: TextPart) -> Sample[Sentence]:
    sample: Sample[Sentence] = Sample(most, settings.seed, part.number)
    with_tokens = (sentence for sentence in sentences_of(part, settings, text) if sentence.tokens)
    for _ in sample.of(with_tokens, lambda sentence: Sentence(interned(sentence.tokens))):
        pass
    return sample


def write_trees(
    model: Path,
    sentences: Sequence[Sentence],
    conventions: Sequence[LearnedConvention],
    output: Path,
    device: str,
    report: Callable[[Learning], None] = lambda _: None,
    given: Sequence[GivenTree] = (),
    executor: Executor | None = None,
) -> None:
    """Write the trees that the model in a directory gives to these sentences, as JSON lines, with punctuation cues;
    with two conventions of function words, half of them by each. And the ``given`` ones, as often as they count.
    ``executor``: parses the text; None: as many processes as are faster."""
    done = 0
    with write_whole(str(output)) as file:
        for number, convention in enumerate(conventions):
            options = ParserOptions(device=device, punctuation=EVIDENCE, function_words=convention)
            parser = Parser.load(model, options)
            writing = Writing("json", parser.checked(Request()))
            choice, part_of_them = shared(ModelChoice((str(model),), options)), sentences[number :: len(conventions)]
            if executor is None:
                processes = useful_processes(parser, None, available_cores())
                texts = parsed_text_by_processes(parser, choice, part_of_them, writing, processes)
            else:
                texts = parsed_text_by(executor, choice, part_of_them, writing)
            with contextlib.closing(texts):
                for text in texts:
                    done += text.count("\n")
                    report(Learning("trees", done / len(sentences)))
                    file.write(text)
        file.writelines(_completed(model, given, device) * times_counted(len(given), len(sentences)))


def _completed(model: Path, given: Sequence[GivenTree], device: str) -> list[str]:
    """The given trees as JSON lines, of which the model fills the gaps."""
    if not given:
        return []
    parser = Parser.load(model, ParserOptions(device=device, punctuation=EVIDENCE))
    pairs = ((tree.sentence, parse) for tree, parse in completed(parser, given))
    return list(FORMATS["json"](pairs, Numbering()))


def seconds_per_sentence(model: Path, sentences: Sequence[Sentence], device: str = "auto") -> float:
    """How long parsing takes here, timed on a few sentences."""
    parser = Parser.load(model, device=device, punctuation=EVIDENCE)
    few = [sentence.tokens for sentence in sentences[:TIMED]]
    start = time.monotonic()
    parser.parse(few)
    return (time.monotonic() - start) / max(1, len(few))
