// Speed as ratios to a baseline in the same run. Asserts nothing about absolute time; prints what it measured.
// Names of benches as arguments run only those; BENCH_SCALE=0.1 makes all of them a tenth of their size.
import { adsList } from './ads-list.ts';
import { bigReport } from './big-report.ts';
import { books } from './books.ts';
import { captchas } from './captcha.ts';
import { cash } from './cash.ts';
import { erpSales } from './erp-sales.ts';
import { forecast } from './forecast.ts';
import { forecastNightly } from './forecast-nightly.ts';
import { gridScroll } from './grid.ts';
import { home } from './home.ts';
import { ledgerImport } from './ledger-import.ts';
import { limits } from './limits.ts';
import { listingLists } from './listing-lists.ts';
import { listingWall } from './listing-wall.ts';
import { logins } from './login.ts';
import { mcf } from './mcf.ts';
import { orderApi } from './order-api.ts';
import { orderImport } from './order-import.ts';
import { orderList } from './order-list.ts';
import { orderProfit } from './order-profit.ts';
import { pageLoad } from './page.ts';
import { productImport } from './product-import.ts';
import { profit, profitLines, profitYear } from './profit.ts';
import { purchase } from './purchase.ts';
import { quote } from './quote.ts';
import { rankList } from './rank-list.ts';
import { reportLists } from './report-lists.ts';
import { returnLists } from './returns.ts';
import { salesFold } from './sales-fold.ts';
import { salesPivot } from './sales-pivot.ts';
import { search } from './search.ts';
import { settled } from './settled.ts';
import { settlementImport } from './settlement-import.ts';
import { shipLists } from './ship-lists.ts';
import { shipOrder } from './ship-order.ts';
import { stockOnHand } from './stock-on-hand.ts';
import { stockPosting } from './stock-posting.ts';
import { progress, step } from './support/measure.ts';
import { type BenchWorld, createBenchWorld } from './support/world.ts';
import { vouchers } from './vouchers.ts';

const wanted = process.argv.slice(2);
const scale = Number(process.env.BENCH_SCALE ?? 1);
const times = (count: number) => Math.max(1, Math.round(count * scale));

const benches: Record<string, (world: BenchWorld) => Promise<void>> = {
  'order-list': (world) => orderList(world, times(100_000), times(5_000_000)),
  'order-api': (world) => orderApi(world, Math.min(110, times(100))),
  'order-import': (world) => orderImport(world, times(1_000_000)),
  'sales-fold': (world) => salesFold(world, times(10_000)),
  'sales-pivot': (world) => salesPivot(world, times(10_000)),
  'ads-list': (world) => adsList(world, times(1_000_000)),
  'big-report': (world) => bigReport(world, times(2_000_000_000)),
  books: (world) => books(world, times(200_000)),
  captcha: (world) => captchas(world, times(200)),
  cash: (world) => cash(world, times(20_000)),
  'erp-sales': (world) => erpSales(world, times(5_000)),
  forecast: () => forecast(times(10_000)),
  'forecast-nightly': (world) => forecastNightly(world, times(100_000)),
  grid: (world) => gridScroll(world, times(10_000)),
  home: (world) => home(world, times(1_000)),
  'ledger-import': (world) => ledgerImport(world, times(1_000_000)),
  limits: (world) => limits(world, times(1_000)),
  'listing-lists': (world) => listingLists(world, times(100_000)),
  'listing-wall': (world) => listingWall(world, times(100_000)),
  login: (world) => logins(world, Math.min(200, times(200)), times(1_000)),
  'order-profit': (world) => orderProfit(world, times(10_000)),
  mcf: (world) => mcf(world, times(100_000)),
  page: (world) => pageLoad(world),
  'product-import': (world) => productImport(world, times(100_000)),
  profit: (world) => profit(world, [times(2_000), times(100_000)]),
  'profit-lines': (world) => profitLines(world, times(100_000)),
  'profit-year': (world) => profitYear(world, times(20_000)),
  purchase: (world) => purchase(world, times(10_000), times(1_000_000), 8000),
  quote: (world) => quote(world, times(200), 5, 10),
  'rank-list': (world) => rankList(world, times(100_000)),
  'report-lists': (world) => reportLists(world, times(100_000)),
  returns: (world) => returnLists(world, times(1_000_000)),
  search: (world) => search(world, times(1_000_000)),
  'settlement-import': (world) => settlementImport(world, times(1_000_000)),
  settled: (world) => settled(world, times(10_000)),
  'ship-lists': (world) => shipLists(world, times(50_000), times(1_000_000)),
  'ship-order': (world) => shipOrder(world, times(2_000), times(500)),
  'stock-on-hand': (world) => stockOnHand(world, times(100_000), times(10_000_000)),
  'stock-posting': (world) => stockPosting(world, times(10_000), 4000),
  vouchers: (world) => vouchers(world, times(1_000_000)),
};

const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0 || !(scale > 0)) {
  progress(
    `unknown: ${unknown.join(', ') || `BENCH_SCALE=${process.env.BENCH_SCALE}`}; there are ${Object.keys(benches).join(', ')}`,
  );
  process.exit(2);
}
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // A database of its own for each: what one leaves behind must not slow down the next.
  const world = await createBenchWorld();
  try {
    await step(name, () => run(world));
  } catch (error) {
    progress(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  } finally {
    await world.close();
  }
}
