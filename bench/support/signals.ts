/** Ends the process in order when it is interrupted: `close` runs once, whatever the bench was doing. */
export function closeOnSignal(close: () => Promise<void>): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      close().finally(() => process.exit(code));
    });
  }
}
