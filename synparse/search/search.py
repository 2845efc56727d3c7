"""Search for a pattern in files of trees: the matches in each sentence, and their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from synparse.corpora.sentences import BRACKETS, CONLLU, FORMATS, JSON, TEXT, with_format
from synparse.scoring.tables import Table
from synparse.search.dependencies import COLUMNS
from synparse.search.queries import Query, constituent_query, dependency_query
from synparse.search.tokens import TooManyMatches
from synparse.treebanks.sources import read_sources
from synparse.trees.arguments import Names, names_given
from synparse.trees.beginning import CONLLU_FILES, TREE_FILES, beginning_of
from synparse.trees.errors import DataError, SettingError, check_choice

_ENDINGS = {BRACKETS: TREE_FILES, CONLLU: CONLLU_FILES}

_UNSEARCHED = {TEXT: "text has no trees", JSON: "JSON is not searched"}


class SearchedSentence(NamedTuple):
    """A sentence and its matches. ``text``: the output of ``synparse search`` for it; ``keys``: the keys of each
    match, by which matches are counted."""

    query: Query
    sentence: Any
    matches: Sequence[Any]

    @property
    def text(self) -> str:
        return self.query.text(self.sentence, self.matches)

    @property
    def keys(self) -> list[tuple[str, ...]]:
        return [self.query.key(self.sentence, match) for match in self.matches]


def search(
    paths: Names,
    pattern: str,
    input_format: str | None = None,
    by: Names = (),
    whole: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[SearchedSentence]:
    """Search files, folders and standard input (``-``), one or several, for a pattern of constituents (in brackets) or
    of words and arcs (in CoNLL-U). Yields every sentence as it is read, including those without a match.

    by: the key by which matches are counted, such as label or V.lemma. whole: for brackets, return whole trees
    instead of the matching constituents. report: is told of columns and features that no word has. Raises
    SettingError for an invalid pattern, key or format; DataError(file:line) for malformed files, for text and JSON, for
    files of different formats, and for a sentence with too many matches.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "trees.mrg")
    ...     _ = path.write_text("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\\n(S (VP (VB Run)))\\n")
    ...     for found in search([str(path)], "NP < (DT $+ NN)"):
    ...         print(len(found.matches), found.text, end="")
    1 (NP (DT the) (NN dog))
    0 (S (VP (VB Run)))
    """
    paths, by = names_given(paths), names_given(by)
    check_choice("input_format", input_format, FORMATS, is_optional=True)
    query: Query | None = None
    known = ""
    endings = _ENDINGS.get(input_format or "", (*_ENDINGS[BRACKETS], *_ENDINGS[CONLLU]))
    for source, all_lines in read_sources(paths, endings):
        character, all_lines = beginning_of(all_lines)
        if not character:  # nothing in it, as an earlier search writes that has found nothing
            continue
        format, lines = with_format(source, all_lines, input_format)
        if format in _UNSEARCHED:
            searched = "search CoNLL-U or brackets, as synparse parse writes them"
            hint = "; if these are trees: --from brackets" if format == TEXT else ""
            raise DataError(f"{_UNSEARCHED[format]}; {searched}{hint}", source)
        if query is None:
            query, known = _query(format, pattern, by, whole), format
        if format != known:
            raise DataError(f"{format}, but the files before are {known}; choose one with --from", source)
        for line, sentence in query.read(lines, source):
            try:
                matches = query.matches(sentence)
            except TooManyMatches as error:
                raise DataError(str(error), source, line) from None
            yield SearchedSentence(query, sentence, matches)
    for name in sorted(query.missing if query else ()):
        others = f"no word has the feature {name}; columns are {', '.join(COLUMNS)}"
        report(f"no word has a {name}: the column is empty" if name in COLUMNS else others)


def _query(format: str, pattern: str, by: Sequence[str], whole: bool) -> Query:
    if format == BRACKETS:
        return constituent_query(pattern, by, whole)
    if whole:
        raise SettingError("--whole is for brackets; of CoNLL-U, whole sentences are written")
    return dependency_query(pattern, by)


def counts_of(searched: Iterable[SearchedSentence], pattern: str, by: Names = ()) -> dict[str, Any]:
    """The numbers of sentences and matches as plain values, and, where there are keys, the matches of each, the most
    frequent first."""
    by = names_given(by)
    sentences = matching = matches = 0
    groups: Counter[tuple[str, ...]] = Counter()
    for sentence in searched:
        sentences += 1
        matching += bool(sentence.matches)
        matches += len(sentence.matches)
        groups.update(sentence.keys if by else ())
    rows = sorted(groups.items(), key=lambda row: (-row[1], row[0]))
    values = {"pattern": pattern, "sentences": sentences, "matching_sentences": matching, "matches": matches}
    if by:
        values["by"] = [{**dict(zip(by, key, strict=True)), "matches": count} for key, count in rows]
    return values


def tables_of(values: dict[str, Any]) -> list[Table]:
    """The same as tables."""
    numbers = [
        ("sentences", str(values["sentences"])),
        ("  of them matched", str(values["matching_sentences"])),
        ("matches", str(values["matches"])),
    ]
    tables = [Table("", (), numbers)]
    if values.get("by"):
        names = list(values["by"][0])
        rows = [[str(value) for value in row.values()] for row in values["by"]]
        tables.append(Table(f"by {', '.join(names[:-1])}", names, rows))
    return tables
