// Where contenders run, each in a process of its own: a node process, a page of Chromium, a native program. Every host has
//   start(shape, with_weights) -> { error, version }, batch(calls) -> ms a call, measure() -> limits, pids(), close()
import { fork, spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { serve } from "../../tools/serve.mjs";
import { error_of, kShapes, make_problem } from "./problems.mjs";

const kPatience = 120_000; // ms for one answer

/** Resolves as the promise does, or rejects when that takes too long. */
async function in_time(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${kPatience / 1000} s`)), kPatience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Milliseconds of processor time that the threads of these processes have had (Linux). What ended meanwhile counts nothing. */
export function processor_ms(pids) {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const thread of files_in(`/proc/${pid}/task`)) {
      try {
        nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
      } catch (error) {
        if (!kEnded.includes(error.code)) throw error;
      }
    }
  }
  return nanoseconds / 1e6;
}

const kEnded = ["ENOENT", "ESRCH"]; // what is read of a process that is no more

function files_in(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (kEnded.includes(error.code)) return [];
    throw error;
  }
}

/** A question-and-answer line to a process: one answer for each question, in order. */
class Line {
  #waiting = [];
  #end = null; // why no more answers come

  constructor(child, name) {
    const end = (why) => {
      this.#end = new Error(`${name} ${why}`);
      this.#waiting.splice(0).forEach(({ reject }) => reject(this.#end));
    };
    child.on("error", (error) => end(`did not start: ${error.message}`));
    child.on("exit", (code, signal) => end(`ended (${code ?? signal})`));
  }
  ask(send, what) {
    if (this.#end) return Promise.reject(this.#end);
    const answer = new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    send();
    return in_time(answer, what);
  }
  answered({ result, error }) {
    const { resolve, reject } = this.#waiting.shift();
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  }
}

/** files: where the references and problems of this run lie. */
async function open_node({ module, options, name }, { folder, files }) {
  const child = fork(join(folder, "node_worker.mjs"), { serialization: "advanced" });
  const line = new Line(child, name);
  child.on("message", (message) => line.answered(message));
  const ask = (command, details = {}) => line.ask(() => child.send({ command, ...details }), `${name}: ${command}`);
  await ask("open", { module: join(folder, module), options });
  return {
    start: (shape, with_weights) => ask("start", { shape, with_weights, reference_file: files.reference(shape) }),
    batch: (calls) => ask("batch", { calls }),
    measure: () => ask("measure"),
    pids: async () => [child.pid],
    close: async () => child.kill("SIGKILL"),
  };
}

/** The folder that is served holds the bundles, the libraries' assets and the references (see bundles.mjs). */
async function open_page({ module, options, name }, { browser, url, system }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}bench.html`);
  await page.evaluate(
    async ([bundle, options]) => {
      const [{ Runner }, { create }] = await Promise.all([import("./runner.js"), import(bundle)]);
      const asset = (file) => new URL(file, location.href).href;
      globalThis.runner = new Runner(await create({ options, asset }));
    },
    [`./${module.replace(/.*\//, "").replace(".mjs", ".js")}`, options],
  );
  return {
    start: (shape, with_weights) =>
      in_time(
        page.evaluate(
          async ([shape, with_weights]) => {
            const reference = await (await fetch(`./reference-${shape}.bin`)).arrayBuffer();
            return globalThis.runner.start(shape, with_weights, new Float64Array(reference));
          },
          [shape, with_weights],
        ),
        `${name}: start`,
      ),
    batch: (calls) =>
      in_time(
        page.evaluate((calls) => globalThis.runner.batch(calls), calls),
        `${name}: batch`,
      ),
    measure: () =>
      in_time(
        page.evaluate(() => globalThis.runner.measure()),
        `${name}: measure`,
      ),
    pids: () => renderers(system),
    close: () => context.close(),
  };
}

/** The process ids of all pages: only the one whose turn it is does anything. */
async function renderers(system) {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

/** A program of native/: a line of words in, a line of JSON out. */
async function open_program({ executable, args, name }, { programs, files }) {
  const child = spawn(join(programs, executable), args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" },
  });
  const line = new Line(child, name);
  child.stdin.on("error", () => {}); // its end is reported as such
  createInterface({ input: child.stdout }).on("line", (text) => line.answered({ result: JSON.parse(text) }));
  const ask = (...words) => line.ask(() => child.stdin.write(`${words.join(" ")}\n`), `${name}: ${words[0]}`);
  return {
    async start(shape, with_weights) {
      const { num_tokens: T, d_in, d_out, num_heads } = kShapes[shape];
      const answer_file = files.answer(name);
      const weights = with_weights ? 1 : 0;
      const { version } = await ask("start", T, d_in, d_out, num_heads, weights, files.problem(shape), answer_file);
      const bytes = readFileSync(answer_file);
      const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
      const split = T * d_out;
      const answer = { context: numbers.subarray(0, split), weights: with_weights ? numbers.subarray(split) : null };
      const reference = readFileSync(files.reference(shape));
      const wanted = new Float64Array(
        reference.buffer.slice(reference.byteOffset, reference.byteOffset + reference.byteLength),
      );
      return { version, error: error_of(make_problem(kShapes[shape]), answer, wanted) };
    },
    batch: async (calls) => (await ask("batch", calls)).ms,
    measure: () => ask("measure"),
    pids: async () => [child.pid],
    close: async () => child.kill("SIGKILL"),
  };
}

const kArguments = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync"],
];

/** An environment: open(contender) -> host, version, close(). `places`: folder, programs, site, files. */
export async function open_environment(name, places) {
  if (name === "node")
    return { version: process.version, open: (one) => open_node(one, places), close: async () => {} };
  if (name === "native")
    return { version: "programs", open: (one) => open_program(one, places), close: async () => {} };
  const server = await serve(places.site);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: kArguments });
  const system = await browser.newBrowserCDPSession();
  return {
    version: browser.version(),
    open: (one) => open_page(one, { browser, url: server.url, system }),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
