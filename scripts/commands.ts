import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program of node_modules/.bin (or node itself) with inherited output; resolves with its exit code. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const program = command === 'node' ? process.execPath : command;
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

export interface Step {
  title: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Runs steps one after the other, names each, and stops at the first that fails. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const begin = Date.now();
    console.log(`\n▶ ${step.title}`);
    const code = await run(step.command, step.args, step.env);
    console.log(`${code === 0 ? '✓' : '✗'} ${step.title} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    if (code !== 0) process.exit(code);
  }
}
