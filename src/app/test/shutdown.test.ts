import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

/** A process whose ordered end takes `closingMs` and is told on its output. */
async function running(closingMs: number): Promise<{ child: ChildProcess; told: () => string }> {
  const program = `
    import { Shutdown } from './src/app/shutdown.ts';
    const shutdown = new Shutdown();
    setInterval(() => {}, 1000);
    shutdown.add(async () => process.stdout.write('first in, last out'));
    shutdown.add(async () => {
      await new Promise((resolve) => setTimeout(resolve, ${closingMs}));
      process.stdout.write('closed, ');
    });
    process.stdout.write('up ');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  await once(child.stdout, 'data');
  return { child, told: () => out };
}

test('one Ctrl-C that arrives three times is one request: everything is closed in order', async () => {
  const { child, told } = await running(600);
  const ended = once(child, 'exit');
  for (let sent = 0; sent < 3; sent += 1) {
    child.kill('SIGINT');
    await sleep(100);
  }
  expect(await ended).toEqual([0, null]);
  expect(told()).toBe('up closed, first in, last out');
});

test('whoever asks again a second later does not wait for what hangs', async () => {
  const { child, told } = await running(60_000);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await sleep(1_200);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(told()).toBe('up ');
});
