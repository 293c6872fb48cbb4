/** Ends the process in order when it is interrupted: `close` runs once, whatever the bench was doing. */
export function closeOnSignal(close: () => Promise<void>): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      // Connections to a server that is being stopped break where nobody listens; the data must still be removed.
      for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, () => {});
      close().finally(() => process.exit(code));
    });
  }
}
