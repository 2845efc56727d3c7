"""The kinds of files and of model directories that commands read: what a whole file holds, and the lines that read it.

Every option of every command that takes a file or a directory is in one of them, but for those of `tables` and
``convert --engine corenlp``, which run other programs on what they are given."""

from __future__ import annotations

import gzip
from typing import NamedTuple

from synparse.corpora.vocabulary import SPECIAL

CONLLU = """# sent_id = 1
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tA=B
1\tvamos\tir\tVERB\t_\tNumber=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
3.1\tx\t_\t_\t_\t_\t_\t_\t1:dep\t_

# sent_id = 2
1\thello\t_\tINTJ\tUH\t_\t0\troot\t_\t_
2\t!\t_\tPUNCT\t.\t_\t1\tpunct\t_\t_

""".encode()

BRACKETS = """( (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBD saw) (NP (-NONE- *T*-1)))
     (. .)) )
(X the (Y (_ old) man) -LRB- (Z (Z été)))
(NN Hi) (S
(NN
there))
""".encode()


PARSES = """{"tokens": ["été", "(", "a", "dog"], "constituents": [[0, 4], [2, 4]], "heads": [0, 1, 4, 1], \
"read": [true, false, true, true], "distances": [0.5, -1.25], "heights": null}
{"tokens": [], "constituents": [], "heads": [], "read": [], "distances": [], "heights": null}
{"tokens": ["Hi", "\\u00e9t"], "constituents": [[0, 2]], "heads": [2, 0], "read": [true, true], "distances": [1e-3]}
""".encode()

PENN = b"""( (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBD saw) (NP (-NONE- *T*-1)) (PP-LOC (IN in) (NP (DT the) (NN park))))
     (. .)) )
( (S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (JJ old) (CC and) (JJ big)) (SBAR (IN that) (S (NP (EX there))
     (VP (VBP are)))))))
"""

PARSE = b"""{"tokens": ["the", "dog"], "read": [true, true], "distances": [1.5], "heights": null, \
"constituents": [[0, 2]], "heads": [2, 0], "labels": ["a"], "tags": ["1", "2"]}
"""

TEXT = "the dog saw 3 cats in the park .\nété “the dog” 1,5 a’b http://x.y ( ) -LRB-\n\n犬が見た。\n".encode()

MINIMAL_PAIRS = b"kind\tgrammatical\tungrammatical\nagreement\tthe dog saw\tdog the saw\norder\tthe park\tpark the\n"

SIMILAR = b"score\tsentence1\tsentence2\tsource\n" + b"1.5\tthe dog\tthe cats saw\ta\n3\tthe park\tcats\tb\n" * 10

DEMONSTRATIONS = b"""AB\tluxurx\t######/#..AB#/#...v#/##.D.#/#...C#/######
AB\tlldxrurx\t######/##...#/#C..B#/#..>.#/#AD..#/######
B\tuuurx\t######/#.D.B#/#....#/#.A.##/#C.^.#/######
B\tlux\t######/#...A#/#...C#/#B#..#/#.^.D#/######
"""

ENDS = b"AB\t3 6\nAB\t4 8\nB\t5\nB\t3\n"

SEGMENTS = b"AB\t3 6\t1 2\nAB\t4 8\t1 1\nB\t5\t2\nB\t3\t1\n"

LISTOPS = b"""1\t1
0\t( ( ( ( [SM ( ( ( [SM 0 ) 6 ) ] ) ) 0 ) 4 ) ] )
8\t( ( ( [MAX 8 ) 6 ) ] )
3\t( ( ( [MIN 3 ) ( ( ( ( [MAX 6 ) 8 ) 1 ) ] ) ) ] )
6\t( ( ( ( [MED 9 ) ( ( ( ( [SM 9 ) 0 ) 7 ) ] ) ) 6 ) ] )
"""

LOGIC = b"""#\tb\td
#\tc\t( d ( and ( a ( or d ) ) ) )
>\t( f ( or a ) )\t( e ( and f ) )
#\t( f ( and ( not d ) ) )\t( ( e ( or e ) ) ( or b ) )
"""

SENTIMENT = """(3 (2 It) (4 (2 's) (3 good)))
(1 (2 (2 The) (2 dog)) (0 (1 bores) (2 .)))
(2 (2 a) (2 film))
(4 (2 un) (3 (2 été) (4 superb)))
""".encode()

