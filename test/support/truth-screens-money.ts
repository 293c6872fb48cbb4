import { Decimal, sum } from '#kit/contract/decimal.ts';
import { campaigns, productAds, targets } from '#modules/advertising/contract/lists.ts';
import { placements } from '#modules/advertising/contract/more-lists.ts';
import { listProfit } from '#modules/profit/contract/report.ts';
import { cents, pages } from './pages.ts';
import type { ScreenFigures } from './truth-screens.ts';
import type { Person } from './world.ts';

/** All days of any story. */
const EVER = { from: '2025-01-01', to: '2027-12-31' };

/** Money of a SKU itself, and the store's money as the report shares it out: advertising is charged to stores only. */
export async function profitOf(person: Person, site: string, id: string): Promise<Partial<ScreenFigures>> {
  const rows = await pages(person, listProfit, {
    dimension: 'msku',
    currency: 'ORIGINAL',
    stores: [site],
    date: EVER,
  });
  if (rows.length === 0) return { earned: {}, profit: {} };
  const shared = (row: (typeof rows)[number]) =>
    sum([row.storageShare ?? 'NaN', row.otherShare ?? 'NaN', row.ads ?? 'NaN']);
  const earned: Record<string, string> = {};
  for (const row of rows) {
    if (!row.sku) continue;
    const net = new Decimal(row.platformNet ?? Number.NaN).minus(shared(row)).toFixed();
    const texts = [row.units, cents(row.sales), cents(row.refund), cents(net)];
    earned[`${id} ${row.sku}`] = texts.join(' ');
  }
  const whole = sum(rows.map((row) => row.platformNet ?? 'NaN'));
  return { earned, profit: { [id]: `${cents(sum(rows.map(shared)))} ${cents(whole)}` } };
}

const AD_LISTS = { campaign: campaigns, product: productAds, target: targets, placement: placements };

/** Sums of the lists of advertising by campaign; a campaign of which nothing was shown is left out. */
export async function adsOf(person: Person, site: string, id: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, { list }] of Object.entries(AD_LISTS)) {
    const rows = await pages(person, list as typeof placements.list, { sites: [site] });
    const keyOf = (row: (typeof rows)[number] & { name?: string }) =>
      `${name} ${id} ${row.adProduct} ${name === 'campaign' ? row.name : row.campaign}`;
    for (const [key, own] of Map.groupBy(rows, keyOf)) {
      const total = (of: (row: (typeof own)[number]) => number) => own.reduce((all, row) => all + of(row), 0);
      const money = (of: (row: (typeof own)[number]) => string | null) =>
        cents(sum(own.map((row) => of(row) ?? 'NaN')));
      if (total((row) => row.impressions) === 0) continue;
      found[key] =
        `${total((row) => row.impressions)}/${total((row) => row.clicks)}/${money((row) => row.cost)}/` +
        `${total((row) => row.adOrders)}/${money((row) => row.adSales)}`;
    }
  }
  return found;
}
