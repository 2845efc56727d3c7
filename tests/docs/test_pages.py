"""README.md and docs/ are true: commands print what is shown, options and links exist, figures come from tables."""

import doctest
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer.main

from synparse.cli.app import app
from synparse.config.plain_yaml import plain_yaml
from synparse.config.recipe import recipe_from, recipe_to_train, shipped_recipes
from tests.sharing import made_once

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md")] + sorted(
    DOCS.rglob("*.md")
)
PICTURES = ("tree.svg", "arcs.svg", "craft-demonstration.svg")

sys.path.insert(0, str(ROOT / "benchmarks"))

import results  # noqa: E402

BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
OPTION = re.compile(r"`(--[a-z][a-z0-9-]*)")
NAMED_FILE = re.compile(r"`((?:synparse|tests|benchmarks|models|data|docs)/[\w./-]*)")
ROUNDING = 0.6
FIGURE = re.compile(r"(?<!Apache-)(?<!SA )(?<![\d.])\d{1,2}\.\d(?![\d.]\d|\d)")


def blocks(path, *languages):
    return [text for kind, text in BLOCK.findall(path.read_text(encoding="utf-8")) if kind in languages]


def prose(path):
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def pages_with(language):
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in PAGES if blocks(path, language)]


def commands_of(block):
    """Each command of a console block with the output shown: ``$ command``, ``> its next line``, then the output."""
    commands = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(([line[2:]], []))
        elif line.startswith("> ") and not commands[-1][1]:
            commands[-1][0].append(line[2:])
        else:
            commands[-1][1].append(line)
    return [("\n".join(command), "".join(f"{line}\n" for line in shown)) for command, shown in commands]


def is_what_was_shown(shown, printed):
    """An ellipsis stands for a part of a line, a line of it alone for any lines. Scores may differ by a tree or a few
    heads: other processors round otherwise."""
    lines = (r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in shown.splitlines())
    match = re.fullmatch(re.sub(r"\d+\\\.\d\d+", r"(\\d+\\.\\d+)", "".join(lines)), printed)
    figures = re.findall(r"\d+\.\d\d+", shown)
    return match and all(
        abs(float(printed_figure) - float(shown_figure)) < ROUNDING
        for printed_figure, shown_figure in zip(match.groups(), figures, strict=True)
    )


def printed_by(shell, command, folder):
    """What a command prints in a folder with the shipped data."""
    if not (folder / "data").exists():
        (folder / "data").symlink_to(ROOT / "data")
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return shell(command, cwd=folder, **streams).stdout.decode()


def trained_once(shell, command, folder, factory):
    """As `printed_by`, of ``synparse train``: pages that train the same model, of the same files, share it."""
    words = shlex.split(command)
    output = words[words.index("--output") + 1]
    read = [folder / word for word in words[2:] if (folder / word).is_file()]
    made_from = command.encode() + b"".join(path.read_bytes() for path in read)

    def train(place):
        for path in read:
            shutil.copy(path, place)
        (place / "printed").write_text(printed_by(shell, command, place), encoding="utf-8")

    place = made_once(factory, hashlib.sha256(made_from).hexdigest(), train)
    if (place / output).exists():
        shutil.rmtree(folder / output, ignore_errors=True)
        shutil.copytree(place / output, folder / output)
    return (place / "printed").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", pages_with("console"))
def test_commands_print_what_the_page_says(path, shell, tmp_path, tmp_path_factory):
    for command, shown in (pair for block in blocks(path, "console") for pair in commands_of(block)):
        if command.startswith("synparse train"):
            printed = trained_once(shell, command, tmp_path, tmp_path_factory)
        else:
            printed = printed_by(shell, command, tmp_path)
        assert is_what_was_shown(shown, printed), f"$ {command}\n{printed}"


def parts_of(command):
    """The commands of a group, by name; a command that is none has no parts."""
    if not hasattr(command, "list_commands"):
        return {}
    context = command.context_class(command)
    return {name: command.get_command(context, name) for name in command.list_commands(context)}


