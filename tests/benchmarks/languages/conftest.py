import gzip

import pytest

GOLD = """\
# sent_id = 1
# text = Der Hund bellt.
1	Der	_	DET	_	_	2	det	_	_
2	Hund	_	NOUN	_	_	3	nsubj	_	_
3	bellt	_	VERB	_	_	0	root	_	SpaceAfter=No
4	.	_	PUNCT	_	_	3	punct	_	_

# sent_id = 2
# text = Sie sah der Katze zu
1	Sie	_	PRON	_	_	2	nsubj	_	_
2	sah	_	VERB	_	_	0	root	_	_
3	der	_	DET	_	_	4	det	_	_
4	Katze	_	NOUN	_	_	2	obj	_	_
5	zu	_	ADP	_	_	2	compound:prt	_	_

"""
TREES = "(S (NP (DET der) (N Hund)) (VP (V sah) (NP (DET die) (N Katze))))\n"


@pytest.fixture
def data(tmp_path):
    """A folder with the files of two languages: German with all of them, Spanish without trees and further text."""
    files = {
        "de/text.txt.gz": "der Hund sah der Katze zu .\n",
        "de/text-nc.txt.gz": "der Hund !\n",
        "de/dev.conllu.gz": GOLD * 5,
        "de/trees-none.ptb.gz": TREES * 3,
        "es/text.txt.gz": "el perro\n",
        "es/dev.conllu.gz": GOLD,
    }
    for name, content in files.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as out:
            out.write(content)
    return tmp_path / "data"
