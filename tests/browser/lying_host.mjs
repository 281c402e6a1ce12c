// A host of models for the tests: honest about each file unless a test lets it lie about some. It has no name but its port, so two of
// them are two hosts. It notes what it was asked.
import { createServer } from "node:http";

export class LyingHost {
  /** What it was asked, in order: { method, path, headers }. */
  asked = [];
  /** Bytes of bodies that it sent. */
  sent = 0;
  /** Paths whose answer is a lie: { path: (request, response, bytes) => void }. */
  lies = {};
  #files;
  #server;

  /** @param files { path: bytes } */
  constructor(files) {
    this.#files = files;
  }

  async start() {
    this.#server = createServer((request, response) => this.#answer(request, response));
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.host = `127.0.0.1:${this.#server.address().port}`;
    this.url = `http://${this.host}/`;
    return this;
  }

  close() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    return closed;
  }

  forget() {
    this.asked = [];
    this.sent = 0;
    this.lies = {};
  }

  #answer(request, response) {
    const { method, url: path, headers } = request;
    this.asked.push({ method, path, headers });
    const bytes = this.#files[path];
    const lie = this.lies[path] ?? this.lies["*"];
    if (lie) return lie(request, response, bytes);
    this.honest(request, response, bytes);
  }

  /**
   * What an honest host does: ranges, HEAD, and a tag of the content.
   * @param options exposes: other sites may read more than the usual headers; tag, says: what is said instead of the truth
   */
  honest(request, response, bytes, { exposes = true, tag = `"${bytes?.length}"`, says = bytes?.length } = {}) {
    if (bytes === undefined) return response.writeHead(404, kOpen).end("There is nothing.");
    const range = request.headers.range?.match(/^bytes=(\d+)-(\d*)$/);
    const begin = range ? Number(range[1]) : 0;
    const end = range?.[2] ? Math.min(Number(range[2]) + 1, says) : says;
    const part = bytes.subarray(begin, end);
    this.sent += request.method === "HEAD" ? 0 : part.length;
    response.writeHead(range ? 206 : 200, {
      ...kOpen,
      ...(exposes && { "Access-Control-Expose-Headers": "ETag, Content-Range" }),
      "Content-Length": end - begin,
      ETag: tag,
      ...(range && { "Content-Range": `bytes ${begin}-${end - 1}/${says}` }),
    });
    response.end(request.method === "HEAD" ? undefined : part);
  }
}

/** The header of a host that lets every site read its files. */
export const kOpen = { "Access-Control-Allow-Origin": "*" };
