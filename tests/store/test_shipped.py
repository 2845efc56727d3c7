import re
import shutil
from pathlib import Path

import pytest

from synparse.config.version import __version__
from synparse.parsing.jobs import ModelChoice, shared
from synparse.parsing.parser import Parser
from synparse.store import shipped
from synparse.store.languages import size_of
from synparse.store.model_directory import CARD
from synparse.store.models import open_model
from synparse.store.shipped import TEXTS, default_model, model_folder, read_rows, shipped_models
from synparse.trees.errors import DataError, SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS
from tests.cli.commands import printed

TEXT = "the old dog sees the cat ."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """In place of the shipped models: one folder that is none."""
    (tmp_path / "models" / "tasks").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(shipped, "recipe_folder", lambda: tmp_path / "models")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "models"


def name_models(folder, **models):
    """Write the table of texts: one of each language, by its code, with its model."""
    columns = ("source", "licence", "register", "in the table", "sentences", "tokens", "language", "model")
    rows = [columns, *(("a", "CC0", "news", "training", "1", "9", code, model) for code, model in models.items())]
    (folder / TEXTS).write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def english(folder, tiny_udgn):
    name_models(folder, en="english")
    return shutil.copytree(tiny_udgn, folder / "english")


def test_a_shipped_model_is_found_by_name(english, tiny_udgn):
    assert shipped_models() == ["english"]
    assert model_folder("english") == english
    assert Parser.load("english", device="cpu").parse([TEXT]) == Parser.load(tiny_udgn, device="cpu").parse([TEXT])


@pytest.mark.usefixtures("english")
def test_a_directory_goes_before_a_shipped_name(tiny_model):
    shutil.copytree(tiny_model, "english")
    assert model_folder("english") == Path("english")
    assert [member.model for member in Parser.load("english", device="cpu").members] == ["structformer"]


def test_a_folder_of_text_hides_no_shipped_model(english):
    Path("english").mkdir()
    Path("english", "text.txt").write_text("The dog barked .\n")
    assert model_folder("english") == english
    assert Parser.load("english", device="cpu").parse([TEXT])


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("name", ["tasks", "other", "./english", "../models/other"])
def test_other_names_stay_paths(name):
    assert model_folder(name) == Path(name)


def test_english_parses_where_nothing_is_named_if_it_is_shipped(english, tmp_path):
    assert default_model() == "english"
    (tmp_path / "text").write_text(f"{TEXT}\n")
    unnamed = printed("parse", tmp_path / "text").out
    assert printed("parse", tmp_path / "text", "--model", english).out == unnamed


@pytest.mark.usefixtures("folder")
def test_the_model_that_train_writes_parses_where_none_is_shipped(tiny_udgn, tmp_path):
    assert default_model() == "model"
    (tmp_path / "text").write_text(f"{TEXT}\n")
    error = printed("parse", tmp_path / "text", code=1).err
    assert "model: no such model: neither a directory nor one of right-branching" in error
    shutil.copytree(tiny_udgn, "model")
    assert printed("parse", tmp_path / "text").out


@pytest.mark.usefixtures("english")
def test_models_that_have_a_name_are_listed():
    first, *others = printed("info").out.splitlines()
    assert first.split() == ["english", "brackets", "and", "heads", "(udgn;", "English)"]
    assert [line.split()[0] for line in others] == list(TRIVIAL_PARSERS)
    assert '"kind": "udgn"' in printed("info", "english", "--json").out
    assert "nor one of english, right-branching" in printed("parse", "--model", "other", "x", code=1).err
    assert "no such model; did you mean english?" in printed("parse", "--model", "englisch", "x", code=1).err


def test_workers_of_a_cluster_get_the_folder(english):
    assert shared(ModelChoice(("english", "chain"))).names == (str(english), "chain")


@pytest.fixture
def languages(english, tmp_path, monkeypatch):
    """The package of models of other languages, with one of German; the shipped tables name another of French."""
    package = tmp_path / "site" / "synparse_languages"
    shutil.copytree(english, package / "german")
    name_models(english.parent, de="german", fr="french", fi="–")
    monkeypatch.syspath_prepend(str(package.parent))
    return package


def test_models_of_languages_are_a_package_of_their_own(languages):
    assert shipped_models() == ["english", "german"]
    assert default_model("de") == "german"
    assert model_folder("german") == languages / "german"


def test_in_a_checkout_they_lie_beside_the_others(english, tmp_path):
    shutil.copytree(english, english.parent / "languages" / "german")
    assert model_folder("german") == tmp_path / "models" / "languages" / "german"


