"""A page of episodes of Craft, each with a button to play it and a slider over its steps.

The pictures play by themselves (`synparse.drawing.craft_episode`); the page's script only sets their clock, so that a
reader without scripts sees them, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from synparse.drawing.craft import THINGS, Episode, colour_of, ink_of, segments
from synparse.drawing.craft_episode import REST, SECONDS, episode_svg
from synparse.drawing.markup import escaped
from synparse.drawing.page import page, picture

STYLE = """\
.player { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; }
.player[hidden] { display: none; }
.player button, .player input { font: inherit; }
.player button { width: 5rem; }
.player input { width: min(30rem, 60vw); vertical-align: middle; }
.player mark { padding: 0 0.4rem; border-radius: 0.2rem; }
"""

SCRIPT = f"""\
"use strict";
const SECONDS = {SECONDS}, REST = {REST};
const NAMES = {{u: "up", d: "down", l: "left", r: "right", x: "use"}};
for (const episode of document.querySelectorAll("article.episode")) {{
  const part = (selector) => episode.querySelector(selector);
  const svg = part("svg"), button = part("button"), slider = part("input"), output = part("output");
  const {{actions, segmentations}} = JSON.parse(episode.dataset.episode);
  const show = (step) => {{
    slider.value = step;
    output.textContent = `step ${{step}} of ${{actions.length}}` + (step ? `: ${{NAMES[actions[step - 1]]}}` : "");
    for (const [name, segments] of step ? segmentations : []) {{
      const [, text, colour, ink] = segments.find(([end]) => step <= end);
      const mark = document.createElement("mark");
      mark.textContent = text;
      mark.style.background = colour;
      mark.style.color = ink;
      output.append(` ${{name}} `, mark);
    }}
  }};
  const stop = () => {{
    svg.pauseAnimations();
    button.textContent = "Play";
  }};
  const go = (step) => {{
    svg.setCurrentTime((step + 0.5) * SECONDS);
    show(step);
  }};
  const follow = () => {{
    if (svg.animationsPaused()) return;
    show(Math.min(Math.floor(svg.getCurrentTime() / SECONDS) % (actions.length + 1 + REST), actions.length));
    requestAnimationFrame(follow);
  }};
  button.addEventListener("click", () => {{
    if (!svg.animationsPaused()) return stop();
    if (Number(slider.value) === actions.length) go(0);
    svg.unpauseAnimations();
    button.textContent = "Pause";
    follow();
  }});
  slider.addEventListener("input", () => {{
    stop();
    go(Number(slider.value));
  }});
  stop();
  go(0);
  part(".player").hidden = false;
}}
"""


def episodes_page(title: str, episodes: Iterable[Episode]) -> str:
    """An HTML page, ready to be written to a file and opened without a network."""
    return page(title, map(_article, episodes), STYLE, SCRIPT)


def _article(episode: Episode) -> str:
    steps = len(episode.actions)
    controls = (
        '<div class="player" hidden><button type="button">Play</button>'
        f'<label>Step <input type="range" min="0" max="{steps}" value="0"></label> <output></output></div>\n'
    )
    data = escaped(json.dumps({"actions": episode.actions, "segmentations": list(_segmentations(episode))}))
    return (
        f'<article class="episode" data-episode="{data}">\n<h3>{escaped(episode.title)}</h3>\n'
        f"{picture(episode_svg(episode))}{controls}</article>\n"
    )


def _segmentations(episode: Episode) -> Iterator[tuple[str, list[tuple[int, str, str, str]]]]:
    """The name of each segmentation, and of its segments: the end, what is written, and the colours."""
    names = {letter: f"{letter} ({name})" for letter, name in THINGS.items()}
    for segmentation in episode.segmentations:
        parts = [(end, names.get(label, label or "–"), label) for _, end, label in segments(segmentation)]
        yield segmentation.name, [(end, text, colour_of(label), ink_of(label)) for end, text, label in parts]
