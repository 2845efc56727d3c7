from synparse.drawing.markup import escaped


def test_what_xml_cannot_hold_is_replaced():
    assert escaped("a\x00\x1f\ud800\uffff\t\u2028😀'") == "a\ufffd\ufffd\ufffd\ufffd\t\u2028😀&#x27;"
