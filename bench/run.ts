// Speed as ratios to a baseline in the same run. Asserts nothing about absolute time; prints what it measured.
import { orderImport } from './order-import.ts';
import { orderList } from './order-list.ts';
import { pageLoad } from './page.ts';
import { settlementImport } from './settlement-import.ts';
import { createBenchWorld } from './support/world.ts';

const wanted = process.argv.slice(2);
const scale = Number(process.env.BENCH_SCALE ?? 1);

const world = await createBenchWorld();
try {
  const benches: Record<string, () => Promise<void>> = {
    'order-list': () => orderList(world, Math.round(100_000 * scale), Math.round(5_000_000 * scale)),
    'order-import': () => orderImport(world, Math.round(1_000_000 * scale)),
    page: () => pageLoad(world),
    'settlement-import': () => settlementImport(world, Math.round(1_000_000 * scale)),
  };
  for (const [name, run] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await run();
  }
} finally {
  await world.close();
}
