"""Drives headless Chromium over a report page: report_browser.py PAGE.html [OPTION...] prints what it found as JSON.

    --eval JS        evaluates JS in the page (after it has drawn) and prints the value under "eval"; may be repeated
    --screenshot F   PNG of the page; --width W, --height H of the window; --full the whole page; --dark
    --timeout S      for the page to be drawn

Only the standard library: the browser speaks the DevTools protocol over two pipes (--remote-debugging-pipe).
"""
import argparse
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--remote-debugging-pipe"]


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page of a browser of its own; events are collected while replies are waited for."""

    def __init__(self, profile):
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def pipes():  # the protocol's file numbers are 3 and 4
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self._process = subprocess.Popen([find_browser(), *FLAGS, f"--user-data-dir={profile}", "about:blank"], close_fds=False,
                                         preexec_fn=pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._id, self._session, self.events = b"", 0, None, []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]

    def _message(self, until):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            part = os.read(self._read, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._buffer += part
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, timeout=60, **params):
        self._id += 1
        request = {"id": self._id, "method": method, "params": params}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._write, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + timeout
        while (message := self._message(until)) is not None:
            if message.get("id") == self._id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)
        raise TimeoutError(f"{method}: no answer in {timeout} s")

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def close(self):
        try:
            self._session = None
            self.call("Browser.close", timeout=10)
            self._process.wait(10)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()


def performance(text):
    """What a software renderer says when a picture is taken of the page."""
    return "GL Driver Message" in text and "Performance" in text


def requests_and_errors(events, page_url):
    requests, errors = [], []
    for event in events:
        method, params = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if url != page_url and not url.startswith(("data:", "blob:")):
                requests.append(url)
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert", "warning"):
            errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning") and not performance(params["entry"]["text"]):
            errors.append(params["entry"]["text"])
    return requests, errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--eval", action="append", default=[])
    parser.add_argument("--screenshot")
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    if find_browser() is None:
        sys.exit("report_browser.py: no chromium")
    url = pathlib.Path(options.page).resolve().as_uri()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            print(json.dumps(look(browser, url, options)))
        finally:
            browser.close()


def look(browser, url, options):
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.call(domain + ".enable")
    browser.call("Emulation.setDeviceMetricsOverride", width=options.width, height=options.height, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if options.dark else "light"}])
    begin = time.monotonic()
    browser.call("Page.navigate", url=url)
    drawn = None
    while drawn is None and time.monotonic() - begin < options.timeout:
        time.sleep(0.1)
        drawn = browser.evaluate("document.documentElement?.dataset.drawn ?? null")
    out = {"drawn": None if drawn is None else int(drawn), "seconds": round(time.monotonic() - begin, 2), "eval": []}
    for script in options.eval:
        out["eval"].append(browser.evaluate(script))
    if options.screenshot:
        extra = {}
        if options.full:
            size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
            extra = {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        picture = browser.call("Page.captureScreenshot", format="png", **extra)
        pathlib.Path(options.screenshot).write_bytes(base64.b64decode(picture["data"]))
    browser.evaluate("0")  # what has been said until now has arrived
    out["requests"], out["errors"] = requests_and_errors(browser.events, url)
    out["scroll_width"] = browser.evaluate("document.documentElement.scrollWidth")
    return out


if __name__ == "__main__":
    main()
