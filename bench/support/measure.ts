import { setInterval } from 'node:timers';

export interface Timed<T> {
  ms: number;
  /** Growth of the process's memory while it ran, MB. */
  peakMb: number;
  result: T;
}

/** Runs once and measures wall time and how far the resident memory rose. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const begin = performance.now();
  try {
    const result = await work();
    return { ms: performance.now() - begin, peakMb: Math.round((peak - before) / 1e6), result };
  } finally {
    clearInterval(sampler);
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Runs two things in turn, so that a machine whose speed drifts treats both alike; returns the medians in ms. */
export async function paired(
  rounds: number,
  ours: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
): Promise<{ ours: number; baseline: number }> {
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    b.push((await timed(baseline)).ms);
    a.push((await timed(ours)).ms);
  }
  return { ours: median(a), baseline: median(b) };
}

/** One line of the report. `goal` is the issue's promise as text. */
export function report(name: string, ours: number, baseline: number, unit: string, goal: string, note = ''): void {
  const ratio = (ours / baseline).toFixed(2);
  console.log(
    `${name.padEnd(52)} ${ours.toFixed(1).padStart(10)} ${unit}   baseline ${baseline.toFixed(1).padStart(10)} ${unit}   ratio ${ratio.padStart(6)}   goal ${goal}${note ? `   ${note}` : ''}`,
  );
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
