const FORCE_AFTER_MS = 15_000;
/** One Ctrl-C arrives several times where the terminal, npm and a watcher all pass it on. */
const SAME_REQUEST_MS = 1_000;

/**
 * Runs the closers, last one first, when the process is asked to end; asked again a second or more later it ends at
 * once, with code 130.
 */
export class Shutdown {
  readonly #closers: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | undefined;
  #askedAt: number | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => this.#asked());
    }
  }

  #asked(): void {
    const now = performance.now();
    if (this.#askedAt === undefined) {
      this.#askedAt = now;
      void this.run().then(() => process.exit(0));
    } else if (now - this.#askedAt >= SAME_REQUEST_MS) process.exit(130);
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
