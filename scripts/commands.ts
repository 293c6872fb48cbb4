import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Step {
  title: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Runs a program of node_modules/.bin (or node itself) with inherited output; resolves with its exit code. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return spawned(command, args, env, 'inherit').then(({ code }) => code);
}

interface Ended {
  code: number;
  output: string;
}

function spawned(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'pipe',
): Promise<Ended> {
  const program = command === 'node' ? process.execPath : command;
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['inherit', output, output],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  const said: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const text = () => Buffer.concat(said).toString('utf8');
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: `${text()}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: text() }));
  });
}

function tell(title: string, code: number, begin: number): void {
  console.log(`${code === 0 ? '✓' : '✗'} ${title} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
}

/** Runs steps one after the other, names each, and stops at the first that fails; resolves with its exit code, or 0. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  for (const step of steps) {
    const begin = Date.now();
    console.log(`\n▶ ${step.title}`);
    const code = await run(step.command, step.args, step.env);
    tell(step.title, code, begin);
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * Runs lanes of steps side by side, in each one step after the other; what a step says is shown once it has ended, and
 * only of one that failed. Resolves with the first exit code that is not 0, once all lanes have ended.
 */
export async function runLanes(lanes: readonly (readonly Step[])[]): Promise<number> {
  const codes = await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) {
        const begin = Date.now();
        const { code, output } = await spawned(step.command, step.args, step.env ?? {}, 'pipe');
        if (code !== 0) process.stdout.write(output);
        tell(step.title, code, begin);
        if (code !== 0) return code;
      }
      return 0;
    }),
  );
  return codes.find((code) => code !== 0) ?? 0;
}
