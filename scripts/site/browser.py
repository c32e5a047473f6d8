#!/usr/bin/env python3
"""Reads the site in a real browser, from disk: each page's console stays empty and asks for no address outside, search
finds words, and light and dark are what the reader's system says.

Chromium is spoken to through two pipes, in its DevTools protocol, so nothing is needed but it and Python.
usage: browser.py HTML [--screenshots FOLDER]
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BLOCKED = "MAP * ~NOTFOUND"  # an address outside is not there, so that asking for one is seen


class Browser:
    """One page of a browser. `events` are what it said since the last look."""

    def __init__(self, program="chromium"):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def pipes():  # 3 is read by the browser, 4 is written
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3), os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", f"--user-data-dir={self.folder.name}",
             f"--host-resolver-rules={BLOCKED}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser), os.close(from_browser)
        self.count, self.rest, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self.call(f"{domain}.enable")

    def message(self, deadline):
        while b"\0" not in self.rest:
            if time.monotonic() > deadline:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.read_end, 1 << 16)
            if not more:
                raise OSError("the browser has ended")
            self.rest += more
        one, _, self.rest = self.rest.partition(b"\0")
        return json.loads(one)

    def call(self, method, **parameters):
        self.count += 1
        said = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            said["sessionId"] = self.session
        os.write(self.write_end, json.dumps(said).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            got = self.message(deadline)
            if got.get("id") == self.count:
                if "error" in got:
                    raise OSError(f"{method}: {got['error']['message']}")
                return got["result"]
            self.events.append(got)

    def value(self, script):
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def wait_for(self, script, seconds=30):
        """The first value of the script that counts as true, or the last one."""
        deadline = time.monotonic() + seconds
        while not (found := self.value(script)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    def open(self, address):
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState == 'complete' && location.href != 'about:blank'")

    def complaints(self):
        """What the console says, and addresses outside, since the page was opened."""
        found = []
        for event in self.events:
            what, data = event.get("method"), event.get("params", {})
            if what == "Runtime.consoleAPICalled":
                found.append("console: " + " ".join(str(a.get("value", a.get("description"))) for a in data["args"]))
            elif what == "Runtime.exceptionThrown":
                found.append("exception: " + data["exceptionDetails"].get("exception", {}).get("description", "?").splitlines()[0])
            elif what == "Log.entryAdded":
                found.append("log: " + data["entry"]["text"])
            elif what == "Network.requestWillBeSent" and not data["request"]["url"].startswith(("file:", "data:", "blob:", "about:")):
                found.append("asks for " + data["request"]["url"])
        return found

    def screenshot(self, path, width, height=1000):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except OSError:
            pass
        self.process.wait(timeout=30)
        self.folder.cleanup()


def mistakes(html, screenshots=None):
    found = []
    browser = Browser()
    try:
        for page in sorted(html.rglob("*.html")):
            if page.name == "404.html":
                continue
            browser.open(page.as_uri())
            found += [f"{page.relative_to(html)}: {text}" for text in browser.complaints()]
        for words, page in ("embedding", "from_pyg.html"), ("learning rate warm up", "training.html"):
            browser.open((html / "index.html").as_uri() + "?q=" + words.replace(" ", "%20"))
            results = browser.wait_for("[...document.querySelectorAll('.md-search-result__link')].map(a => a.href).join(' ')")
            if page not in (results or ""):
                found.append(f"search for '{words}' does not lead to {page}")
            found += [f"search: {text}" for text in browser.complaints()]
        shades = {}
        for scheme in "light", "dark":
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.value("localStorage.clear()")  # as on a first visit: later ones show what the reader has chosen
            for name in "index", "gallery", "layers_sheet", "reference/layers":
                browser.open((html / f"{name}.html").as_uri())
                shades[scheme] = browser.value("getComputedStyle(document.body).getPropertyValue('--md-default-bg-color').trim()")
                for width in (1400, 420) if screenshots else ():
                    browser.screenshot(screenshots / f"{name.replace('/', '_')}_{scheme}_{width}.png", width)
        if shades["light"] == shades["dark"]:
            found.append(f"light and dark are both {shades['light']}")
    finally:
        browser.close()
    return found


if __name__ == "__main__":
    to = Path(sys.argv[3]) if sys.argv[2:3] == ["--screenshots"] else None
    if to:
        to.mkdir(parents=True, exist_ok=True)
    findings = mistakes(Path(sys.argv[1]).resolve(), to)
    print("\n".join(findings))
    sys.exit(bool(findings))
