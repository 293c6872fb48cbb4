const FORCE_AFTER_MS = 15_000;

/** Runs the closers, last one first, when the process is asked to end; a second Ctrl-C ends it at once. */
export class Shutdown {
  readonly #closers: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.#closing) process.exit(130);
        void this.run().then(() => process.exit(0));
      });
    }
  }

  /** Adds something to be closed; later additions are closed earlier. */
  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Closes everything; a closer that fails does not keep the others from running. */
  run(): Promise<void> {
    this.#closing ??= (async () => {
      setTimeout(() => process.exit(1), FORCE_AFTER_MS).unref();
      for (const close of this.#closers.reverse()) {
        await close().catch((error: unknown) => console.error('关闭时出错：', error));
      }
    })();
    return this.#closing;
  }
}
