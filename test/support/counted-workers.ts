import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('./counted-worker.ts', import.meta.url));

/** What a worker did. */
export interface Done {
  jobs: number;
  failed: number;
  cpuMs: number;
}

/** Starts a worker that counts what it does. `at`, epoch ms: it lives by its parent's clock, which stands there. */
export async function spawnCounted(env: NodeJS.ProcessEnv, at?: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WORKER], {
    env: at === undefined ? env : { ...env, TOLD_AT: String(at) },
    stdio: ['ignore', 'pipe', 'inherit', ...(at === undefined ? [] : (['ipc'] as const))],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

/** Ends it in order and returns what it did. */
export async function endCounted(child: ChildProcess): Promise<Done> {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return JSON.parse(said) as Done;
}

/** Parts of the jobs that each worker did, from 0 to 1. */
export function sharesOf(done: readonly Done[]): number[] {
  const all = done.reduce((sum, one) => sum + one.jobs, 0);
  return done.map((one) => one.jobs / Math.max(1, all));
}
