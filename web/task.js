// Splits work into pieces, each in its own task, so that the browser takes input and draws between them. Messages start the tasks:
// they arrive at once, while a timer would wait, and they also work in sandboxed frames and Safari.

export class Task {
  #is_wanted = false;
  #channel = new MessageChannel();

  /** @param {() => void} work does one piece, and calls want() if there is more to do */
  constructor(work) {
    this.#channel.port1.onmessage = () => {
      this.#is_wanted = false;
      work();
    };
  }

  /** Runs `work` soon, once, however often this is called until then. */
  want() {
    if (!this.#is_wanted) this.#channel.port2.postMessage(null);
    this.#is_wanted = true;
  }

  /** Stops for good. */
  stop() {
    this.#channel.port1.close();
  }
}

/**
 * Calls `step` again and again, each time in its own task, until it returns something other than null. Resolves to that.
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
