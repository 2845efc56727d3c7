"""What may become of a file, by chance; and bounds within which a program has to take it."""

from __future__ import annotations

import contextlib
import re
import resource
import signal
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TypeAlias

from tests.processes import HANG

Mutation: TypeAlias = Callable[[bytes, Random], bytes]

MEMORY = 1_000_000_000
"""Bytes of address space that may be taken for any input."""

NUMBERS = [b"0", b"-1", b"1", b"7", b"8", b"65536", b"1000000000", b"9" * 19, b"9" * 30, b"9" * 5000, b"1e999", b".nan"]
STRANGE = ["\0", "\ud800", "²", "٣", "\u2028", "\x85", "\x1b[2J", "(", ")", "\t", "\n", "\r", "&a", "*a", "!!int", "{"]
VALUES = [b"null", b"true", b"-1", b"1.5", b'"x"', b"[]", b"[1]", b"{}", b'{"x": 1}']
FLOATS = [float("nan"), float("inf"), -1e30, 1e7, 3e5]


def flipped(content: bytes, source: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(source.choice([1, 1, 2, 8]) if content else 0):
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def truncated(content: bytes, source: Random) -> bytes:
    return content[: source.randrange(len(content) + 1)]


def spliced(content: bytes, source: Random) -> bytes:
    first, second, third = (source.randrange(len(content) + 1) for _ in range(3))
    return content[:first] + content[min(second, third) : max(second, third)] + content[first:]


def cut(content: bytes, source: Random) -> bytes:
    first, second = sorted(source.randrange(len(content) + 1) for _ in range(2))
    return content[:first] + content[min(second, first + source.choice([1, 4, 100])) :]


def reordered(content: bytes, source: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    for _ in range(source.choice([1, 2, 5])):
        if lines:
            lines.insert(source.randrange(len(lines) + 1), source.choice(lines))
            del lines[source.randrange(len(lines))]
    return b"".join(lines)


def doubled(content: bytes, source: Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    at = source.randrange(len(lines))
    return b"".join([*lines[:at], *[lines[at]] * source.choice([2, 3, 100]), *lines[at + 1 :]])


def renumbered(content: bytes, source: Random) -> bytes:
    positions = [match.span() for match in re.finditer(rb"\d+", content)]
    if not positions:
        return content
    start, end = source.choice(positions)
    same_length = bytes(source.choice(b"0123456789") for _ in range(end - start))
    return content[:start] + source.choice([*NUMBERS, same_length]) + content[end:]


def retyped(content: bytes, source: Random) -> bytes:
    """A value of JSON or YAML is one of another type."""
    positions = [match.span(1) for match in re.finditer(rb"[:\[,] *([^\s:,\[\]{}]+|\[[^\[\]]*\]|{[^{}]*})", content)]
    if not positions:
        return content
    start, end = source.choice(positions)
    return content[:start] + source.choice(VALUES) + content[end:]


def strange(content: bytes, source: Random) -> bytes:
    at = source.randrange(len(content) + 1)
    return content[:at] + source.choice(STRANGE).encode("utf-8", "surrogatepass") + content[at:]


def extended(content: bytes, source: Random) -> bytes:
    return content + source.choice([b"\0", b"x", b"\n", content, bytes(1000)])


MUTATIONS: list[Mutation] = [
    flipped,
    truncated,
    spliced,
    cut,
    reordered,
    doubled,
    renumbered,
    retyped,
    strange,
    extended,
]


def with_another_number(content: bytes, source: Random) -> bytes:
    """Weights, in which one number is not what training leaves."""
    start = 8 + int.from_bytes(content[:8], "little")
    numbers = (len(content) - start) // 4
    if not numbers:
        return content
    at = start + 4 * source.randrange(numbers)
    return content[:at] + struct.pack("<f", source.choice(FLOATS)) + content[at + 4 :]


def with_another_header(content: bytes, source: Random) -> bytes:
    """Weights whose header, in JSON, is mutated, with its length."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = mutated(content[8:start], source)
    return struct.pack("<Q", len(header)) + header + content[start:]


def mutated(content: bytes, source: Random) -> bytes:
    for _ in range(source.choice([1, 1, 1, 2, 4])):
        content = source.choice(MUTATIONS)(content, source)
    return content


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Little memory for what runs inside; `unless_it_hangs` ends an input that makes it run on and on."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextlib.contextmanager
def unless_it_hangs(seconds: int = HANG) -> Iterator[None]:
    """Within, what takes longer fails."""
    with _alarm(seconds, _hangs):
        yield


@contextlib.contextmanager
def terminated_after(seconds: int, hang: int = HANG) -> Iterator[None]:
    """Within, this process gets SIGTERM after so many seconds; what goes on nevertheless hangs."""

    def terminate(*_: object) -> None:
        signal.signal(signal.SIGALRM, _hangs)
        signal.alarm(hang)
        signal.raise_signal(signal.SIGTERM)

    with _alarm(seconds, terminate):
        yield


def _hangs(*_: object) -> None:
    raise AssertionError("an input makes it hang")


@contextlib.contextmanager
def _alarm(seconds: int, ring: Callable[..., None]) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
