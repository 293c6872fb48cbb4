import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const main = join(import.meta.dirname, '..', 'main.ts');

/** Start the command as its own process and wait for its one line. */
async function launch(...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [main, '--port', '0', '--scenario', 'tiny', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [chunk] = await once(child.stdout ?? process.stdin, 'data');
  return { child, line: String(chunk) };
}

it('says where it listens and ends when the process that started it lets go', async () => {
  const { child, line } = await launch();
  const url = /^sandbox marketplace listening at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1] ?? '';
  expect((await fetch(`${url}/control/clock`)).status).toBe(200);
  child.stdin?.end();
  expect((await once(child, 'exit'))[0]).toBe(0);
});

it('begins as many days ago as it is told', async () => {
  const { child, line } = await launch('--days', '45');
  const state = (await (await fetch(`${/http:\S+/.exec(line)?.[0]}/control/state`)).json()) as {
    startAt: number;
    clock: { now: number };
  };
  const days = (state.clock.now - state.startAt) / 86_400_000;
  expect([Math.floor(days), state.startAt % 86_400_000]).toEqual([45, 0]);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

it('ends on SIGTERM', async () => {
  const { child } = await launch();
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

it('refuses nonsense in one line and with an exit code', async () => {
  const child = spawn(process.execPath, [main, '--scenario', 'moon'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [message] = await once(child.stderr, 'data');
  expect(String(message)).toContain('--scenario: moon');
  expect((await once(child, 'exit'))[0]).toBe(1);
});
