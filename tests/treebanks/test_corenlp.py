"""The user's own CoreNLP: Stanza and its Java process are stood in for."""

import shutil
import sys
from types import ModuleType, SimpleNamespace

import pytest

from synparse.treebanks import corenlp
from synparse.trees.errors import DataError
from tests.treebanks.reading import root_of


@pytest.fixture
def stanza(monkeypatch):
    """Modules with the few names that are used; trees are nested tuples. Returns the trees that were sent."""
    names = {
        "stanza.models.constituency.parse_tree": {"Tree": lambda label, children=(): (label, *children)},
        "stanza.protobuf": {"DependencyConverterRequest": lambda: SimpleNamespace(trees=[])},
        "stanza.server.java_protobuf_requests": {"build_tree": lambda tree, _: tree},
        "stanza.server.dependency_converter": {},
    }
    for name, values in names.items():
        for depth in range(1, name.count(".") + 2):
            part = ".".join(name.split(".")[:depth])
            if part not in sys.modules or part.startswith("stanza"):
                monkeypatch.setitem(sys.modules, part, ModuleType(part))
        vars(sys.modules[name]).update(values)
    sent = []

    def answer(request):
        sent.extend(request.trees)
        edges = [SimpleNamespace(source=2, target=1, dep="nsubj"), SimpleNamespace(source=2, target=3, dep="punct")]
        return SimpleNamespace(conversions=[SimpleNamespace(graph=SimpleNamespace(edge=edges))])

    monkeypatch.setattr(corenlp, "_converter", lambda: SimpleNamespace(process_request=answer))
    return sent


def test_trees_go_without_traces_and_edges_become_heads(stanza):
    conversion = corenlp.convert(root_of("(S (NP (-NONE- *)) (NP-SBJ (NNP It)) (VP (VBZ rains)) (. .))"))
    assert (conversion.heads, conversion.relations) == ((2, 0, 2), ("nsubj", "root", "punct"))
    clause = ("S", ("NP", ("NNP", ("It",))), ("VP", ("VBZ", ("rains",))), (".", (".",)))
    assert stanza == [("ROOT", clause)]


def test_what_is_missing_is_told_in_turn(monkeypatch, stanza):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(DataError, match="needs Java, and there is none on the PATH"):
        corenlp.require()
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/java")
    monkeypatch.delenv("CORENLP_HOME", raising=False)
    with pytest.raises(DataError, match="set CORENLP_HOME"):
        corenlp.require()
    monkeypatch.setenv("CORENLP_HOME", "/opt/corenlp")
    corenlp.require()
    monkeypatch.setitem(sys.modules, "stanza.server.dependency_converter", None)
    with pytest.raises(DataError, match=r"pip install 'stanza>=1\.8'"):
        corenlp.require()
    assert not stanza
