# SPDX-License-Identifier: GPL-2.0-only
"""Has Chromium open pages from disk, for the tests; by Selenium."""

import contextlib
import json
import shutil
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

MISSING = ", ".join(
    name
    for name, found in (("Selenium", webdriver), ("Chromium", CHROMIUM), ("chromedriver", DRIVER))
    if not found
)
"""What of it is missing; empty if all is there."""

PATIENCE = 120
"""Seconds until a page must be as it is expected, on a busy machine."""


class Browser:
    """A browser without a window."""

    def __init__(self, driver):
        self._driver = driver

    def open(self, path, width=1200, height=900, is_dark=False):
        """Opens a report, until its script has ended."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self._driver.get_log("browser")
        self._driver.get_log("performance")
        self._driver.get(f"file://{path}")
        self.wait("document.documentElement.dataset.ready === 'true'")

    def run(self, script, *arguments):
        """Runs a script, and returns what it returns."""
        return self._driver.execute_script(script, *arguments)

    def value(self, expression, *arguments):
        """The value of an expression."""
        return self.run(f"return {expression}", *arguments)

    def wait(self, condition):
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.value(f"Boolean({condition})"):
            if time.monotonic() > end:
                raise AssertionError(f"{condition} does not become true; {self.messages()}")
            time.sleep(0.02)

    def messages(self):
        """What the page has written to the console since it was opened."""
        return [entry["message"] for entry in self._driver.get_log("browser")]

    def requests(self):
        """The addresses that were asked for since it was opened."""
        entries = (json.loads(entry["message"])["message"]
                   for entry in self._driver.get_log("performance"))
        return [entry["params"]["request"]["url"] for entry in entries
                if entry["method"] == "Network.requestWillBeSent"]


@contextlib.contextmanager
def opened():
    """A browser, until the end of the block."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
