"""``synparse`` and ``python -m synparse``."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line and exit."""
    try:
        from synparse.cli.app import run
    except KeyboardInterrupt:  # already while the commands are imported
        sys.exit(130)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # data is UTF-8 with line feeds, whatever the locale
            stream.reconfigure(encoding="utf-8", newline="")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
