"""The files of a language: training text, the development part of a UD treebank, and constituency trees."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.gold import DATA
from synparse.corpora import languages
from synparse.corpora.sentences import read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.trees.conllu import MISC, ConlluSentence
from synparse.trees.errors import SettingError

LOOKED_AT = frozenset("de es eu fi fr hi it ja ko nl pt ru tr yo zh".split())
"""The languages whose gold trees were in view when settings were chosen. On others nothing was decided."""

TEXTS = ("text.txt.gz", "text-nc.txt.gz")
"""What a parser is trained on, where it is there; novels of another century are not."""

TREES = {"es": "trees-cess.ptb.gz", "pt": "trees-floresta-dev.ptb.gz", "zh": "trees-sinica.ptb.gz"}


class Language(NamedTuple):
    """A language by its ISO 639 code, and its files; trees: of constituents, None where there are none."""

    code: str
    texts: tuple[Path, ...]
    dev: Path
    trees: Path | None

    @property
    def name(self) -> str:
        return languages.language_of(self.code).name

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was decided on its gold trees."""
        return self.code not in LOOKED_AT


def arguments(program: str, description: str | None, of_languages: str = "all in DATA") -> ArgumentParser:
    """The options that the programs for languages share; ``of_languages``: the default of --languages, in words."""
    options = ArgumentParser(program, description=description, formatter_class=RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path, nargs="?", default=DATA / "languages", help="a folder for each language")
    options.add_argument("--work", type=Path, default=Path("language-runs"), help="where models and trees are kept")
    options.add_argument("--languages", help=f"codes, as de,fi; default: {of_languages}")
    return options


def languages_in(data: Path, codes: str | None = None) -> list[Language]:
    """The languages of a folder, all that have a text and gold trees or those named, as ``de,fi``.

    Raises SettingError for a language that is not there.
    """
    there = sorted(path.parent.name for path in data.glob("*/dev.conllu.gz"))
    wanted = there if codes is None else codes.split(",")
    missing = [code for code in wanted if code not in there]
    if missing or not wanted:
        known = ", ".join(there) or "none"
        raise SettingError(f"no {' or '.join(missing) or 'languages'} in {data}; there are {known}")
    return [language_of(data / code) for code in wanted]


def language_of(folder: Path) -> Language:
    texts = tuple(folder / name for name in TEXTS if (folder / name).exists())
    if not texts:
        raise SettingError(f"{folder} has no text: {' or '.join(TEXTS)}")
    trees = folder / TREES.get(folder.name, "none")
    return Language(folder.name, texts, folder / "dev.conllu.gz", trees if trees.exists() else None)


def training_sentences(language: Language) -> Iterator[tuple[str, ...]]:
    """The tokens of each sentence of the training text."""
    sentences = read_files([str(path) for path in language.texts], load_tokenizer("whitespace"))
    return (sentence.tokens for sentence in sentences)


def running_text(sentences: Iterable[ConlluSentence]) -> str:
    """The ``# text`` lines of a treebank as paragraphs, a line each: those of its documents and paragraphs, if it marks
    them. Sentences are joined by a blank, unless no space follows the last token."""
    parts: list[str] = []
    space = ""
    for sentence in sentences:
        if any(line.startswith(("# newdoc", "# newpar")) for line in sentence.lines):
            space = "\n" if parts else ""
        texts = [line.removeprefix("# text =").strip() for line in sentence.lines if line.startswith("# text =")]
        if texts:
            parts += [space, texts[0]]
            space = "" if "SpaceAfter=No" in sentence.rows[-1][MISC] else " "
    return "".join(parts) + "\n"
