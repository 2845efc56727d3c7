import os

import pytest

from synparse.files import cores
from synparse.files.cores import asked_threads, available_cores


@pytest.fixture
def unlimited(monkeypatch, tmp_path):
    """A machine with eight cores and no quotas; its control group files are in a temporary folder."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(cores, "MEMBERSHIP", tmp_path / "membership")
    monkeypatch.setattr(cores, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_all_cores_if_nothing_is_limited(unlimited):
    assert available_cores() == 8
    write(unlimited / "membership", "0::/a\n")
    write(unlimited / "groups/a/cpu.max", "max 100000\n")
    assert available_cores() == 8


@pytest.mark.parametrize(("quota", "expected"), [(20_000, 1), (100_000, 1), (150_000, 2), (300_000, 3), (9_000_000, 8)])
def test_a_quota_is_rounded_up(unlimited, quota, expected):
    write(unlimited / "membership", "0::/a/b\n")
    write(unlimited / "groups/a/b/cpu.max", f"{quota} 100000\n")
    assert available_cores() == expected


def test_parent_groups_limit_a_group_too(unlimited):
    write(unlimited / "membership", "0::/a/b/c\n")
    write(unlimited / "groups/a/b/c/cpu.max", "max 100000\n")
    write(unlimited / "groups/a/b/cpu.max", "400000 100000\n")
    write(unlimited / "groups/a/cpu.max", "200000 100000\n")
    assert available_cores() == 2


@pytest.mark.parametrize("path", ["/docker/0123", "/../..", "/"])
def test_in_a_container_the_mounted_root_is_the_process_own_group(unlimited, path):
    write(unlimited / "membership", f"0::{path}\n")
    write(unlimited / "groups/cpu.max", "250000 100000\n")
    assert available_cores() == 3


@pytest.mark.parametrize("folder", ["cpu,cpuacct", "cpu"])
def test_control_groups_of_version_1(unlimited, folder):
    write(unlimited / "membership", "7:memory:/a\n4:cpu,cpuacct:/a\n1:name=systemd:/\n0::/\n")
    write(unlimited / f"groups/{folder}/a/cpu.cfs_quota_us", "150000\n")
    write(unlimited / f"groups/{folder}/a/cpu.cfs_period_us", "50000\n")
    write(unlimited / f"groups/{folder}/cpu.cfs_quota_us", "-1\n")
    write(unlimited / f"groups/{folder}/cpu.cfs_period_us", "100000\n")
    assert available_cores() == 3


@pytest.mark.parametrize("text", ["", "max\n", "no numbers", "0 0", "100000 0", "\n\n", "-1 100000"])
def test_files_without_a_quota_are_no_limit(unlimited, text):
    write(unlimited / "membership", f"{text}\n0::/\n")
    write(unlimited / "groups/cpu.max", text)
    assert available_cores() == 8


@pytest.mark.usefixtures("unlimited")
def test_omp_num_threads_overrides_all_limits(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "12")
    assert available_cores() == 12


@pytest.mark.parametrize(
    ("value", "expected"),
    [("3", 3), (" 2 ", 2), ("4,2", 4), *[(wrong, None) for wrong in ("0", "", "many", "-1", "9" * 5000)]],
)
def test_values_of_omp_num_threads(value, expected):
    assert asked_threads({"OMP_NUM_THREADS": value}) == expected
    assert asked_threads({}) is None


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system pins no process")
def test_a_pinned_process_has_the_cores_it_is_pinned_to(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert available_cores() == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.usefixtures("unlimited")
def test_systems_without_pinning_count_all_cores(monkeypatch):
    monkeypatch.delattr(cores.os, "sched_getaffinity")
    monkeypatch.setattr(cores.os, "cpu_count", lambda: 6)
    assert available_cores() == 6
    monkeypatch.setattr(cores.os, "cpu_count", lambda: None)
    assert available_cores() == 1