def options_of(words):
    """The command that words call, and its options as they were given. Raises a usage error."""
    command, name = typer.main.get_command(app), "synparse"
    while parts := parts_of(command):
        name, *words = words
        command = parts[name]
    return name, command.make_context(name, list(words)).params


def calls_of(block):
    """The arguments of each call of synparse in a block of shell; \\ joins lines, and # begins a comment."""
    for line in block.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        words = []
        for word in [*lexer, "|"]:
            if not set(word) <= set("|&;<>"):
                words.append(word)
                continue
            if "synparse" in words:
                yield words[words.index("synparse") + 1 :]
            words = []


@pytest.mark.parametrize("path", pages_with("sh"))
def test_commands_that_are_not_run_have_arguments_that_exist(path):
    for words in (words for block in blocks(path, "sh") for words in calls_of(block)):
        _, options = options_of(words)
        if words[0] == "train" and not options["resume"] and options["recipe"] in (None, *shipped_recipes()):
            recipe_to_train(options["recipe"], options["model"], options["set_"] or [])


def test_recipes_that_pages_show_can_be_read():
    shown = [plain_yaml(block) for path in PAGES for block in blocks(path, "yaml")]
    assert [recipe_from(values).stages for values in shown if "stages" in values]


@pytest.mark.parametrize("path", pages_with("python"))
def test_examples_of_the_python_api_print_what_the_page_says(path, tmp_path, monkeypatch):
    check_examples(path, blocks(path, "python"), tmp_path, monkeypatch)


def test_examples_with_packages_that_are_not_installed_by_default_print_what_the_page_says(tmp_path, monkeypatch):
    for package in ("pandas", "spacy", "stanza"):
        pytest.importorskip(package, reason=f"no {package} here: pip install {package}")
    path = DOCS / "api.md"
    check_examples(path, blocks(path, "python", "py"), tmp_path, monkeypatch)


def check_examples(path, examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(ROOT / "data")
    text = "\n".join(examples)
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    printed = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=printed.append)
    assert not printed, "".join(printed)


def test_the_worked_example_of_an_inducer_can_be_trained(monkeypatch):
    import torch

    from synparse.inducers import configurations, table
    from synparse.inducers.batch import Batch

    [_, model, settings, row] = blocks(DOCS / "add-an-inducer.md", "py")
    written = {"dataclass": dataclass, "Size": configurations.Size}
    exec(compile(settings, "settings", "exec"), written)
    monkeypatch.setattr(configurations, "NeighboursConfig", written["NeighboursConfig"], raising=False)
    exec(compile(model, "model", "exec"), written)
    [entry] = eval(f"{{{row}}}", vars(table)).values()
    assert (entry.class_name, entry.configuration) == ("Neighbours", configurations.NeighboursConfig)
    torch.manual_seed(1)
    neighbours = written["Neighbours"](9, written["NeighboursConfig"]())
    words, lengths = torch.tensor([[4, 5, 6, 7], [4, 5, 0, 0]]), torch.tensor([4, 2])
    neighbours.loss(Batch(words, lengths, torch.tensor([[-100, 5, -100, 7], [4, -100, -100, -100]]))).total.backward()
    assert all(parameter.grad.abs().sum() > 0 for parameter in neighbours.parameters())
    padded, alone = (neighbours.induce(Batch(words[1:, :n], lengths[1:])).distances[0, 0] for n in (4, 2))
    assert padded.item() == pytest.approx(alone.item(), abs=1e-5)


def test_options_that_pages_mention_exist():
    def options(command):
        for part in parts_of(command).values():
            yield from options(part)
        for parameter in command.params:
            yield from (*parameter.opts, *parameter.secondary_opts)

    known = {"--help", "--install-completion", *options(typer.main.get_command(app))}
    for path in PAGES:
        assert set(OPTION.findall(prose(path))) <= known, path


def test_files_that_pages_name_exist():
    for path in PAGES:
        for name in NAMED_FILE.findall(prose(path)):
            assert (ROOT / name).exists() or "my" in name, f"{path}: {name}"


