"""The page of `synparse eval --report`: tables, plots, and the sentences with the lowest scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from synparse.drawing.markup import escaped
from synparse.drawing.page import page, picture, sections
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
table { border-collapse: collapse; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.25rem; }
th, td { padding: 0.15rem 0.75rem 0.15rem 0; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; }
td { font-variant-numeric: tabular-nums; }
figure { margin: 0; }
figcaption { font-weight: bold; }
.shelf { display: flex; flex-wrap: wrap; align-items: start; gap: 2rem 3rem; margin: 2rem 0; }
.shelf figure { max-width: 100%; }
#filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; padding: 0.5rem 0;
  background: var(--paper); border-bottom: 1px solid var(--rule); }
#filters input { font: inherit; width: 6rem; }
#filters #text { width: 14rem; }
.legend { color: var(--mark); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem 2rem; }
"""

# An empty field asks for nothing. Text is compared without regard to case.
SCRIPT = """\
"use strict";
const field = (name) => document.getElementById(name);
const pairs = Array.from(document.querySelectorAll("article.pair"));
const lowered = pairs.map((pair) => pair.dataset.text.toLocaleLowerCase());
const filter = () => {
  const words = field("words").value, score = field("score").value, text = field("text").value.toLocaleLowerCase();
  let shown = 0;
  pairs.forEach((pair, index) => {
    pair.hidden = (words !== "" && Number(pair.dataset.words) < Number(words))
      || (score !== "" && Number(pair.dataset.score) > Number(score))
      || !lowered[index].includes(text);
    shown += pair.hidden ? 0 : 1;
  });
  field("shown").textContent = `${shown} of ${pairs.length} sentences`;
};
field("filters").addEventListener("input", filter);
field("filters").addEventListener("submit", (event) => event.preventDefault());
filter();
"""


def report_page(comparison: Comparison, tables: Sequence[Table]) -> str:
    """One HTML page, ready to be written to a file and opened without a network.

    It has the tables, the breakdowns as bars, and the worst sentences, gold beside prediction, with what the other does
    not have marked (see `synparse.drawing.differences`). The reader may filter these by length, score and text, which
    needs the page's own script and nothing else.
    """
    runs, gold, worst = [system.name for system in comparison.systems], comparison.gold, comparison.worst
    breakdowns = sum(len(system.breakdowns) for system in comparison.systems)
    first = max(1, len(tables) - breakdowns)  # their tables are the last ones
    plots = [picture(plot_svg(plot), plot.title) for plot in plots_of(comparison)]
    notes = [f"Gold: {gold}. Predictions: {', '.join(runs)}.", f"Protocol: {comparison.protocol}."]
    parts = [("Scores", [*_shelf(map(_table, tables[:first])), *(f"<p>{escaped(note)}</p>\n" for note in notes)])]
    if breakdowns:
        parts.append(("Breakdowns", [*_shelf([*map(_table, tables[first:]), *plots])]))
    if worst:
        note = f"<p>The {len(worst)} sentences in which {escaped(runs[0])} scores lowest.</p>\n"
        parts.append(("Sentences", [note, _controls(len(worst)), *map(_pair, worst)]))
    return page(f"{runs[0]} against {gold}", sections(parts), STYLE, SCRIPT if worst else "")


def plots_of(comparison: Comparison) -> Iterator[Plot]:
    """A plot of each system's breakdowns in `PLOTTED`, of so many rows as `MOST_BARS`, in per cent."""
    for system in comparison.systems:
        for table in system.breakdowns:
            measures = [key for key in PLOTTED.get(table.name, ()) if any(key in row for row in table.rows.values())]
            for measure in measures[:1]:
                title = title_of(measure).strip()
                points = [(name, row[measure]) for name, row in table.rows.items()][:MOST_BARS]
                yield Plot(
                    f"{system.name}: {title} by {table.key}",
                    table.key,
                    f"{title}, per cent",
                    [(name, 100.0 * value) for name, value in points if value is not None],
                )


def _shelf(parts: Iterable[str]) -> Iterator[str]:
    yield '<div class="shelf">\n'
    yield from parts
    yield "</div>\n"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escaped(name)}</th>' for name in table.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>\n"  #
        for row in table.rows
    )
    caption = f"<caption>{escaped(table.title or 'scores')}</caption>\n"
    return picture(f"<table>\n{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")


def _controls(count: int) -> str:
    return f"""\
<p>What only one of the two has is <strong class="legend">marked</strong>: missed in the gold structure, wrong in the
prediction. Punctuation is not compared.</p>
<form id="filters" role="search">
<label>Words, at least <input type="number" id="words" min="0" step="1"></label>
<label>Score, at most <input type="number" id="score" min="0" max="100" step="any"></label>
<label>Text <input type="search" id="text"></label>
<output id="shown" aria-live="polite">{count} of {count} sentences</output>
</form>
"""


def _pair(sentence: ScoredSentence) -> str:
    gold, predicted = pair_svgs(sentence.gold, sentence.predicted)
    words, score = escaped(" ".join(sentence.gold.words)), 100 * sentence.score
    return (
        f'<article class="pair" data-words="{len(sentence.gold)}" data-score="{score:g}" data-text="{words}">\n'
        f'<h3>Sentence {sentence.number}, score {score:.1f}</h3>\n<p dir="auto">{words}</p>\n'
        f'<div class="sides">\n{picture(gold, "gold")}{picture(predicted, "prediction")}</div>\n</article>\n'
    )
