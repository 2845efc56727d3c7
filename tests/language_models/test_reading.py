import pytest

from synparse.language_models.loading import load_language_model
from synparse.language_models.reading import language_of_run, tokenizer_of_sentences, tokenizer_of_text
from synparse.trees.errors import SettingError
from tests.untrained import untrained

TOKENISED, RUNNING = ["Mary 's dog , the old one , barks ."], ["Mary's dog, the old one, barks."]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    texts = {
        "plain": {},
        "treebank": {"tokenizer": "treebank"},
        "rules": {"tokenizer": "rules:fi", "language": "fi"},
        "finnish": {"language": "fi"},
        "german": {"language": "de"},
    }
    folder = tmp_path_factory.mktemp("models")
    return {
        name: load_language_model(str(untrained(folder / name, "lstm", "a b", **text))) for name, text in texts.items()
    }


def chosen(models, names, lines, tokenizer=None, language=None):
    return tokenizer_of_sentences([models[name] for name in names], lines, tokenizer, language).name


def test_sentences_are_split_as_running_text_unless_they_are_tokenised(models):
    assert chosen(models, ["plain"], TOKENISED) == chosen(models, ["treebank"], TOKENISED) == "whitespace"
    assert chosen(models, ["plain"], ["no punctuation in what isn't a sentence"]).endswith(":en")
    assert chosen(models, ["plain"], ["Who isn't there?", "What was ?", "Oh no!"]).endswith(":en")
    assert chosen(models, ["plain"], ["Who is n't there ?", "What was it, etc. ?", "Oh no !"]) == "whitespace"
    assert chosen(models, ["plain"], RUNNING).endswith(":en")
    assert chosen(models, ["treebank"], RUNNING) == "treebank"
    assert chosen(models, ["rules"], RUNNING) == "rules:fi"
    assert chosen(models, ["finnish"], RUNNING).endswith(":fi")
    assert chosen(models, ["plain"], RUNNING, language="de").endswith(":de")
    assert chosen(models, ["plain", "treebank"], TOKENISED, tokenizer="characters") == "characters"


def test_a_text_is_split_by_the_models_own_tokenizer(models, tmp_path):
    (tmp_path / "text").write_text(RUNNING[0] + "\n")

    def of_text(name, raw=False, language=None, tokenizer=None):
        return tokenizer_of_text([models[name]], str(tmp_path / "text"), tokenizer, language, raw, None)

    assert of_text("plain").note.startswith("taken as English (--language): each line is a sentence, ")
    assert of_text("rules") == ("rules:fi", "")
    assert of_text("plain", raw=True).name.endswith(":en")
    assert of_text("finnish", raw=True).name.endswith(":fi")
    assert of_text("plain", language="fi").name.endswith(":fi")
    assert "Finnish: " in of_text("plain", language="fi").note
    assert of_text("rules", language="finnish", tokenizer="treebank") == ("treebank", "")
    (tmp_path / "text").write_text(TOKENISED[0] + "\n")
    assert of_text("plain") == ("whitespace", "")


def test_what_is_named_needs_no_models_that_agree(models, tmp_path):
    (tmp_path / "text").write_text(RUNNING[0] + "\n")
    arguments = str(tmp_path / "text"), None, "fi", False, None
    assert tokenizer_of_text([models["finnish"], models["german"]], *arguments).name.endswith(":fi")
    arguments = str(tmp_path / "text"), "characters", None, False, None
    assert tokenizer_of_text([models["plain"], models["treebank"]], *arguments) == ("characters", "")


def test_models_that_disagree_need_a_choice(models):
    with pytest.raises(SettingError, match=r"have different tokenizers \(whitespace, treebank\); choose one by --toke"):
        chosen(models, ["plain", "treebank"], RUNNING)
    with pytest.raises(SettingError, match=r"have different languages \(fi, de\); choose one by --language"):
        chosen(models, ["finnish", "german"], RUNNING)
    assert language_of_run([models["finnish"], models["german"]], "et") == "et"
    assert language_of_run([models["plain"], models["german"]], None) == "de"
    with pytest.raises(SettingError, match="unknown tokenizer 'x'"):
        chosen(models, ["plain"], RUNNING, tokenizer="x")
