import pino from 'pino';
import { expect, test } from 'vitest';
import { patiently } from '../patiently.ts';

/** What a logger was told, by its levels: 40 warns, 50 is an error. */
function listened() {
  const levels: number[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => levels.push((JSON.parse(line) as { level: number }).level) },
  );
  return { log, levels };
}
const quietly = { signal: new AbortController().signal, pauseMs: 0, part: 'part' };

test('what fails, or can not be made yet, is tried again until it is done', async () => {
  const { log, levels } = listened();
  const answers = [() => Promise.reject(new Error('deadlock')), async () => false, async () => undefined];
  let tries = 0;
  await patiently(() => answers[tries++]?.() ?? Promise.reject(new Error('once too often')), { log, ...quietly });
  expect(tries).toBe(3);
  expect(levels).toEqual([40]);
});

test('what fails for good is left out, and the log says so', async () => {
  const { log, levels } = listened();
  let tries = 0;
  const make = () => Promise.reject(new Error(`try ${++tries}`));
  await patiently(make, { log, ...quietly });
  expect(tries).toBe(6);
  expect(levels).toEqual([40, 40, 40, 40, 40, 40, 50]);
});

test('whoever is told to end tries no more', async () => {
  const { log, levels } = listened();
  const ended = new AbortController();
  let tries = 0;
  const make = async () => {
    tries += 1;
    ended.abort();
    return false;
  };
  await patiently(make, { log, ...quietly, signal: ended.signal });
  expect([tries, levels]).toEqual([1, []]);
});
