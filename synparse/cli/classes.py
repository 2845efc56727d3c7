"""``synparse classes``: raw text → word classes."""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import named_format, notes, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.trees.arguments import refuse_repeated
from synparse.trees.errors import DataError, name_of


def classes(
    text: options.Text = None,
    number: Annotated[
        int, typer.Option("--classes", help="How many classes to learn, not counting punctuation.")
    ] = 100,
    output: options.Output = STANDARD_STREAM,
    seed: options.Seed = 1,
    raw: options.Raw = False,
    language: options.Language = None,
    tokenizer: options.Tokenizer = None,
    input_format: options.From = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change a setting: classes.class_words=5000 clusters fewer words individually, text.lowercase=false "
            "keeps upper case. Repeatable.",
        ),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Cluster words into classes by the words between which they occur.

    In: sentences. Out: tab-separated lines of word, class and count, the most frequent class first, and in each class
    the most frequent word; punctuation comes last. Words in parentheses are groups: rare and unknown words get the
    class of all rare words with the same ending.

    Example: synparse classes corpus.txt --classes 50 --output classes.tsv

    \b
      $ synparse classes gold.brackets --classes 20 | tr '\\t' ' ' | head -2
      the C1 713
      a C1 208
    """
    from synparse.config.recipe import overridden
    from synparse.config.settings import settings_of
    from synparse.corpora.normalization import TextConfig
    from synparse.corpora.sentences import read_files
    from synparse.corpora.text_notes import text_notes
    from synparse.corpora.tokenization import load_tokenizer
    from synparse.corpora.tokenizer_choice import text_settings
    from synparse.corpora.word_classes import BigramCounts, WordClassConfig, learn_word_classes
    from synparse.store.grammars import class_name

    paths = options.files_or_stdin(text, "TEXT")
    refuse_repeated(paths)
    text_values, note = text_settings(paths, tokenizer, language, raw, input_format)
    for line in (note, *text_notes(paths, input_format)):
        notes(quiet)(line)
    values = overridden({"classes": {"classes": number}, "text": text_values}, set_ or (), ("classes", "text"))
    config = settings_of(WordClassConfig, values["classes"], "classes")
    counts = BigramCounts(settings_of(TextConfig, values["text"], "text"))
    tokenize = load_tokenizer(counts.text.tokenizer, raw, counts.text.language)
    for sentence in read_files(paths, tokenize, input_format):
        counts.add(sentence.tokens)
    learned = learn_word_classes(counts, config, seed)
    if not any(member.occurrences for member in learned.members):
        raise DataError("holds no words", name_of(paths[0]))
    named = [(m.name, class_name(m.word_class, learned.size), m.occurrences, m.is_group) for m in learned.members]
    rows = [dict(zip(("word", "class", "count", "group"), row, strict=True)) for row in named]
    if as_json or named_format(output) == "json":
        write_results(output, "json", rows)
    else:
        write_lines(output, (f"{word}\t{word_class}\t{count}\n" for word, word_class, count, _ in named))
