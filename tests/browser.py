"""A real browser, headless: Debian's chromium, driven over HTTP by its chromedriver (`make browser`)."""

import contextlib
import json
import shutil
import subprocess
import urllib.request

import pytest

from tests.processes import HANG

OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the WebDriver standard gives an element's id
LOADED = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))"
# What WebDriver calls keys.
RETURN, BACKSPACE, ESCAPE, RIGHT = "\ue007", "\ue003", "\ue00c", "\ue014"
SHIFT, CONTROL, RELEASED = "\ue008", "\ue009", "\ue000"


class Browser:
    """A session of WebDriver, https://www.w3.org/TR/webdriver2/."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/session"
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": OPTIONS, "binary": shutil.which("chromium")},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        self.url += "/" + self.ask("", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def ask(self, path, body=None, method="POST"):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with self.opener.open(request, timeout=HANG) as response:
            return json.load(response)["value"]

    def open(self, path):
        self.ask("/url", {"url": path.as_uri()})
        self.run(LOADED)

    def run(self, script):
        return self.ask("/execute/sync", {"script": f"return {script}", "args": []})

    def console(self):
        return self.ask("/se/log", {"type": "browser"})

    def find(self, selector):
        return self.ask("/element", {"using": "css selector", "value": selector})

    def type(self, selector, text):
        self.ask(f"/element/{self.find(selector)[ELEMENT]}/value", {"text": text})

    def press(self, keys):
        """Type where the focus is. `SHIFT` and `CONTROL` are held until `RELEASED`."""
        focused = self.ask("/element/active", method="GET")[ELEMENT]
        self.ask(f"/element/{focused}/value", {"text": keys})

    def drag(self, selector, to=None):
        """Press the mouse on an element and release it on another one; without the other, click."""
        moves = [
            {"type": "pointerMove", "origin": self.find(place), "x": 0, "y": 0} for place in (selector, to or selector)
        ]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, moves[1], {"type": "pointerUp", "button": 0}]
        self.ask("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})


@contextlib.contextmanager
def running_browser():
    """A browser, for as long as the context; the test is skipped where there is none."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("no chromium and chromedriver here (make browser installs them)")
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
    try:
        started = next((line for line in driver.stdout if "started successfully on port" in line), "")
        assert started, "chromedriver did not start"
        session = Browser(int(started.rstrip(".\n").rsplit(" ", 1)[1]))
        session.driver = driver
        yield session
        session.ask("", method="DELETE")
    finally:
        driver.terminate()
        driver.wait()
