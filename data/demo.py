"""All steps on the sample in this folder: learn grammars, parse, show, score. A minute or two.

Runs the commands that a user types, and prints them. The recipe says how much is learned from, whatever the machine and
its load, so the scores are always about the same.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.tree import Tree

from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import ConstituencyTree

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample"
OUTPUT = ROOT / "demo-output"
BASELINES = ("right-branching", "left-branching", "balanced", "random", "chain", "content-chain", "content-chain-back")
TREES_TO_SHOW = 3


def main() -> dict[str, list[float]]:
    """Run all steps; returns the scores of each parser: UF1 by sentences and of the corpus, UAS, UUAS."""
    console = Console()
    OUTPUT.mkdir(exist_ok=True)
    scores: dict[str, list[float]] = {}
    model = OUTPUT / "model"
    recipe = SAMPLE.parent / "demo.yaml"
    synparse(console, "train", SAMPLE / "train.txt", "--recipe", recipe, "--output", model, "--force")
    gold_trees, gold_heads = SAMPLE / "gold.brackets", SAMPLE / "gold.conllu"
    table = Table(title="1,000 held-out sentences (per cent)")
    for column in ("parser", "UF1 (sentence)", "UF1 (corpus)", "UAS", "UUAS"):
        table.add_column(column, justify="left" if column == "parser" else "right")
    for name in (model, *BASELINES):
        trees, heads = OUTPUT / f"{Path(name).name}.brackets", OUTPUT / f"{Path(name).name}.conllu"
        synparse(console, "parse", SAMPLE / "gold.txt", "--model", name, "--format", "brackets", "--output", trees)
        synparse(console, "parse", SAMPLE / "gold.txt", "--model", name, "--format", "conllu", "--output", heads)
        constituency = json.loads(synparse(console, "eval", trees, gold_trees, "--json"))
        dependencies = json.loads(synparse(console, "eval", heads, gold_heads, "--json"))
        title = "trained model" if name == model else str(name)
        scores[title] = [
            *(constituency[key] for key in ("uf1_sentence", "uf1_corpus")),
            *(dependencies[key] for key in ("uas", "uuas")),
        ]
        table.add_row(title, *(f"{score:.1f}" for score in scores[title]))
    with (OUTPUT / "model.brackets").open(encoding="utf-8") as lines:
        parsed = [tree for _, tree in read_brackets(lines, "model.brackets")]
    for tree in sorted(parsed, key=lambda tree: abs(len(tree) - 9))[:TREES_TO_SHOW]:
        console.print(rich_tree(tree))
    console.print(table)
    console.print(
        f"Everything is in {OUTPUT.relative_to(Path.cwd())}/" if OUTPUT.is_relative_to(Path.cwd()) else OUTPUT
    )
    return scores


def synparse(console: Console, *arguments: object) -> str:
    """Run one command as a user would; returns its standard output. Exits if it fails."""
    words = [str(argument) for argument in arguments]
    shown = [str(Path(word).relative_to(ROOT)) if Path(word).is_relative_to(ROOT) else word for word in words]
    console.print(f"$ synparse {shlex.join(shown)}", style="dim", highlight=False, soft_wrap=True)
    done = subprocess.run([sys.executable, "-m", "synparse", *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def rich_tree(tree: ConstituencyTree) -> Tree:
    """A constituency tree as a Rich tree, one word per line."""
    drawing = Tree(" ".join(tree.words), guide_style="dim")
    open_nodes = [(drawing, len(tree))]
    starts: dict[int, list[int]] = {}
    for _, start, end in tree.constituents[1:]:
        starts.setdefault(start, []).append(end)
    for i, word in enumerate(tree.words):
        while open_nodes[-1][1] <= i:
            open_nodes.pop()
        for end in starts.get(i, ()):
            open_nodes.append((open_nodes[-1][0].add("●"), end))
        open_nodes[-1][0].add(word)
    return drawing


if __name__ == "__main__":
    main()
