from synparse.training.reading import MOST_NAMES, names_of_files


def test_a_corpus_of_many_files_is_named_in_part():
    paths = [f"/folder/{number}.txt" for number in range(MOST_NAMES + 5)]
    names = [f"{number}.txt" for number in range(MOST_NAMES)]
    assert names_of_files(paths[:MOST_NAMES]) == names
    assert names_of_files(paths) == [*names, "and 5 more"]
