import pytest

from synparse.corpora.contractions import contractions_of


@pytest.mark.parametrize(
    ("code", "token", "words"),
    [
        ("de", "zum", "zu dem"),
        ("de", "Im", "In dem"),
        ("de", "AM", "AN DEM"),
        ("de", "unterm", "unter dem"),
        ("fr", "Du", "De le"),
        ("fr", "aux", "à les"),
        ("fr", "desquelles", "de lesquelles"),
        ("es", "del", "de el"),
        ("pt", "À", "A a"),
        ("pt", "nas", "em as"),
        ("pt", "pelos", "por os"),
        ("pt", "daquilo", "de aquilo"),
        ("pt", "àquela", "a aquela"),
        ("pt", "noutros", "em outros"),
        ("pt", "Trata-se", "Trata se"),
        ("it", "dell'", "di l'"),
        ("it", "dell’", "di l'"),
        ("it", "negli", "in gli"),
        ("it", "Sulla", "Su la"),
        ("fi", "ettei", "että ei"),
        ("ca", "pels", "per els"),
        ("cs", "Kdybychom", "Když bychom"),
        ("cs", "aby", "aby by"),
        ("cs", "zač", "za co"),
        ("el", "Στους", "Σ τους"),
        ("pl", "żebyśmy", "żeby śmy"),
        ("pl", "mieliśmy", "mieli śmy"),
        ("pl", "byłoby", "było by"),
        ("pl", "Bylibyśmy", "Byli by śmy"),
        ("pl", "robiłbyś", "robił by ś"),
        ("pl", "robiłaś", "robiła ś"),
        ("la", "nec", "ne c"),
        ("la", "Mecum", "Me cum"),
        ("la", "virumque", "virum que"),
        ("la", "Neque", "Ne que"),
        ("en", "don't", "do n't"),
        ("en", "Cannot", "Can not"),
        ("en", "John’s", "John ’s"),
    ],
)
def test_contractions_are_several_words(code, token, words):
    assert contractions_of(code)(token) == tuple(words.split())


@pytest.mark.parametrize(
    ("code", "token"),
    [
        ("fr", "des"),
        ("es", "quedarse"),
        ("it", "collo"),
        ("fi", "Ellen"),
        ("pl", "słaby"),
        ("pl", "żałoby"),
        *(
            ("la", word)
            for word in (
                "Atque",
                "itaque",
                "quisque",
                "utrumque",
                "plerisque",
                "quaecumque",
                "undique",
                "que",
                "unusquisque",
                "quousque",
                "relinque",
            )
        ),
        ("en", "'s"),
        ("pt", "guarda-chuva"),
    ],
)
def test_other_words_stay_whole(code, token):
    assert contractions_of(code)(token) == (token,)


def test_a_language_without_a_table_splits_nothing():
    assert contractions_of("ru")("zum") == ("zum",)
    assert contractions_of("")("del") == ("del",)
