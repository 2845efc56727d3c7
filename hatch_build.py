"""Compiles the charts when the package is installed. Where that fails, for want of a compiler, NumPy computes them."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension

NAME = "synparse.compiled.charts"


class CompiledCharts(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the extension beside its source, and take it into the wheel."""
        built = compiled()
        if built is None:
            self.app.display_warning("The charts were not compiled: NumPy computes the same, several times as slowly.")
            return
        build_data["artifacts"].append(built.as_posix())
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compiled() -> Path | None:
    """The extension, or None where it cannot be built."""
    options = ["/O2"] if sys.platform == "win32" else ["-std=c99", "-O3", "-ffp-contract=off"]
    libraries = [] if sys.platform == "win32" else ["m"]
    source = "synparse/compiled/charts.c"
    extension = Extension(NAME, [source], libraries=libraries, extra_compile_args=options, optional=True)
    command = Distribution({"name": "synparse", "packages": ["synparse"], "ext_modules": [extension]}).get_command_obj(
        "build_ext"
    )
    command.inplace = command.force = True
    with tempfile.TemporaryDirectory() as folder:
        command.build_temp = folder
        command.ensure_finalized()
        built = Path(command.get_ext_filename(NAME))
        built.unlink(missing_ok=True)
        command.run()
    return built if built.exists() else None
