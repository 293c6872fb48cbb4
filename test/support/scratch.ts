import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Makes this run's own directory, which a server of another user may walk, and takes away those of runs that were killed. */
export function openScratch(): string {
  const root = scratchRoot();
  for (const name of readdirSync(root)) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
  const own = join(root, `erp-tests-${process.pid}`);
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o755);
  return own;
}
