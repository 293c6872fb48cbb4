import { setInterval, setTimeout } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Between two looks at the memory in use. */
const PAUSE_MS = 400;

export interface Timed<T> {
  ms: number;
  /** Processor time of the product and its database, ms. */
  cpuMs: number;
  result: T;
}

/** Runs once and measures wall time and processor time. */
export async function timed<T>(world: { cpu(): Promise<number> }, work: () => Promise<T>): Promise<Timed<T>> {
  const cpu = await world.cpu();
  const begin = performance.now();
  const result = await work();
  const ms = performance.now() - begin;
  return { ms, cpuMs: (await world.cpu()) - cpu, result };
}

/**
 * Most memory in MB that was really in use while `work` ran, above what was in use before: garbage is collected before
 * each look, since how much of it lies about is the engine's choice and not the work's.
 */
export async function liveMemory(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUse = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  let peak = before;
  let sampler: NodeJS.Timeout | undefined;
  const look = (afterMs: number) => {
    sampler = setTimeout(() => {
      const begin = performance.now();
      peak = Math.max(peak, inUse());
      // On a busy machine a collection takes longer than the pause: the work must get most of the time.
      look(Math.max(PAUSE_MS, (performance.now() - begin) * 5));
    }, afterMs);
  };
  look(PAUSE_MS);
  try {
    await work();
  } finally {
    clearTimeout(sampler);
  }
  return Math.round((peak - before) / 1e6);
}

/**
 * Peak resident memory of the whole process while `work` runs, MB above its size before, garbage and all: what an
 * operator sees. The product's server code, its worker and the reading of the file are in this process; the database is
 * not.
 */
export async function withPeak<T>(work: () => Promise<T>): Promise<{ result: T; peak: string }> {
  const before = process.memoryUsage.rss();
  let highest = before;
  const sampler = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 50);
  try {
    const result = await work();
    highest = Math.max(highest, process.memoryUsage.rss());
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    return { result, peak: `peak RSS +${mb(highest - before)} MB over ${mb(before)} MB` };
  } finally {
    clearInterval(sampler);
  }
}

/** The middle one of several measurements, each kind by itself. */
export function middle(times: readonly Pick<Timed<unknown>, 'ms' | 'cpuMs'>[]): { ms: number; cpuMs: number } {
  return { ms: median(times.map((one) => one.ms)), cpuMs: median(times.map((one) => one.cpuMs)) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** One line of the report. `goal` is the issue's promise as text. */
export function report(name: string, ours: number, baseline: number, unit: string, goal: string, note = ''): void {
  const ratio = (ours / baseline).toFixed(2);
  console.log(
    `${name.padEnd(52)} ${ours.toFixed(1).padStart(10)} ${unit}   baseline ${baseline.toFixed(1).padStart(10)} ${unit}   ratio ${ratio.padStart(6)}   goal ${goal}${note ? `   ${note}` : ''}`,
  );
}

const ROUNDS = 7;
/** A page that takes long is asked less often. */
const LEAST_ROUNDS = 3;
const ENOUGH_MS = 20_000;

/** Works in turn, so that what else the machine does hits all alike: middle times and processor times. */
export async function inTurn(world: { cpu(): Promise<number> }, works: readonly (() => Promise<unknown>)[]) {
  const found = works.map((): { ms: number; cpuMs: number }[] => []);
  const begin = performance.now();
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round > LEAST_ROUNDS && performance.now() - begin > ENOUGH_MS) break;
    for (const [index, work] of works.entries()) {
      const one = await timed(world, work);
      if (round > 0) found[index]?.push(one);
    }
  }
  return found.map(middle);
}

/** A line whose note also says the ratio of processor times, which other work on the machine leaves alone. */
export function reportTimes(
  name: string,
  ours: Pick<Timed<unknown>, 'ms' | 'cpuMs'>,
  baseline: Pick<Timed<unknown>, 'ms' | 'cpuMs'>,
  goal: string,
  note = '',
): void {
  const cpu = `processor time ${(ours.cpuMs / baseline.cpuMs).toFixed(2)}`;
  report(name, ours.ms, baseline.ms, 'ms', goal, note ? `${cpu}; ${note}` : cpu);
}

/** What the bench is at, on the error stream: the report itself stays a table. */
export function progress(text: string): void {
  process.stderr.write(`  … ${text}\n`);
}

/** Runs `work` with its name and time on the error stream. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  progress(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}
