// Work in pieces: each in a task of its own, so that the browser takes input and draws between them. A message comes back at
// once, where a timer would wait, and in sandboxed frames and Safari, too.

export class Task {
  #is_wanted = false;
  #channel = new MessageChannel();

  /** @param {() => void} work one piece; wants the next by itself */
  constructor(work) {
    this.#channel.port1.onmessage = () => {
      this.#is_wanted = false;
      work();
    };
  }

  /** Works soon, once, however often it is wanted until then. */
  want() {
    if (!this.#is_wanted) this.#channel.port2.postMessage(null);
    this.#is_wanted = true;
  }

  /** Nothing happens any more. */
  stop() {
    this.#channel.port1.close();
  }
}

/**
 * What `step` gives once that is not null: called again and again, each time in a task of its own.
 * @template Value
 * @param {() => Value | null} step
 * @returns {Promise<Value>}
 */
export function in_pieces(step) {
  return new Promise((resolve, reject) => {
    const task = new Task(() => {
      try {
        const value = step();
        if (value === null) return task.want();
        resolve(value);
      } catch (error) {
        reject(error);
      }
      task.stop();
    });
    task.want();
  });
}