TASK_RECIPE = b"""encoders:
  ordered-memory: {hidden_size: 4, slots: 6, attention: normalized}
  lstm: {embedding_size: 0, hidden_size: 4, layers: 1}
training: {learning_rate: 3e-3, schedule: linear, batch_size: 2, epochs: 1, validate_every: 1, short_fraction: 0.5}
"""

SENTIMENT_RECIPE = TASK_RECIPE + b"text: {phrases: true, min_count: 1}\n"

CRAFT_RECIPE = b"""models:
  option-controller: {options: 2, hidden_size: 4, temperature: 10.0}
  ompn: {hidden_size: 4, slots: 2}
view: {near: 3, far: 0}
training: {learning_rate: 2e-3, schedule: linear, batch_size: 2, epochs: 1, validate_every: 1, end_cost: 0.1}
"""

TUNING_RECIPE = b"training: {learning_rate: 1e-3, batch_size: 2, epochs: 1, validate_every: 1, validation_pairs: 2}\n"

GRAMMARS = """grammars: all
    classes: 3
    dependency_passes: 1
    class_grammars: 1
    nonterminals: 2
    grammar_passes: 1
"""

STAGES = f"""text: {{min_count: 1, phrase_boundaries: true}}
parsing: {{punctuation: evidence, function_words: leaves}}
stages:
  - {GRAMMARS}
  - trees: 20
    function_words: leaves
  - network: student
    architecture: {{hidden_size: 8, layers: 1}}
    training: {{batch_tokens: 64, epochs: 1, validate_every: 2}}
  - {GRAMMARS}
  - network: udgn
    seeds: 2
    architecture: {{hidden_size: 8, layers: 1, channels: 2, channel_size: 4, parser_layers: 1}}
    training: {{batch_tokens: 64, epochs: 1, validate_every: 2}}
  - {GRAMMARS}
    seeds: 2
""".encode()

EVALB = b"LABELED 1\nDELETE_LABEL TOP\nDELETE_LABEL -NONE-\nEQ_LABEL ADVP PRT\nCUTOFF_LEN 40\nMAX_ERROR 10\n"

BLIMP = b"""{"sentence_good": "the dog saw cats", "sentence_bad": "the dog cats saw", "UID": "order", "field": "syntax"}
{"sentence_good": "the park", "sentence_bad": "park the", "UID": "article", "linguistics_term": "np"}
"""

MAPS = b"""arcs:
  log_odds: [-2.5, -1.5, 0.5, 2]
  fitted: [0.01, 0.1, 0.1, 0.5]
punctuation: ignore
function_words: free
heads: boundaries
gold: [gold.conllu]
"""

VOCABULARY = "".join(f"{word}\n" for word in [*SPECIAL, "the", "dog", "saw", "cats", "été", "in", "park"]).encode()

RECIPE = b"""text: {min_count: 1, digits: N}
parsing: {punctuation: evidence, function_words: leaves}
stages:
  - network: udgn
    architecture: {hidden_size: 8, layers: 1, channels: 2, channel_size: 4, parser_layers: 1}
    training: {batch_tokens: 256, learning_rate: 1e-2, schedule: constant, epochs: 1}
  - grammars: none
"""

COUNTING = f"text: {{min_count: 1}}\nstages:\n  - {GRAMMARS}".encode()

WORD_PATTERN = b"pattern { V [upos=VERB]; V -[obl|obj]-> N } without { V -[nsubj]-> S }"

BRACKET_PATTERN = b"S < (NP=n < (DT $+ NN) !<< /a.*/)"


class Kind(NamedTuple):
    """The content of an input file, and the lines of commands that read it; {} is the file, or what is in it."""

    content: bytes
    lines: tuple[str, ...]


