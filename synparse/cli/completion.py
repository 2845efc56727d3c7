"""What the shell offers for an argument, after ``synparse --install-completion``; files, where nothing fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import typer

from synparse.config.parsing import HeadDecoder, TreeDecoder


def shipped_models() -> list[str]:
    """The shipped models."""
    from synparse.store import shipped

    return shipped.shipped_models()


def models() -> list[str]:
    """Shipped models and baselines."""
    from synparse.trees.trivial import TRIVIAL_PARSERS

    return [*shipped_models(), *TRIVIAL_PARSERS]


def recipes() -> list[str]:
    """The shipped recipes."""
    from synparse.config.recipe import shipped_recipes

    return shipped_recipes()


def languages() -> list[str]:
    """The codes and names of languages."""
    from synparse.corpora.languages import LANGUAGES

    return sorted(LANGUAGES)


def tree_decoders(ctx: typer.Context) -> Sequence[str]:
    """The decoders of brackets that the models have."""
    return _decoders(ctx, "tree_decoders", get_args(TreeDecoder))


def head_decoders(ctx: typer.Context) -> Sequence[str]:
    """Likewise those of heads."""
    return _decoders(ctx, "head_decoders", get_args(HeadDecoder))


def _decoders(ctx: typer.Context, which: str, all_decoders: Sequence[str]) -> Sequence[str]:
    """Those of the models that the line names by options, or of the default; all, where these cannot be loaded."""
    from synparse.parsing.parser import Parser
    from synparse.store.shipped import default_model
    from synparse.trees.errors import DataError, SettingError

    try:
        default = [default_model(ctx.params["language"])] if ctx.info_name == "parse" else []
        parser = Parser.load(ctx.params["model"] or default)
    except (DataError, SettingError, ModuleNotFoundError):  # of PyTorch
        return all_decoders
    decoders: Sequence[str] = getattr(parser, which)
    return decoders
