"""Scores from their definitions, slowly, and without a line of the package: oracles for the tests of this folder."""

import re
from collections import Counter

PUNCTUATION = {".", ",", ":", "``", "''", "-LRB-", "-RRB-", "$", "#", "-NONE-"}
"""Tags that UF1 leaves out."""


def nested(line):
    """One line of brackets as nested lists: [label, child, …]; a word is (tag, word)."""
    stack = [[]]
    for token in re.findall(r"\(|\)|[^\s()]+", line):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            is_word = len(done) == 2 and all(isinstance(part, str) for part in done)
            stack[-1].append(tuple(done) if is_word else done)
        else:
            stack[-1].append(token)
    [tree] = stack[0]
    return tree


def leaves(tree):
    """The (tag, word) pairs; the tag of a bare word is empty."""
    if isinstance(tree, tuple):
        return [tree]
    leaf_list = []
    for child in tree[1:] if tree and isinstance(tree[0], str) else tree:
        leaf_list += [("", child)] if isinstance(child, str) else leaves(child)
    return leaf_list


def constituents(tree, keep):
    """(label, start, end) over the leaves that ``keep`` takes by their tag; those that hold none are left out."""
    spans = []

    def walk(node, start):
        if isinstance(node, tuple):
            return start + keep(node[0])
        if isinstance(node, str):
            return start + keep("")
        label, children = (node[0], node[1:]) if node and isinstance(node[0], str) else ("", node)
        end = start
        for child in children:
            end = walk(child, end)
        if end > start and label:
            spans.append((re.split("[-=]", label)[0], start, end))
        return end

    walk(tree, 0)
    return spans


def uf1(gold, predicted, protocol):
    """(sentence F1, corpus F1, precision and recall over the corpus) by kim2019, or the sentence means by shen2018.

    gold: lines of brackets with tags; predicted: lines of brackets over the words that are left.
    """
    rows, matched, gold_count, predicted_count = [], 0, 0, 0
    for gold_line, predicted_line in zip(gold, predicted, strict=True):
        spans = []
        for line in (gold_line, predicted_line):
            tree = nested(line)
            keep = {tag: tag not in PUNCTUATION for tag, _ in leaves(tree)}
            count = sum(keep[tag] for tag, _ in leaves(tree))
            all_spans = {(start, end) for _, start, end in constituents(tree, keep.get)}
            spans.append({(start, end) for start, end in all_spans if 1 < end - start < count})
        gold_spans, predicted_spans = spans
        if not count or (count == 1 and protocol == "kim2019"):
            continue
        common = len(gold_spans & predicted_spans)
        recall = common / len(gold_spans) if gold_spans else 1.0
        precision = common / len(predicted_spans) if predicted_spans else float(not gold_spans)
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        rows.append((f1, precision, recall))
        matched, gold_count = matched + common, gold_count + len(gold_spans)
        predicted_count += len(predicted_spans)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    corpus = 2 * matched / (gold_count + predicted_count)
    return means, (corpus, matched / predicted_count, matched / gold_count)


DELETED = {"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", "."}


def evalb(gold, predicted):
    """Counter of what EVALB counts with COLLINS.prm: gold, predicted, matched, crossing, complete, words, tags."""
    total = Counter()
    for lines in zip(gold, predicted, strict=True):
        trees = [nested(line) for line in lines]
        both = []
        for tree in trees:
            brackets = constituents(tree, lambda tag: tag not in DELETED)
            # ADVP and PRT are the same label.
            both.append([(label.replace("PRT", "ADVP"), a, b) for label, a, b in brackets if label not in DELETED])
        gold_brackets, brackets = both
        common = sum((Counter(gold_brackets) & Counter(brackets)).values())
        crossing = sum(
            any(a < start < b < end or start < a < end < b for _, a, b in gold_brackets) for _, start, end in brackets
        )
        tags = [[tag for tag, _ in leaves(tree) if tag not in DELETED] for tree in trees]
        total.update(
            sentences=1,
            gold=len(gold_brackets),
            predicted=len(brackets),
            matched=common,
            crossing=crossing,
            without_crossing=not crossing,
            complete=common == len(gold_brackets) == len(brackets),
            words=len(tags[0]),
            tags=sum(map(str.__eq__, *tags)),
        )
    return total