KINDS = {
    "x.conllu": Kind(CONLLU, (
        "parse {} -m chain",
        "parse {} -m udgn -f json",
        "parse {} -m chain --keep heads",
        "parse {} -m udgn --confidence raw --n-best 2 -f json",
        "parse {} -m grammar --labels induced --tags classes -f json",
        "parse {} -m udgn --relations channels --distributions",
        "eval {} whole.conllu",
        "eval whole.conllu {}",
        "eval whole.conllu {} --protocol conll18",
        "eval {} {} --breakdown --baselines --score-relations full --json",
        "eval {} --gold whole.conllu --score-tags upos --significance --report out",
        "show {}",
        "show {} -f svg -o out",
        "show {} -f html",
        "show {} -f latex",
        "show {} --edit",
        "search V[upos=VERB] {} --count --by V.form",
        "search V[upos=VERB] {} --not",
        "classes {} --classes 3",
        "channels udgn {} --all",
        "channels udgn {} --clusters --report out",
        "calibrate udgn {} -o out",
        "convert {} --from conllu --to brackets",
        "select {} -m grammar -n 2",
        "select whole.txt -m grammar --trees {} -o out",
        "train whole.txt --recipe whole.stages.yaml --trees {} -o out",
        "train whole.txt --recipe whole.recipe.yaml --valid {} -o out",
    )),
    "x.mrg": Kind(BRACKETS, (
        "parse {} -m balanced -f brackets",
        "parse {} -m chain --keep brackets -f json",
        "eval {} whole.mrg",
        "eval {} whole.mrg --protocol evalb",
        "eval whole.mrg {} --score-labels --baselines --breakdown",
        "show {}",
        "show {} -f svg",
        "show {} --edit",
        "search NP {}",
        "search NP {} --whole",
        "calibrate udgn {} -o out --report report",
        "train whole.txt --recipe whole.stages.yaml --trees {} -o out",
        "train {} --model student --set text.min_count=1 --epochs 1 -o out",
    )),
    "x.penn": Kind(PENN, (
        "convert {}",
        "convert {} --to ud",
        "convert {} --to penn2malt",
        "convert {} --to lth2007",
        "convert {} --to lth2008 --skip-bad",
        "convert {} --to brackets --strip-punct",
        "convert {} --to brackets --binarize left --unescape --split-units",
    )),
    "x.jsonl": Kind(PARSES, (
        "parse {} -m chain -f json",
        "parse {} -m grammar --keep heads --keep brackets -f json",
        "train whole.txt --recipe whole.stages.yaml --trees {} -o out",
    )),
    "x.json": Kind(PARSE, (
        "show {}",
        "show {} -f html -o out",
        "show {} -f svg",
        "show {} --edit",
    )),
    "x.txt": Kind(TEXT, (
        "parse {} -m chain",
        "parse {} -m udgn --raw",
        "parse {} -m grammar --language de -f brackets",
        "parse {} -m grammar -f svg -o out",
        "parse {} -m udgn -m on-lstm --distributions -f json",
        "parse {} -m ordered-memory -f brackets --tokenizer treebank",
        "classes {}",
        "select {} -m udgn -n 2 --by coverage",
        "perplexity lstm {}",
        "perplexity udgn {} --json",
        "perplexity udgn lstm {} --pseudo --raw",
        "pack udgn --check {} -o out",
        "train {} --recipe grammar --set grammar.classes=3 --set text.min_count=1 -o out",
        "train {} --recipe whole.recipe.yaml -o out",
        "train whole.txt --recipe whole.recipe.yaml --valid {} -o out",
    )),
    "x.gz": Kind(gzip.compress(TEXT, mtime=0), ("parse {} -m chain", "classes {} --from text")),
    "x.vocabulary": Kind(VOCABULARY, ("train whole.txt --recipe whole.recipe.yaml --vocabulary {} -o out",)),
    "x.pairs": Kind(MINIMAL_PAIRS, (
        "pairs lstm {}",
        "pairs udgn lstm {} --by kind --json",
        "pairs lstm {} --scores out",
    )),
    "x.blimp": Kind(BLIMP, ("pairs lstm {}",)),
    "x.similar": Kind(SIMILAR, (
        "similarity evaluate udgn --data {} --baselines",
        "similarity train udgn --data {} --recipe whole.tuning.yaml -o out",
        "similarity train udgn --data whole.similar --valid {} --recipe whole.tuning.yaml -o out",
    )),
    "x.evalb": Kind(EVALB, ("eval whole.mrg whole.mrg --evalb-params {}",)),
    "x.maps": Kind(MAPS, (
        "parse whole.txt -m udgn --punctuation ignore --function-words free --confidence fitted --calibration {}",
    )),
    "x.listops": Kind(LISTOPS, (
        "task listops train {} --recipe whole.task.yaml -o out",
        "task listops evaluate listops --data {}",
        "task listops evaluate listops --data {} --trees-output out",
    )),
    "x.logic": Kind(LOGIC, (
        "task logic train {} --recipe whole.task.yaml --model lstm -o out",
        "task logic evaluate logic --data {}",
        "task logic split A {} --train-output out --test-output report",
    )),
    "x.sentiment": Kind(SENTIMENT, (
        "sentiment train {} --recipe whole.sentiments.yaml -o out",
        "sentiment train whole.sentiment --valid {} --recipe whole.sentiments.yaml --task sst5 --model lstm -o out",
        "sentiment evaluate sentiment --data {}",
    )),
    "x.craft": Kind(DEMONSTRATIONS, (
        "task craft train {} --recipe whole.worlds.yaml -o out",
        "task craft segment craft {}",
        "task craft evaluate craft --data {}",
        "task craft draw {}",
        "task craft draw {} --ends whole.ends --segments whole.segments",
        "task craft draw {} -f svg -o out",
    )),
    "x.ends": Kind(ENDS, (
        "task craft draw whole.craft --ends {}",
        "task craft evaluate craft --data whole.craft --ends {}",
    )),
    "x.segments": Kind(SEGMENTS, ("task craft draw whole.craft --segments {}",)),
    "x.recipe.yaml": Kind(RECIPE, ("train whole.txt --recipe {} -o out",)),
    "x.stages.yaml": Kind(STAGES, ("train whole.txt --recipe {} -o out",)),
    "x.counting.yaml": Kind(COUNTING, ("train whole.txt --recipe {} -o out",)),
    "x.task.yaml": Kind(TASK_RECIPE, ("task listops train whole.listops --recipe {} -o out",)),
    "x.sentiments.yaml": Kind(SENTIMENT_RECIPE, ("sentiment train whole.sentiment --recipe {} --model lstm -o out",)),
    "x.worlds.yaml": Kind(CRAFT_RECIPE, ("task craft train whole.craft --recipe {} -o out",)),
    "x.tuning.yaml": Kind(TUNING_RECIPE, ("similarity train udgn --data whole.similar --recipe {} -o out",)),
    "words.pattern": Kind(WORD_PATTERN, ("search {} whole.conllu", "search {} whole.conllu --count --by V.form")),
    "brackets.pattern": Kind(BRACKET_PATTERN, ("search {} whole.mrg", "search {} whole.mrg --count --by n.words")),
}  # fmt: skip

