import pytest

from tests.browser import running_browser

NARROW = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}


@pytest.fixture(scope="module")
def browser():
    with running_browser() as browser:
        yield browser


@pytest.fixture
def narrow(browser):
    browser.ask("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": NARROW})
    yield browser
    browser.ask("/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
