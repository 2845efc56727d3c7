"""``synparse classes``: raw text → word classes."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from synparse.cli.text import TOKENIZER_NAMES, LanguageOption, print_note
from synparse.corpora.sentences import InputFormat
from synparse.files.streams import STANDARD_STREAM, write_whole


def classes(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT]...",
            help="Text (a sentence a line), CoNLL-U, bracketed or JSON files; .gz is fine, - is stdin.",
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--classes", help="How many classes to learn, besides that of punctuation.")
    ] = 100,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
    seed: Annotated[
        int, typer.Option(help="Decides between words of the same frequency. The same seed gives the same classes.")
    ] = 1,
    raw: Annotated[
        bool, typer.Option("--raw", help="TEXT is running text: split it into sentences and words.")
    ] = False,
    language: LanguageOption = None,
    tokenizer: Annotated[
        str | None, typer.Option(help=f"{TOKENIZER_NAMES}. Default: by --language, else whitespace.")
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option("--from", help="The format of TEXT. Default: by the name and content of each file."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change a setting: classes.class_words=5000 gives a class of its own choice to fewer words, "
            "text.lowercase=false keeps upper case. Repeatable.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write a JSON list.")] = False,
) -> None:
    """Sort words into classes by the words that they stand between.

    In: sentences. Out: lines of word, class and count, between tabs: first the most frequent class, last the class of
    punctuation; in a class, first the most frequent word. Words in brackets are groups: rare and unknown words get
    the class of all rare words with the same ending.

    Example: synparse classes corpus.txt --classes 50 --output classes.tsv

    \b
      $ synparse classes gold.brackets --classes 20 | tr '\\t' ' ' | head -2
      the C1 713
      a C1 208
    """
    from synparse.config.recipe import overridden
    from synparse.config.settings import settings_of
    from synparse.corpora.languages import language_of
    from synparse.corpora.normalization import TextConfig
    from synparse.corpora.sentences import chosen_tokenizer, read_files
    from synparse.corpora.tokenization import WHITESPACE, load_tokenizer
    from synparse.corpora.word_classes import BigramCounts, WordClassConfig, learn_word_classes
    from synparse.store.grammars import class_name

    if not text and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe text in", param_hint="TEXT")
    paths = text or [STANDARD_STREAM]
    code = "" if language is None else language_of(language).code
    if code and tokenizer is None:
        tokenizer, note = chosen_tokenizer(paths, code, raw, input_format)
        print_note(note)
    of_text = {"tokenizer": tokenizer or WHITESPACE, "language": code}
    values = overridden({"classes": {"classes": number}, "text": of_text}, set_ or (), ("classes", "text"))
    config = settings_of(WordClassConfig, values["classes"], "classes")
    counts = BigramCounts(settings_of(TextConfig, values["text"], "text"))
    tokenize = load_tokenizer(counts.text.tokenizer, raw, counts.text.language)
    for sentence in read_files(paths, tokenize, input_format):
        counts.add(sentence.tokens)
    learned = learn_word_classes(counts, config, seed)
    named = [(m.name, class_name(m.word_class, learned.size), m.occurrences, m.is_group) for m in learned.members]
    with write_whole(output) as out:
        if as_json:
            rows = [dict(zip(("word", "class", "count", "group"), row, strict=True)) for row in named]
            out.write(json.dumps(rows, ensure_ascii=False) + "\n")
        else:
            out.writelines(f"{word}\t{word_class}\t{count}\n" for word, word_class, count, _ in named)
