"""Headless Chromium by its debugging pipe: pages, their console, keys, and screenshots as grids of mean colours."""
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--no-first-run", "--hide-scrollbars", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND",
         "--remote-debugging-pipe"]
KEYS = {"ArrowLeft": 37, "Tab": 9, "0": 48}

# Of columns x rows cells of a PNG, row by row: the mean colour, and the standard deviation of the brightness in the cell.
GRID = """async (png, columns, rows) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height), at = canvas.getContext("2d", { willReadFrequently: true }), cells = [];
    at.drawImage(image, 0, 0);
    const edge = (k, count, size) => Math.floor(k * size / count);
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
        const x = edge(c, columns, image.width), y = edge(r, rows, image.height), sum = [0, 0, 0, 0];
        const pixels = at.getImageData(x, y, edge(c + 1, columns, image.width) - x, edge(r + 1, rows, image.height) - y).data;
        for (let p = 0; p < pixels.length; p += 4) {
            for (let k = 0; k < 3; k++) sum[k] += pixels[p + k];
            sum[3] += ((pixels[p] + pixels[p + 1] + pixels[p + 2]) / 3) ** 2;
        }
        const mean = sum.map((s) => 4 * s / pixels.length), light = (mean[0] + mean[1] + mean[2]) / 3;
        cells.push([...mean.slice(0, 3), Math.sqrt(Math.max(0, mean[3] - light * light))]);
    }
    return cells;
}"""


class Browser:
    """One process with one page. What the console says is kept in `said`."""

    def __init__(self, program):
        self.home = tempfile.mkdtemp()
        down, self.out = os.pipe()
        self.back, up = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (down, up)]
        self.process = subprocess.Popen(
            [program, *FLAGS, "--user-data-dir=" + self.home], env={**os.environ, "HOME": self.home}, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: [os.dup2(end, number) for number, end in enumerate(ends, 3)])  # where it reads and writes
        for end in (down, up, *ends):
            os.close(end)
        self.last, self.buffer, self.said, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.out)
        os.close(self.back)
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._listen(answer)

    def _read(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _listen(self, event):
        given = event.get("params", {})
        if event.get("method") == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in given["args"]))
        elif event.get("method") == "Runtime.exceptionThrown":
            self.said.append(given["exceptionDetails"].get("exception", {}).get("description", given["exceptionDetails"]["text"]))
        elif event.get("method") == "Log.entryAdded" and "GPU stall due to ReadPixels" not in given["entry"]["text"]:
            self.said.append(given["entry"]["text"])

    def run(self, script):
        """The value of a JavaScript expression, of a promise when it is kept."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError("not within %d s: %s" % (seconds, script))
            time.sleep(0.05)

    def open(self, path, width, height, dark):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="about:blank")  # from the same address it would stay where it is
        self.call("Page.navigate", url=f"file://{path}#probe")
        self.wait("location.href.startsWith('file:') && document.readyState === 'complete' && "
                  "(!document.body.dataset.viewer || document.body.dataset.viewer !== 'loading')")

    def press(self, key, count=1):
        for _ in range(count):
            for kind in ("rawKeyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key])

    def screenshot(self, box=None):
        """A PNG in base64, of a box [x, y, width, height] of the page, which is scrolled into the window, or of all that it shows."""
        if box:
            self.run(f"scrollTo(0, {box[1]} - 100)")
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        clip = {"clip": dict(zip(("x", "y", "width", "height"), box), scale=1)} if box else {}
        return self.call("Page.captureScreenshot", format="png", **clip)["data"]

    def measure(self, png, columns, rows):
        """The mean colours [red, green, blue] of the cells, and their contrasts."""
        cells = self.run(f"({GRID})({json.dumps(png)}, {columns}, {rows})")
        return [cell[:3] for cell in cells], [cell[3] for cell in cells]

    def grid(self, png, columns, rows):
        return self.measure(png, columns, rows)[0]
