import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Processor time of one process, ms; 0 for one that is gone. */
async function ofProcess(pid: string, parent: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in brackets may hold blanks; what follows it does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[1] !== parent) return 0;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * Processor time so far of this process and of the database server in `dataDir`, ms. Unlike the clock it does not count
 * the time in which others had the processors. NaN where there is no /proc.
 */
export async function cpuMs(dataDir: string): Promise<number> {
  const own = process.cpuUsage();
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = text.split('\n')[0] ?? '';
  const pids = await readdir('/proc').catch(() => []);
  if (pids.length === 0) return Number.NaN;
  const server = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map((pid) => ofProcess(pid, postmaster)));
  return (own.user + own.system) / 1000 + server.reduce((sum, ms) => sum + ms, 0);
}
