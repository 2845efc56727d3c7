from synparse.config.grammar import GrammarConfig
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.training.grammar_text import LONGEST_CONTEXT, grammar_text

TEXT = TextConfig(min_count=2)


def test_sentences_are_passed_on_and_what_grammars_need_is_kept():
    lines = ["a b c", "one", "", "x !", "a b c d e f", "d e . .", ". ."]
    source = grammar_text(TEXT, GrammarConfig(longest=5), 1)
    passed = list(source.of(Sentence(tuple(line.split())) for line in lines))
    assert [" ".join(one.tokens) for one in passed] == lines
    assert [" ".join(tokens) for tokens in source.sentences] == ["a b c", "d e . ."]
    assert [" ".join(tokens) for tokens in source.context.items] == lines
    assert {"one", "f", "x"} <= set(source.bigrams.forms())


def test_of_a_long_line_the_beginning_is_kept():
    source = grammar_text(TEXT, GrammarConfig(context_sentences=1), 1)
    [passed] = source.of([Sentence(("a", "b") * LONGEST_CONTEXT)])
    assert len(passed.tokens) == 2 * LONGEST_CONTEXT
    assert [len(tokens) for tokens in source.context.items] == [LONGEST_CONTEXT]


def test_samples_are_of_the_size_and_the_seed_that_was_asked_for():
    def samples(seed):
        source = grammar_text(TEXT, GrammarConfig(sentences=5, context_sentences=7), seed)
        for _ in source.of(Sentence((f"a{number}", "b")) for number in range(50)):
            pass
        return source.sentences, source.context.items

    assert [len(sample) for sample in samples(1)] == [5, 7]
    assert samples(1) == samples(1) != samples(2)
