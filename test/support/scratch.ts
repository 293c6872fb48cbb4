import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isAlive, wasStartedWith } from '../../src/kit/server/processes.ts';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 1024 ** 3;
const NAME = /^erp-tests-(\d+)$/;

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/**
 * Where tests keep what nobody needs afterwards: in memory where the machine has room for it, else where the system keeps
 * such files. A database is made for every test file, and on a disk its 1,600 files take as long as many a test.
 */
function scratchRoot(): string {
  return hasRoomInMemory() ? MEMORY : tmpdir();
}

/** Ends what a killed run left at work on its data: products first, then database servers, which are known by theirs. */
function endLeftovers(directory: string): void {
  const pids = (name: string) =>
    globSync(`**/${name}`, { cwd: directory }).map((file) => {
      const text = readFileSync(join(directory, file), 'utf8');
      return { pid: Number(text.split('\n')[0]), at: dirname(join(directory, file)) };
    });
  for (const { pid } of pids('app.pid')) {
    const isProduct = () => ['src/main.ts', 'support/product.ts'].some((name) => wasStartedWith(pid, name));
    if (pid > 1 && isAlive(pid) && isProduct()) process.kill(pid, 'SIGKILL');
  }
  for (const { pid, at } of pids('postmaster.pid')) {
    if (pid > 1 && isAlive(pid) && wasStartedWith(pid, at)) process.kill(pid, 'SIGQUIT');
  }
}

/** Makes this run's own directory, which a server of another user may walk, and takes away those of runs that were killed. */
export function openScratch(): string {
  const root = scratchRoot();
  for (const name of readdirSync(root)) {
    const pid = NAME.exec(name)?.[1];
    if (!pid || isAlive(Number(pid))) continue;
    endLeftovers(join(root, name));
    rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const own = join(root, `erp-tests-${process.pid}`);
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o755);
  return own;
}
