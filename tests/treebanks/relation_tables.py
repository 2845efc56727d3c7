"""What the tests of both tables of relations ask of a table."""


def rows(table):
    """Relation, parents, children and conditions of each rule, in order."""
    lines = [line.split("|") for line in table.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [tuple(tuple(column.split()) for column in line) for line in lines]


def check_every_rule_can_decide(table):
    """Fails for a rule behind another one that fits wherever it fits."""
    rules = rows(table)
    for k, (_, parents, children, conditions) in enumerate(rules):
        for other in rules[:k]:
            assert not (
                _covers(other[1], parents) and _covers(other[2], children) and set(other[3]) <= set(conditions)
            ), f"{rules[k]} stands behind {other}"


def _covers(patterns, labels):
    """Whether every label that one of ``labels`` matches is matched by one of the ``patterns``."""
    return all(
        any(pattern == label or (pattern[-1] == "*" and label.startswith(pattern[:-1])) for pattern in patterns)
        for label in labels
    )
