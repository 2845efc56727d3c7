import pytest

from tests.browser import running_browser


@pytest.fixture(scope="module")
def browser():
    with running_browser() as browser:
        yield browser
