"""The page of `synparse eval --report`: tables, plots, and the sentences with the lowest scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from synparse.drawing import filters
from synparse.drawing.markup import escaped
from synparse.drawing.page import page, picture, sections, sentence, side_by_side, table
from synparse.drawing.plot import Plot, plot_svg
from synparse.drawing.svg import pair_svgs
from synparse.scoring.comparison import Comparison, ScoredSentence
from synparse.scoring.results import title_of
from synparse.scoring.tables import Table

PLOTTED = {
    "sentence_length": ("uf1_sentence", "fmeasure", "uas"),
    "label": ("recall",),
    "topmost_label": ("labelled_recall",),
    "relation": ("uas",),
    "length": ("uas",),
}
"""The breakdowns to draw, each with the scores to choose from: the first one that it has is drawn."""

MOST_BARS = 20

STYLE = """\
.shelf { display: flex; flex-wrap: wrap; align-items: start; gap: 0 3rem; }
.shelf figure { max-width: 100%; }
.legend { color: var(--mark); }
"""


def report_page(comparison: Comparison, tables: Sequence[Table]) -> str:
    """One HTML page, ready to be written to a file and opened without a network.

    It has the tables, the breakdowns as bars, and the worst sentences, gold beside prediction, with what the other does
    not have marked (see `synparse.drawing.differences`). The reader may filter these by length, score and text, which
    needs the page's own script and nothing else.
    """
    run, gold = (Path(name).name for name in (comparison.systems[0].name, comparison.gold))
    worst = comparison.worst
    breakdowns = sum(len(system.breakdowns) for system in comparison.systems)
    first = max(1, len(tables) - breakdowns)  # their tables are the last ones
    plots = [picture(plot_svg(plot), plot.title) for plot in plots_of(comparison)]
    protocol = f"<p>Protocol: {escaped(comparison.protocol)}.</p>\n"
    parts = [("Scores", [*_shelf(map(table, tables[:first])), protocol])]
    if breakdowns:
        parts.append(("Breakdowns", [*_shelf([*map(table, tables[first:]), *plots])]))
    if worst:
        parts.append(("Sentences", [*_about(run, len(worst)), *map(_pair, worst)]))
    return page(
        f"{run} against {gold}",
        sections(parts),
        STYLE + (filters.STYLE if worst else ""),
        filters.SCRIPT if worst else "",
    )


def plots_of(comparison: Comparison) -> Iterator[Plot]:
    """A plot of each system's breakdowns in `PLOTTED`, of so many rows as `MOST_BARS`, in per cent."""
    several = len(comparison.systems) > 1
    for system in comparison.systems:
        for breakdown in system.breakdowns:
            rows = breakdown.rows
            measures = [key for key in PLOTTED.get(breakdown.name, ()) if any(key in row for row in rows.values())]
            for measure in measures[:1]:
                title = title_of(measure).strip()
                points = [(name, row[measure]) for name, row in rows.items()][:MOST_BARS]
                yield Plot(
                    f"{title} by {breakdown.key}" + f": {system.name}" * several,
                    breakdown.key,
                    f"{title}, per cent",
                    [(name, 100.0 * value) for name, value in points if value is not None],
                )


def _shelf(parts: Iterable[str]) -> Iterator[str]:
    yield '<div class="shelf">\n'
    yield from parts
    yield "</div>\n"


def _about(run: str, count: int) -> Iterator[str]:
    """What the pictures are, and the fields to choose from them."""
    yield f"<p>The {count} sentences in which {escaped(run)} scores lowest.</p>\n"
    yield (
        '<p>What only one of the two has is <strong class="legend">marked</strong>: missed in the gold structure, '
        "wrong in the prediction. Punctuation is not compared.</p>\n"
    )
    yield filters.filters("article.pair", "sentences", filters.LEAST_WORDS, filters.MOST_SCORE, filters.TEXT)


def _pair(pair: ScoredSentence) -> str:
    gold, predicted = pair_svgs(pair.gold, pair.predicted)
    words, score = " ".join(pair.gold.words), 100 * pair.score
    return (
        f'<article class="pair" data-words="{len(pair.gold)}" data-score="{score:g}" data-text="{escaped(words)}">\n'
        f"<h3>Sentence {pair.number}, score {score:.1f}</h3>\n{sentence(words)}"
        f"{side_by_side([picture(gold, 'gold'), picture(predicted, 'prediction')])}</article>\n"
    )