DIRECTORIES = {
    "models": (
        "parse whole.txt -m model -f json",
        "parse whole.txt -m model -m chain --confidence raw -f json",
        "parse whole.txt -m model --relations messages --distributions",
        "info model",
        "info model --json",
        "info model --all",
        "grammar model",
        "grammar model --json --report out",
        "perplexity model whole.txt",
        "pairs model whole.pairs",
        "similarity evaluate model --data whole.similar",
        "similarity train model --data whole.similar --recipe whole.tuning.yaml -o out",
        "channels model whole.conllu",
        "select whole.txt -m model -n 2",
        "pack model -o out",
        "pack --brackets model --heads udgn --storage int8 --check whole.txt -o out",
        "calibrate model whole.mrg",
        "train whole.txt --init model --epochs 1 -o out",
        "train whole.txt --recipe whole.counting.yaml --teacher model -o out",
        "train whole.txt --recipe whole.counting.yaml --force -o model",
    ),
    "runs": (
        "train --resume model",
        "train --resume model --minutes 0.01",
        "train --resume model whole.txt --set training.epochs=1 --allow-changed-corpus",
        "info model",
        "info model --json",
        "parse whole.txt -m model",
        "grammar model",
        "perplexity model/udgn-1 whole.txt",
        "train whole.txt --recipe model --epochs 1 -o out",
        "pack model -o out",
        "train whole.txt --recipe whole.counting.yaml --force -o model",
    ),
    "listops": (
        "task listops train --resume model",
        "task listops evaluate model --data whole.listops",
        "info model",
        "info model --all",
        "parse whole.txt -m model",
    ),
    "logic": (
        "task logic train --resume model",
        "task logic evaluate model --data whole.logic",
        "info model --json",
    ),
    "sentiment": (
        "sentiment train --resume model",
        "sentiment train --resume model whole.sentiment --set training.epochs=2",
        "sentiment evaluate model --data whole.sentiment",
        "info model --card",
        "parse whole.txt -m model",
    ),
    "craft": (
        "task craft train --resume model",
        "task craft segment model whole.craft -f json",
        "task craft evaluate model --data whole.craft --success 2",
        "task craft transfer model --task AB --size 6 --walls 0 --steps 20 --limit 5 -o out",
        "info model",
        "parse whole.txt -m model",
    ),
    "agents": (
        "task craft play model --episodes 2",
        "task craft play model --episodes 2 -o out",
        "info model --all",
        "parse whole.txt -m model",
    ),
    "tuning": (
        "similarity train --resume model",
        "similarity evaluate model --data whole.similar",
        "info model",
        "parse whole.txt -m model",
    ),
}
"""The lines that read ``model``, a directory, of which a file is changed, by what trained it."""
