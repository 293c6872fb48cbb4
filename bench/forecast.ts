import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  comparable,
  type Errors,
  evaluate,
  noErrors,
  RIVALS,
  type Rival,
} from '../src/modules/forecast/server/engine/evaluate.ts';
import { forecastParts, PART } from '../src/modules/forecast/server/engine/parallel.ts';
import { seriesFiles } from '../src/modules/forecast/test/series-files.ts';
import { simulatedShop } from '../src/modules/forecast/test/shop.ts';
import { CORPUS } from '../test/support/corpus.ts';
import { progress } from './support/measure.ts';

/** Days ahead that errors are measured for. */
const HORIZONS = [14, 28];
/** Origins, a week apart, that each file is forecast from; fewer where less than two horizons would be left to learn from. */
const ORIGINS = 6;
/** 100,000 items in ten minutes on two cores. */
const GOAL_MS = 12;

/** One line for each method: what it is wrong by; with a star: bulk orders capped, as models learn demand. */
function print(name: string, horizon: number, errors: Record<Rival, Errors>): void {
  console.log(`${name}, ${horizon} days ahead`);
  console.log(
    `  ${'method'.padEnd(15)} ${['WAPE', 'bias', 'MASE', 'RMSSE', 'pinball', 'WAPE*', 'bias*'].map((title) => title.padStart(8)).join(' ')}   sums at or below p50, p80, p90, p95`,
  );
  for (const rival of comparable(errors)) {
    const { wape, bias, mase, rmsse, pinball, ordinaryWape, ordinaryBias, coverage } = errors[rival].measures;
    const figures = [wape, bias, mase, rmsse, pinball, ordinaryWape, ordinaryBias]
      .map((value) => value.toFixed(4).padStart(8))
      .join(' ');
    console.log(
      `  ${rival.padEnd(15)} ${figures}   ${coverage.map((share) => `${(100 * share).toFixed(1)} %`).join('  ')}`,
    );
  }
}

/** Rolling-origin errors on every CSV of a directory, each file and all together, beside the baselines of the same run. */
export function forecastErrors(directory: string): void {
  if (!existsSync(directory)) {
    progress(`no series: ${directory} is not there (give a directory, or set CORPUS_DIR)`);
    return;
  }
  for (const horizon of HORIZONS) {
    const total = noErrors();
    for (const { name, items } of seriesFiles(directory)) {
      const days = items[0]?.units.length ?? 0;
      const origins = Math.min(ORIGINS, Math.floor((days - 3 * horizon) / 7) + 1);
      if (origins < 1) {
        progress(`${name}: ${days} days are too few for ${horizon} ahead`);
        continue;
      }
      const errors = evaluate(items, horizon, origins, 7);
      print(name, horizon, errors);
      for (const rival of RIVALS) total[rival].merge(errors[rival]);
    }
    print('all files', horizon, total);
  }
}

/** Processor time per item: 730 days of history, 180 ahead, with back-test, on worker threads. */
export async function forecastSpeed(count: number): Promise<void> {
  function* parts() {
    for (let left = count; left > 0; left -= PART) yield simulatedShop(left, Math.min(PART, left), 730, false).items;
  }
  // The shops are made up in the same process, so that their time must be taken off.
  const before = process.cpuUsage();
  for (const _ of parts());
  const made = process.cpuUsage(before);
  const begin = performance.now();
  const start = process.cpuUsage();
  const threads = Math.min(2, availableParallelism());
  await forecastParts(parts(), { horizon: 180, lead: 28 }, threads, () => undefined);
  const used = process.cpuUsage(start);
  const cpu = (used.user + used.system - made.user - made.system) / 1000 / count;
  const wall = (performance.now() - begin) / 1000;
  console.log(
    `forecast: ${count} items of 730 days, ${threads} threads: ${cpu.toFixed(2)} ms of one core each (goal ${GOAL_MS}), ${wall.toFixed(1)} s by the clock; 100,000 items on two cores: ${((cpu * 100) / 2 / 60).toFixed(1)} min`,
  );
}

/** Both: errors on the public series (or on `directory`), then speed. */
export async function forecast(count: number, directory = join(CORPUS, 'forecast')): Promise<void> {
  forecastErrors(directory);
  await forecastSpeed(count);
}

// Needs no database, so it also runs by itself: node bench/forecast.ts [directory]
if (import.meta.main) await forecast(Number(process.env.BENCH_ITEMS ?? 4_000), process.argv[2]);
