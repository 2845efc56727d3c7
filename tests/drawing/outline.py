"""What is in a page of HTML."""

from html.parser import HTMLParser

VOID = {"meta", "input", "br"}
"""Elements that are never closed."""


class Outline(HTMLParser):
    """The elements of a page with their attributes, and its texts, each with the element around it. Fails where
    elements are not closed in the order in which they were opened."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def inside(self, tag):
        return [text for where, text in self.texts if where == tag]
