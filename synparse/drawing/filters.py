"""Fields of a page that hide the parts which do not have what the reader types. Without scripts all parts are seen."""

from __future__ import annotations

from synparse.drawing.markup import escaped

STYLE = """\
#filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; padding: 0.5rem 0;
  background: var(--paper); border-bottom: 1px solid var(--rule); }
#filters input { font: inherit; width: 6rem; }
#filters #text { width: 14rem; }
[id] { scroll-margin-top: 4rem; }
@media (max-width: 40rem) { #filters { position: static; } }
"""

# An empty field asks for nothing. Text is compared without regard to case.
SCRIPT = """\
"use strict";
const form = document.getElementById("filters");
const valueOf = (name) => document.getElementById(name)?.value ?? "";
const parts = Array.from(document.querySelectorAll(form.dataset.parts));
const lowered = parts.map((part) => (part.dataset.text ?? part.textContent).toLocaleLowerCase());
const filter = () => {
  const words = valueOf("words"), score = valueOf("score"), text = valueOf("text").toLocaleLowerCase();
  parts.forEach((part, index) => {
    part.hidden = (words !== "" && Number(part.dataset.words) < Number(words))
      || (score !== "" && Number(part.dataset.score) > Number(score))
      || !lowered[index].includes(text);
  });
  const shown = parts.filter((part) => !part.hidden).length;
  document.getElementById("shown").textContent = `${shown} of ${parts.length} ${form.dataset.name}`;
};
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
"""

LEAST_WORDS = '<label>Words, at least <input type="number" id="words" min="0" step="1"></label>\n'
MOST_SCORE = '<label>Score, at most <input type="number" id="score" min="0" max="100" step="any"></label>\n'
TEXT = '<label>Text <input type="search" id="text"></label>\n'


def filters(selector: str, name: str, *fields: str) -> str:
    """A form with these fields for the parts of a page that a CSS selector finds; ``name`` is what they are called.

    A part tells its number of words, its score and its text in data-words, data-score and data-text; its text is by
    default all that is in it. A page that has such a form needs `STYLE` and `SCRIPT`.
    """
    return (
        f'<form id="filters" role="search" data-parts="{escaped(selector)}" data-name="{escaped(name)}">\n'
        f'{"".join(fields)}<output id="shown" aria-live="polite"></output>\n</form>\n'
    )