@pytest.mark.usefixtures("languages")
def test_what_is_not_installed_is_named_with_the_command_that_installs_it():
    command = "in the folder of synparse: pip install ./models/languages"
    with pytest.raises(DataError, match=f"the model french is not installed; {command}"):
        default_model("fr")
    for name, answer in (
        ("french", f"no such model is installed; {command}"),
        ("frnch", f"no such model; did you mean french? It is not installed; {command}"),
        ("fr", f"no such model; did you mean french? It is not installed; {command}"),
        ("German", "no such model; did you mean german?"),
    ):
        assert printed("parse", "--model", name, "x", code=1).err == f"synparse: {name}: {answer}\n"
    assert f"french             not installed: {command}\n" in printed("info").out
    assert f"Shipped models: french\n  french is not installed: {command}\n" in printed("info", "--language", "fr").out
    with pytest.raises(SettingError, match="no model of Finnish is shipped"):
        default_model("fi")


SENTENCES = {
    "czech": ("Starý pes vidí kočku .", "Dala mu knihu ."),
    "english": (TEXT, "She gave him a book ."),
    "french": ("Le vieux chien voit le chat .", "Elle lui donna un livre ."),
    "german": ("Der alte Hund sieht die Katze .", "Sie gab ihm ein Buch ."),
    "hungarian": ("Az öreg kutya látja a macskát .", "Adott neki egy könyvet ."),
    "irish": ("Feiceann an seanmhadra an cat .", "Thug sí leabhar dó ."),
    "italian": ("Il vecchio cane vede il gatto .", "Lei gli diede un libro ."),
    "japanese": ("これ は 本 です 。", "彼 は 昨日 東京 で 彼女 を 見 た 。"),
    "latin": ("Canis vetus felem videt .", "Librum ei dedit ."),
    "norwegian": ("Den gamle hunden ser katten .", "Hun ga ham en bok ."),
    "polish": ("Stary pies widzi kota .", "Ona dała mu książkę ."),
    "portuguese": ("O velho cão vê o gato .", "Ela lhe deu um livro ."),
    "romanian": ("Câinele bătrân vede pisica .", "Ea i-a dat o carte ."),
    "serbian": ("Stari pas vidi mačku .", "Dala mu je knjigu ."),
    "slovene": ("Stari pes vidi mačko .", "Dala mu je knjigo ."),
    "spanish": ("El viejo perro ve al gato .", "Ella le dio un libro ."),
    "swedish": ("Den gamla hunden ser katten .", "Hon gav honom en bok ."),
    "turkish": ("Yaşlı köpek kediyi gördü .", "Ona bir kitap verdi ."),
    "ukrainian": ("Старий пес бачить кота .", "Вона дала йому книгу ."),
    "yoruba": ("Ọlọ́run sì dá ọ̀run àti ayé .", "Ó fún mi ní ìwé ."),
}
"""Two sentences for each model that is shipped."""

MEGABYTE = 1_000_000


@pytest.mark.parametrize("name", shipped_models())
def test_what_is_shipped_parses_its_language(name):
    parses = Parser.load(name, device="cpu").parse(SENTENCES[name])
    for parse, sentence in zip(parses, SENTENCES[name], strict=True):
        assert parse.tokens == tuple(sentence.split())
        assert sorted(parse.heads).count(0) == 1
        assert parse.tree is not None


@pytest.mark.parametrize("name", shipped_models())
def test_what_is_shipped_names_its_language_its_texts_and_their_licences(name):
    texts = [row for row in read_rows(TEXTS) if row["model"] == name]
    assert texts
    [code] = {row["language"] for row in texts}
    of_models = {member.description.recipe.text.language for member in open_model(name).members.values()}
    assert of_models <= {code, ""}
    assert not any("NC" in row["licence"].replace("-", " ").split() for row in texts)
    assert re.search("weights are distributed under (CC BY|LGPL-LR)", (model_folder(name) / CARD).read_text("utf-8"))


def test_what_is_shipped_is_small():
    sizes = {name: size_of(model_folder(name)) for name in shipped_models()}
    assert sum(sizes.values()) < 95 * MEGABYTE  # what an index of packages takes
    assert sizes.pop("english") < 8 * MEGABYTE
    assert all(size < 6 * MEGABYTE for size in sizes.values())


def test_the_package_of_languages_has_the_version_of_synparse():
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 reads TOML")
    project = Path(__file__).resolve().parents[2] / "models" / "languages" / "pyproject.toml"
    assert tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"] == __version__
