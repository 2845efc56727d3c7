"""English texts of growing size, one sentence per line, modern ones and with novels of 1840 to 1920, for the curve of
scores by words (benchmarks/curve.py).

    python -m benchmarks.text_sizes ../shared/data FOLDER
    python -m benchmarks.curve FOLDER/modern-1.txt --minutes 5 --work RUNS

FOLDER gets modern-0.25.txt to modern-2.txt: so many million words, punctuation aside, drawn from the text of `english`
(benchmarks/english_text.py), MASC and Brown; and mixed-0.5.txt to mixed-12.txt, half of them from novels (ELTeC), and
more of these where the modern ones are used up. Lines are drawn at random, the same each time, and stay in order.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.english_text import running_text, sources
from synparse.files.streams import read_lines, write_whole
from synparse.trees.punctuation import is_punctuation

MILLION = 1_000_000
MODERN_SIZES, MIXED_SIZES = (0.25, 0.5, 1.0, 2.0), (0.5, 1.0, 2.0, 4.0, 12.0)


def drawn(lines: Sequence[str], words: int) -> list[str]:
    """Lines with at least so many words, or all if there are not as many, in their order."""
    order = list(range(len(lines)))
    random.Random(1).shuffle(order)
    chosen: list[int] = []
    for number in order:
        if words <= 0:
            break
        words -= words_in(lines[number])
        chosen.append(number)
    return [lines[number] for number in sorted(chosen)]


def words_in(line: str) -> int:
    return sum(not is_punctuation(token) for token in line.split())


def written(path: Path, lines: Iterable[str]) -> None:
    with write_whole(str(path)) as out:
        out.writelines(f"{line}\n" for line in lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path, help="the folder of EWT, GUM and the texts")
    options.add_argument("folder", type=Path, help="where the texts are written")
    chosen = options.parse_args()
    texts = chosen.data / "text"
    ewt, gum = (str(chosen.data / name / "train.conllu") for name in ("ewt", "gum"))
    modern = [*sources(ewt, gum, str(texts / "state-union-raw.txt"))]
    modern += [line.strip() for name in ("masc.txt.gz", "brown.txt") for line in read_lines(str(texts / name))]
    novels = [*running_text(str(texts / "eltec-eng.txt.gz"))]
    total = sum(map(words_in, modern))
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for size in MODERN_SIZES:
        written(chosen.folder / f"modern-{size:g}.txt", drawn(modern, round(size * MILLION)))
    for size in MIXED_SIZES:
        words = round(size * MILLION)
        of_modern = min(words // 2, total)
        written(chosen.folder / f"mixed-{size:g}.txt", [*drawn(modern, of_modern), *drawn(novels, words - of_modern)])


if __name__ == "__main__":
    main()
