import shutil
from pathlib import Path

import pytest

from synparse.files.folders import PENDING, SAVED
from synparse.parsing.pack import pack
from synparse.store.model_directory import LAST, RUN, is_unfinished
from synparse.store.overwriting import clear_away, refuse_to_overwrite, remove_stages, stage_names, what_is_there
from synparse.trees.errors import SettingError


def test_what_is_not_there_or_empty_may_be_written(tmp_path):
    refuse_to_overwrite(tmp_path / "new", force=False)
    refuse_to_overwrite(tmp_path, force=False)
    (tmp_path / PENDING).mkdir()  # a run was killed in its first save
    refuse_to_overwrite(tmp_path, force=False)


@pytest.mark.parametrize("force", [False, True])
def test_no_model_gets_the_name_of_a_baseline_which_parse_would_take_in_its_place(tmp_path, force):
    with pytest.raises(SettingError, match="--output: random is the name of a baseline; name another directory"):
        refuse_to_overwrite(Path("random"), force)
    refuse_to_overwrite(tmp_path / "random", force)


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_model_is_never_overwritten(tmp_path, force):
    (tmp_path / "notes.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(SettingError, match=r"--output: .* exists and is not a model directory"):
            refuse_to_overwrite(path, force)


@pytest.mark.parametrize("unfinished", [LAST, RUN])
@pytest.mark.parametrize("folder", [".", SAVED])
def test_a_model_and_an_unfinished_run_are_replaced_by_force(tmp_path, folder, unfinished):
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "config.yaml").touch()
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        refuse_to_overwrite(tmp_path, force=False)
    (tmp_path / folder / unfinished).touch()
    assert is_unfinished(tmp_path)
    with pytest.raises(SettingError, match=r"an unfinished run; --resume .* continues it, --force replaces it"):
        refuse_to_overwrite(tmp_path, force=False)
    refuse_to_overwrite(tmp_path, force=True)


def test_a_run_without_a_model_yet_is_replaced_by_force(tmp_path):
    (tmp_path / RUN).touch()
    with pytest.raises(SettingError, match="holds an unfinished run"):
        refuse_to_overwrite(tmp_path, force=False)
    refuse_to_overwrite(tmp_path, force=True)


OURS = ("grammar-1", "udgn-12", "trees-3", "grammars-2", "on-lstm-1")
THEIRS = ("udgn", "udgn-", "udgn-a", "my-udgn-1", "notes-1", "grammars", "udgn-1-2", "Udgn-1", "trees-²", "trees-")


@pytest.fixture
def many(tmp_path):
    """A folder with what stages leave, and with what is like it."""
    folder = tmp_path / "many"
    for name in (*OURS, *THEIRS):
        (folder / name).mkdir(parents=True)
        (folder / name / "config.yaml").touch()
    (folder / "trees-4.jsonl").touch()
    (folder / "notes-2.jsonl").touch()
    (folder / "udgn-1.jsonl").touch()
    (folder / "kept.txt").touch()
    return folder


def names_in(folder):
    return {path.name for path in folder.iterdir()}


def test_what_stages_leave_is_known_by_its_name(many, tmp_path):
    assert set(stage_names(many)) == {*OURS, "trees-4", "udgn-1"}
    assert stage_names(tmp_path / "none") == []


def test_only_what_stages_leave_is_removed(many):
    remove_stages(many, {"udgn-12"})
    assert names_in(many) == {"udgn-12", *THEIRS, "notes-2.jsonl", "udgn-1.jsonl", "kept.txt"}
    assert names_in(many / "udgn-12") == {"config.yaml"}


def test_what_killed_stages_were_writing_is_removed(tmp_path):
    (tmp_path / ".udgn-1.x8sd_3").mkdir()
    for name in (".udgn-1.x8sd_3/tokens", ".trees-1.jsonl.abcd", ".notes-1.jsonl.abcd"):
        (tmp_path / name).touch()
    remove_stages(tmp_path)
    assert names_in(tmp_path) == {".notes-1.jsonl.abcd"}


def test_a_folder_with_something_else_in_it_stays(many):
    (many / "udgn-12" / "my notes.txt").touch()
    remove_stages(many)
    assert names_in(many) == {"udgn-12", *THEIRS, "notes-2.jsonl", "udgn-1.jsonl", "kept.txt"}


def test_what_a_link_leads_to_stays(many, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine.txt").touch()
    shutil.rmtree(many / "udgn-12")
    (many / "udgn-12").symlink_to(tmp_path / "elsewhere")
    remove_stages(many)
    assert names_in(many) == {"udgn-12", *THEIRS, "notes-2.jsonl", "udgn-1.jsonl", "kept.txt"}
    assert names_in(tmp_path / "elsewhere") == {"mine.txt"}


def test_an_earlier_model_is_taken_away_and_nothing_else(tiny_taught, tmp_path):
    directory = shutil.copytree(tiny_taught, tmp_path / "model")
    for name in (LAST, RUN, "notes.txt"):
        (directory / name).touch()
    clear_away(directory, kept={"udgn-1", "README.md"})
    assert names_in(directory) == {"udgn-1", "README.md", "notes.txt"}
    clear_away(directory)
    assert names_in(directory) == {"notes.txt"}


def test_a_model_of_before_is_taken_away_too(tiny_udgn, tmp_path):
    directory = shutil.copytree(tiny_udgn, tmp_path / "model")
    clear_away(directory)
    assert names_in(directory) == set()


def test_what_holds_no_run_to_resume_is_said(tiny_udgn, tmp_path):
    pack([tiny_udgn], [], tmp_path / "packed")
    assert what_is_there(tmp_path / "none") == "no such directory"
    assert what_is_there(tmp_path / "packed") == "this model is packed for parsing only"
    assert what_is_there(tiny_udgn) == "its run is finished; synparse train --init trains its model further"
    assert what_is_there(tmp_path) == "no run has saved anything there; begin one without --resume"
    (tmp_path / "config.yaml").write_text("task: listops")
    assert what_is_there(tmp_path) == "its run is finished"