def rows_of(text):
    """The sentences of a CoNLL-U text: for each, the ten columns of each word."""
    blocks = [
        [line.split("\t") for line in block.split("\n") if line and line[0] != "#"] for block in text.split("\n\n")
    ]
    return [block for block in blocks if block]


def attachment(gold, predicted, kept, root):
    """Counter of words, attached, connected, neutral, labelled and exact trees over CoNLL-U texts.

    Words that ``kept`` refuses (by their gold columns) leave both trees, and what hangs from them climbs.
    """
    total = Counter()
    for gold_rows, predicted_rows in zip(rows_of(gold), rows_of(predicted), strict=True):
        scored = [row[0] for row in gold_rows if kept(row)]
        trees = []
        for rows in (gold_rows, predicted_rows):
            parent = {row[0]: row[6] for row in rows}
            reduced = {}
            for word in scored:
                head = parent[word]
                while head != "0" and head not in scored:
                    head = parent[head]
                reduced[word] = head
            trees.append(reduced)
        gold_heads, heads = trees
        relations = [{row[0]: row[7] for row in rows} for rows in (gold_rows, predicted_rows)]
        is_exact, counted = True, 0
        for word in scored:
            if gold_heads[word] == "0" and root == "omit":
                continue
            arcs = {frozenset(arc) for arc in heads.items()}
            right = gold_heads[word] == heads[word]
            children = [child for child in gold_heads if gold_heads[child] == word]
            above = [gold_heads[word], gold_heads.get(gold_heads[word]), *children]
            is_exact, counted = is_exact and right, counted + 1
            total.update(
                words=1,
                attached=right,
                connected=frozenset((word, gold_heads[word])) in arcs,
                neutral=heads[word] in above,
                labelled=right and relations[0][word] == relations[1][word],
            )
        total.update(trees=bool(counted), exact=bool(counted) and is_exact)
    return total


CONTENT = """nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl
    amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep""".split()
FUNCTION = "aux cop mark det clf case cc".split()


def conll18(gold, predicted):
    """Metric → (gold, predicted, right) of the CoNLL 2018 shared task, where both texts have the same words."""
    counts = {}

    def add(metric, *values):
        counts[metric] = tuple(map(sum, zip(counts.get(metric, (0, 0, 0)), values, strict=True)))

    for sentences in zip(rows_of(gold), rows_of(predicted), strict=True):
        gold_words, words = [
            [{"upos": r[3], "xpos": r[4], "head": r[6], "relation": r[7].split(":")[0], "id": r[0]} for r in rows]
            for rows in sentences
        ]

        def functions(words, head):
            return [
                (w["id"], w["relation"], w["upos"]) for w in words if w["head"] == head and w["relation"] in FUNCTION
            ]

        for gold_word, word in zip(gold_words, words, strict=True):
            attached = gold_word["head"] == word["head"]
            labelled = attached and gold_word["relation"] == word["relation"]
            content = gold_word["relation"] in CONTENT, word["relation"] in CONTENT
            same_functions = functions(gold_words, gold_word["id"]) == functions(words, word["id"])
            add("UPOS", 1, 1, gold_word["upos"] == word["upos"])
            add("XPOS", 1, 1, gold_word["xpos"] == word["xpos"])
            add("UAS", 1, 1, attached)
            add("LAS", 1, 1, labelled)
            add("CLAS", *content, labelled and all(content))
            add("MLAS", *content, labelled and all(content) and gold_word["upos"] == word["upos"] and same_functions)
            add("BLEX", *content, labelled and all(content))  # no lemmas here: each is _, and matched by any
    return counts
