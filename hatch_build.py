"""Builds the wheel: compiles the charts, and adds the recipes and the English model.

Where there is no compiler, NumPy computes the charts. The models of other languages are a package of their own.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.errors import BaseError, CCompilerError

NAME = "synparse.compiled.charts"
LANGUAGES = "languages"

# Products and sums are not contracted to one operation, so that every processor rounds alike. That nobody asks which
# exceptions arose makes vectors of more loops; that loops which copy stay loops, and loops around others, keeps sums in
# registers. Clang does not know the options of GCC.
OPTIONS = ["-std=c99", "-O3", "-g0", "-ffp-contract=off", "-fno-trapping-math"]
GCC_OPTIONS = [*OPTIONS, "-fno-tree-loop-distribute-patterns", "-fno-loop-unroll-and-jam"]


class ChartsAndModels(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the extension beside its source, and take it and `models/` into the wheel, without its languages."""
        parts = (part for part in Path("models").iterdir() if part.name != LANGUAGES)
        build_data["force_include"].update((part.as_posix(), f"synparse/{part.as_posix()}") for part in parts)
        built = compiled()
        if built is None:
            self.app.display_warning("The charts were not compiled: NumPy computes the same, several times as slowly.")
            return
        build_data["artifacts"].append(built.as_posix())
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compiled() -> Path | None:
    """The extension, or None where it cannot be built."""
    choices = [["/O2"]] if sys.platform == "win32" else [GCC_OPTIONS, OPTIONS]
    return next(filter(None, map(_compiled, choices)), None)


def _compiled(options: list[str]) -> Path | None:
    libraries = [] if sys.platform == "win32" else ["m"]
    extension = Extension(NAME, ["synparse/compiled/charts.c"], libraries=libraries, extra_compile_args=options)
    command = Distribution({"packages": ["synparse"], "ext_modules": [extension]}).get_command_obj("build_ext")
    command.inplace = command.force = True
    with tempfile.TemporaryDirectory() as folder:
        command.build_lib = command.build_temp = folder
        command.ensure_finalized()
        built = Path(command.get_ext_filename(NAME))
        built.unlink(missing_ok=True)
        try:
            command.run()
        except (BaseError, CCompilerError):
            return None
    return built
