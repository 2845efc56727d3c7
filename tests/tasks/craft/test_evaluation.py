"""Scores of models are those of their segmentations, one by one."""

import pytest
import torch

from synparse.scoring.segmentation import score_segmentations
from synparse.tasks.craft.agent_directory import GridConfig
from synparse.tasks.craft.directory import load_imitator
from synparse.tasks.craft.evaluation import MEASURES, Trials, evaluate_models
from synparse.tasks.craft.segmentation import compared, segmented
from synparse.trees.errors import DataError, SettingError


@pytest.fixture(scope="module")
def evaluations(trained_models, craft_files):
    models = [str(trained_models / name) for name in ("option-controller", "ompn", "mixture-of-experts")]
    return evaluate_models(models, [craft_files[0]], trials=Trials(20, GridConfig(7, 1, 1, 5)), device="cpu")


def test_the_scores_of_a_model(evaluations, trained_models, made):
    for kind, [(directory, evaluation)] in evaluations.items():
        assert directory == str(trained_models / kind)
        trained = load_imitator(trained_models / kind, torch.device("cpu"))
        cut = segmented(trained, [demonstration for demonstration, _ in made])
        pairs = list(zip(made, cut, strict=True))
        assert evaluation.scores == score_segmentations(
            compared(demonstration, one_cut, ends) for (demonstration, ends), one_cut in pairs
        )
        steps = sum(len(demonstration.actions) for demonstration, _ in made)
        assert evaluation.action_accuracy == pytest.approx(sum(segmentation.right for segmentation in cut) / steps)
        assert evaluation.nats == pytest.approx(-sum(segmentation.log_likelihood for segmentation in cut) / steps)
        assert evaluation.value("nmi") == evaluation.scores.nmi
        assert all(evaluation.value(name) is None or 0 <= evaluation.value(name) <= 1 for name in MEASURES)


def test_only_options_that_end_are_tried(evaluations):
    tried = {kind: evaluation.options is not None for kind, [(_, evaluation)] in evaluations.items()}
    assert tried == {"option-controller": True, "ompn": False, "mixture-of-experts": False}
    table = evaluations["option-controller"][0][1].options
    assert table.success.worlds == 20
    assert len(table.success.rates) == 2
    assert set(table.correspondence.subtask_of) <= {0, 2, 3}  # of AC and DA


def test_options_are_not_tried_where_there_are_none(trained_models, craft_files):
    with pytest.raises(SettingError, match="none of these models has options that end"):
        evaluate_models(
            [str(trained_models / "ompn")], [craft_files[0]], trials=Trials(20, GridConfig(7, 1, 1, 5)), device="cpu"
        )


def test_the_ends_of_a_file_are_those_of_doing_the_actions_again(evaluations, trained_models, craft_files, tmp_path):
    model, (data, ends) = str(trained_models / "ompn"), craft_files
    [(_, evaluation)] = evaluate_models([model, f"{model}/"], [data], ends=ends, device="cpu")["ompn"]
    assert evaluation == evaluations["ompn"][0][1]
    (tmp_path / "e.tsv").write_text("AC\t3 9\n")
    with pytest.raises(DataError, match=r"e\.tsv:1: not the task of its demonstration"):
        evaluate_models([model], [data], ends=str(tmp_path / "e.tsv"), device="cpu")
    with pytest.raises(SettingError, match="is named twice"):
        evaluate_models([model], [data, data], device="cpu")
