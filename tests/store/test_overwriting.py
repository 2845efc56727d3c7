import shutil

import pytest

from synparse.files.folders import PENDING, SAVED
from synparse.store.overwriting import LAST, clear_away, is_unfinished, refuse_to_overwrite
from synparse.trees.errors import SettingError


def test_what_is_not_there_or_empty_may_be_written(tmp_path):
    refuse_to_overwrite(tmp_path / "new", force=False)
    refuse_to_overwrite(tmp_path, force=False)
    (tmp_path / PENDING).mkdir()  # a run was killed in its first save
    refuse_to_overwrite(tmp_path, force=False)


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_model_is_never_overwritten(tmp_path, force):
    (tmp_path / "notes.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(SettingError, match=r"--output: .* exists and is not a model directory"):
            refuse_to_overwrite(path, force)


@pytest.mark.parametrize("folder", [".", SAVED])
def test_a_model_and_an_unfinished_run_are_replaced_by_force(tmp_path, folder):
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "config.yaml").touch()
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        refuse_to_overwrite(tmp_path, force=False)
    (tmp_path / folder / LAST).touch()
    assert is_unfinished(tmp_path)
    with pytest.raises(SettingError, match=r"an unfinished run; --resume .* continues it, --force replaces it"):
        refuse_to_overwrite(tmp_path, force=False)
    refuse_to_overwrite(tmp_path, force=True)


def test_an_earlier_model_is_taken_away_and_nothing_else(tiny_taught, tmp_path):
    directory = shutil.copytree(tiny_taught, tmp_path / "model")
    (directory / SAVED).mkdir()
    (directory / SAVED / LAST).touch()
    (directory / "notes.txt").touch()
    clear_away(directory)
    assert [path.name for path in directory.iterdir()] == ["notes.txt"]