def anchors(path):
    names = (re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in HEADING.findall(prose(path)))
    return {re.sub(r"[\s-]+", "-", name) for name in names}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    for link in ("".join(groups) for groups in LINK.findall(prose(path))):
        if re.match(r"https?://[\w.-]+\.\w+(/\S*)?\Z", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        assert file.exists(), f"{link} is not there"
        assert not anchor or anchor in anchors(file), f"{link} has no such heading"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_figures_come_from_tables(path):
    page = path.read_text(encoding="utf-8")
    assert results.with_tables(page) == page, "run make docs"
    typed = FIGURE.findall(BLOCK.sub("", results.MARKED.sub("", page)))
    assert not typed or path.name == "CHANGELOG.md", f"figures typed by hand: {typed}"


def test_every_finding_is_on_a_page():
    text = "".join(path.read_text(encoding="utf-8") for path in results.pages())
    topics = [name.removeprefix("findings: ") for name in results.TABLES if name.startswith("findings: ")]
    assert topics
    shown = ("<!-- table: findings: {} -->", "`benchmarks/findings.tsv` (topic *{}*)")
    assert not [topic for topic in topics if not any(words.format(topic) in text for words in shown)]


def test_trials_that_changed_nothing_are_counted_and_not_listed(monkeypatch):
    columns = ("topic", "what", "measure", "value", "compared with", "conditions")
    rows = (
        ("Words", "fewer classes", "UAS", "50.7", "49.8", "one seed"),
        ("Words", "the same", "UUAS", "62.5", "–", "–"),
        ("Words", "more classes", "UAS", "49.9", "49.8", "not taken: no gain"),
        ("Trees", "another subject", "UAS", "1.0", "–", "–"),
    )
    monkeypatch.setattr(results, "rows_of", lambda _: [dict(zip(columns, row, strict=True)) for row in rows])
    assert results.findings("Words") == (
        "- **fewer classes.** UAS: 50.7; compared with: 49.8 (one seed). UUAS: 62.5.\n\n"
        "Tried and not kept: 1 more, in `benchmarks/findings.tsv`.\n"
    )
    assert results.findings("Trees") == "- **another subject.** UAS: 1.0.\n"


def test_a_language_has_the_row_of_most_seeds_and_what_only_others_have(monkeypatch):
    columns = ("language", "settings", "seeds", "words", "minutes", "UAS", "UUAS", "supervised UAS", "supervised UUAS")
    rows = (
        ("mean", "", "1", "9", "7", "40.0", "50.0", "–", "–"),
        ("Basque", "", "1 2 3", "9", "7", "45.1", "61.2", "–", "–"),
        ("Basque", "", "1", "9", "7", "45.0", "61.1", "62.3", "67.6"),
    )
    tables = {
        "languages": [dict(zip(columns, row, strict=True)) for row in rows],
        "segmentation": [{"language": "Basque", "tokens F1": "99.7", "sentences F1": "90.5"}],
    }
    monkeypatch.setattr(results, "rows_of", tables.__getitem__)
    cells = [line.strip("| ").split(" | ") for line in results.languages().splitlines()]
    shown = [cells[0].index(name) for name in ("seeds", "parser: UAS / UUAS", "supervised", "F1 of tokens / sentences")]
    assert [[line[0], *(line[column] for column in shown)] for line in cells[2:]] == [
        ["Basque", "1 2 3", "45.1 / 61.2", "62.3 / 67.6", "99.7 / 90.5"],
        ["mean", "1", "40.0 / 50.0", "–", "–"],
    ]


def test_scores_that_are_shipped_and_drawn_come_from_tables():
    for path, text in results.written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run make docs"


def test_pictures_are_those_that_synparse_draws(shell, tmp_path):
    printed_by(shell, f"sh {DOCS / 'images' / 'draw.sh'}", tmp_path)
    for name in PICTURES:
        assert (tmp_path / name).read_bytes() == (DOCS / "images" / name).read_bytes(), "run make docs"


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_pages_build_and_every_command_has_its_options(tmp_path):
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in parts_of(typer.main.get_command(app)):
        page = (tmp_path / "site" / "commands" / name / "index.html").read_text(encoding="utf-8")
        assert "<code>--" in page, name
        assert "<!-- options" not in page, name
