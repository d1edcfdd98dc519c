// Opens pages in a headless browser over its debugging pipe, checks what only a browser can tell, and keeps
// screenshots. Nothing but node and the browser is needed.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [browserPath, program, directory] = process.argv.slice(2);
const out = resolve(directory);
mkdirSync(out, { recursive: true });
const traces = ["plain", "burst-700", "victims-ranks", "webhook-strips", "quiet-window", "random-05", "quota"];
const logged = new Set(["quota"]);
const looks = [
  { name: "light", width: 1400, scheme: "light" },
  { name: "dark", width: 1400, scheme: "dark" },
  { name: "narrow", width: 390, scheme: "light" },
];

class Browser {
  #next = 0;
  #waiting = new Map();
  #rest = "";
  events = [];

  constructor(path, profile) {
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"];
    this.process = spawn(path, [...flags, "--remote-debugging-pipe", `--user-data-dir=${profile}`], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => this.#take(text));
  }

  #take(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map((one) => JSON.parse(one))) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (!waiting) this.events.push(message);
      else if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#next;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }
}

let failed = 0;
let passed = 0;
function check(page, holds, words) {
  if (holds) { passed += 1; return; }
  failed += 1;
  console.log(`FAILED ${page}: ${words}`);
}

/** The pages: real runs, and one whose messages attack whoever shows them. */
function pages() {
  const timeline = (args) => execFileSync(program, ["timeline", "-o", "html", ...args], { maxBuffer: 1 << 28 });
  const folder = (trace) => join("tests/data/traces", trace);
  const made = traces.map((trace) => {
    const log = logged.has(trace) ? ["--controller-log", join(folder(trace), "kcm.log.gz")] : [];
    return [trace, timeline(["-f", join(folder(trace), "recording.jsonl.gz"), ...log])];
  });
  const recording = gunzipSync(readFileSync(join(folder("quota"), "recording.jsonl.gz"))).toString();
  const attack = JSON.stringify("</title></script><script>alert(1)</script><img src=x onerror=alert(1)>").slice(1, -1);
  const hostile = join(out, "hostile.jsonl");
  writeFileSync(hostile, recording.replaceAll("exceeded quota", attack));
  made.push(["hostile", timeline(["--full", "-f", hostile])]);
  return made;
}

const profile = mkdtempSync(join(tmpdir(), "rsexp-browser-"));
const browser = new Browser(browserPath, profile);
try {
  for (const [name, html] of pages()) {
    const file = join(out, `${name}.html`);
    writeFileSync(file, html);
    await look(name, pathToFileURL(file).href);
  }
} finally {
  await browser.send("Browser.close").catch(() => {});
  await new Promise((done) => browser.process.once("exit", done));
  rmSync(profile, { recursive: true, force: true });
}
console.log(`screenshots are in ${out}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

async function look(name, url) {
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const send = (method, params) => browser.send(method, params, sessionId);
  const value = async (expression) => {
    const answer = await send("Runtime.evaluate", { expression, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
    return answer.result.value;
  };
  for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) await send(`${domain}.enable`);
  for (const { name: look, width, scheme } of looks) {
    const page = `${name}, ${look}`;
    browser.events.length = 0;
    await send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await send("Page.navigate", { url });
    while (!(await value(`location.href == ${JSON.stringify(url)} && document.readyState == "complete"`)));
    const heights = await value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]");
    check(page, heights[0] <= width, `the page is ${heights[0]} px wide and scrolls sideways`);
    const dark = await value("getComputedStyle(document.body).backgroundColor") !== "rgb(255, 255, 255)";
    check(page, dark === (scheme === "dark"), "the paper has the wrong colour");
    const clip = { x: 0, y: 0, width, height: Math.min(heights[1], 4000), scale: 1 };
    await keep(`${name}-${look}.png`, send("Page.captureScreenshot", { clip, captureBeyondViewport: true }));
    await focus(page, send, value, look === "dark" ? `${name}-focus.png` : null);
    silent(page, url);
  }
  const { nodes } = await send("Accessibility.getFullAXTree");
  const focusable = nodes.filter((node) => node.properties?.some((p) => p.name === "focusable" && p.value.value));
  const nameless = focusable.filter((node) => !node.name?.value && node.role?.value !== "RootWebArea");
  const marks = await value(`document.querySelectorAll("svg [tabindex]").length`);
  check(name, focusable.length >= marks && marks > 4, `${marks} marks, ${focusable.length} with focus`);
  check(name, nameless.length === 0, `${nameless.length} of what has focus have no name`);
  check(name, (await value("document.scripts.length")) === 1, "there is another script");
  check(name, (await value(`document.querySelectorAll("img, iframe, object, embed, link, [onerror]").length`)) === 0,
    "there is an element that fetches");
  await send("Emulation.setEmulatedMedia", { media: "print" });
  const paper = await value(`getComputedStyle(document.body).backgroundColor`);
  check(name, paper === "rgb(255, 255, 255)", `it is printed on ${paper}`);
  await keep(`${name}.pdf`, send("Page.printToPDF", { preferCSSPageSize: true, printBackground: false }));
  await browser.send("Target.closeTarget", { targetId });
}

/** Goes to the first marks by Tab: what each is stands below the picture, and its rows are marked. */
async function focus(page, send, value, picture) {
  const press = async () => {
    const key = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
    await send("Input.dispatchKeyEvent", { type: "keyDown", ...key });
    await send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  };
  const inside = `document.activeElement.matches("svg .mark")`;
  for (let presses = 0; presses < 80 && !(await value(inside)); presses++) await press();
  check(page, await value(inside), "Tab does not lead to a mark");
  for (let mark = 0; mark < 3; mark++) {
    const [said, shown, rows, marked] = await value(`(() => {
      const mark = document.activeElement, section = mark.closest("section");
      return [mark.getAttribute("aria-label").replaceAll(" | ", "\\n"), section.querySelector(".told").textContent,
        (mark.dataset.rows ?? "").split(" ").filter(Boolean).length, section.querySelectorAll("tr.on").length];
    })()`);
    check(page, said === shown, `the mark is "${said}", below the picture stands "${shown}"`);
    check(page, rows === marked && rows > 0, `${rows} rows belong to the mark, ${marked} are marked`);
    if (mark === 1 && picture) await keep(picture, send("Page.captureScreenshot", {}));
    await press();
  }
}

/** Nothing was fetched, and nothing was complained of. */
function silent(page, url) {
  for (const { method, params } of browser.events) {
    const complaint = method === "Runtime.exceptionThrown" || method === "Log.entryAdded"
      || method === "Runtime.consoleAPICalled" || method === "Page.javascriptDialogOpening";
    check(page, !complaint, JSON.stringify(params));
    if (method === "Network.requestWillBeSent") {
      check(page, params.request.url.split("#")[0] === url, `it asks for ${params.request.url}`);
    }
  }
}

async function keep(name, answer) {
  writeFileSync(join(out, name), Buffer.from((await answer).data, "base64"));
}
