import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** What /proc says of a process behind its name, which may hold blanks; nothing for one that is gone. */
async function fieldsOf(pid: string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Processor time of one process, ms; 0 for one that is gone. The server's own counts its ended children with it. */
async function ofProcess(pid: string, postmaster: string): Promise<number> {
  const fields = await fieldsOf(pid);
  const times = pid === postmaster ? fields.slice(11, 15) : fields[1] === postmaster ? fields.slice(11, 13) : [];
  return times.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

/** What reading the processor times has cost so far, ms: of a load that takes a few ms it would be the greater part. */
let spentReading = 0;

const ownMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Processor time so far of this process and of the database server in `dataDir`, ms. Unlike the clock it does not count
 * the time in which others had the processors, nor what it takes to read it. NaN where there is no /proc.
 */
export async function cpuMs(dataDir: string): Promise<number> {
  const own = ownMs() - spentReading;
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = text.split('\n')[0] ?? '';
  const pids = await readdir('/proc').catch(() => []);
  if (pids.length === 0) return Number.NaN;
  const server = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map((pid) => ofProcess(pid, postmaster)));
  spentReading = ownMs() - own;
  return own + server.reduce((sum, ms) => sum + ms, 0);
}
