"""The training text of the English model, one sentence per line, on standard output.

    python benchmarks/english_text.py EWT/train.conllu GUM/train.conllu STATE-OF-THE-UNION.txt > english.txt

Its licences allow distributing a model: the English Web Treebank (CC BY-SA 4.0); of GUM, the news, interviews,
travel guides, academic texts and biographies (CC BY or CC BY-SA; other parts of GUM exclude commercial use); the
State of the Union addresses, running text (public domain). From the treebanks only words are read, no trees.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from conllu import parse_incr

from synparse.corpora.sentences import TEXT, sentences_of
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole

FREE_GENRES = ("news", "interview", "voyage", "academic", "bio")


def treebank_sentences(path: str, genres: tuple[str, ...] = ()) -> Iterator[str]:
    """The words of each sentence; with ``genres``, only of GUM's documents in these genres."""
    with Path(path).open(encoding="utf-8") as lines:
        for sentence in parse_incr(lines):
            genre = re.match(r"GUM_([a-z]+)_", sentence.metadata["sent_id"]) if genres else None
            if not genres or (genre is not None and genre[1] in genres):
                yield " ".join(token["form"] for token in sentence if isinstance(token["id"], int))


def running_text(path: str) -> Iterator[str]:
    lines = map(mended, read_lines(path))
    for sentence in sentences_of(lines, path, load_tokenizer("treebank", raw=True), TEXT):
        yield " ".join(sentence.tokens)


def sources(ewt: str, gum: str, addresses: str) -> Iterator[str]:
    """The sentences of the text of `english`."""
    yield from itertools.chain(treebank_sentences(ewt), treebank_sentences(gum, FREE_GENRES), running_text(addresses))


def mended(line: str) -> str:
    """Some addresses were written in Big5 and read as Latin-1: ``man¡¦s`` is *man's*. Quotes are straight, as in the
    rest."""
    whole = re.sub("¡[@-~¡-þ]", lambda pair: pair[0].encode("latin-1").decode("big5"), line)
    return whole.translate(str.maketrans("‘’“”", "''\"\""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ewt", metavar="EWT/train.conllu")
    parser.add_argument("gum", metavar="GUM/train.conllu")
    parser.add_argument("addresses", metavar="STATE-OF-THE-UNION.txt")
    parser.add_argument("--output", default=STANDARD_STREAM, help="the file to write; - is stdout")
    options = parser.parse_args()
    with write_whole(options.output) as output:
        for sentence in sources(options.ewt, options.gum, options.addresses):
            print(sentence, file=output)


if __name__ == "__main__":
    main()
