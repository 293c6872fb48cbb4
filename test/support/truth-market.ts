import { expect } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Region, Truth } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import type { MarketplaceWorld } from './marketplace.ts';
import { cents, tally } from './pages.ts';
import { PATIENCE_MS } from './patience.ts';
import { LAG_MS } from './truth-fba.ts';
import { type ScreenFigures, screenFigures } from './truth-screens.ts';
import type { Person } from './world.ts';

/** Sales less discounts, as the home page says them. */
function netOf({ productSales, bySku }: Truth): string {
  return Decimal.sum(productSales, ...bySku.map((row) => new Decimal(row.discount).neg())).toFixed(2);
}

function soldOf(truth: Truth, id: string): Partial<ScreenFigures> {
  const { orders, units, productSales, bySku, stock, money } = truth;
  const pairs = <T>(rows: readonly T[], of: (row: T) => [string, string]) => Object.fromEntries(rows.map(of));
  return {
    orders: { [id]: `${orders} ${units} ${cents(productSales)}` },
    home: { [id]: `${orders} ${units} ${netOf(truth)}` },
    goods: tally(
      bySku,
      ({ sku }) => `${id} ${sku}`,
      (row) => row.units,
    ),
    stock: pairs(
      stock.filter((one) => one.fulfillable + one.reserved + one.inbound + one.unsellable > 0),
      ({ sku, fulfillable, reserved, inbound, unsellable }) => [
        `${id} ${sku}`,
        `${fulfillable}/${reserved}/${inbound}/${unsellable}`,
      ],
    ),
    earned: pairs(money.bySku, ({ sku, units: pieces, sales, refunds, net }) => [
      `${id} ${sku}`,
      `${pieces} ${cents(sales)} ${cents(refunds)} ${cents(net)}`,
    ]),
    profit: money.bySku.length > 0 ? { [id]: `${cents(money.shop)} ${cents(money.net)}` } : {},
  };
}

function adsOf({ ads }: Truth, id: string): Record<string, string> {
  const shown = ads.filter(({ impressions }) => impressions > 0);
  const entries = ['campaign', 'product', 'target', 'placement'].flatMap((list) =>
    shown
      // Of display no placements are told.
      .filter(({ adProduct }) => list !== 'placement' || adProduct !== 'SD')
      .map(({ adProduct, name, impressions, clicks, cost, purchases, sales }) => [
        `${list} ${id} ${adProduct} ${name}`,
        `${impressions}/${clicks}/${cents(cost)}/${purchases}/${cents(sales)}`,
      ]),
  );
  return Object.fromEntries(entries);
}

/** The marketplace's own books, which the product never reads, put as the product's screens put them. */
export function marketFigures(sandbox: Sandbox, sellingPartnerId: string, region: Region): ScreenFigures {
  const { business, clock } = sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === sellingPartnerId && one.region === region);
  if (!account) throw new Error(`no account ${sellingPartnerId} in ${region}`);
  const figures: ScreenFigures = {
    ...{ orders: {}, home: {}, goods: {}, stock: {}, balances: {}, movements: {}, returns: {} },
    ...{ reimbursements: {}, removals: {}, settlements: {}, earned: {}, profit: {}, ads: {} },
  };
  const add = (part: Partial<ScreenFigures>) => {
    for (const [name, values] of Object.entries(part)) Object.assign(figures[name as keyof ScreenFigures], values);
  };
  const now = clock.now();
  // Reports of warehouses are asked for up to a while ago.
  const then = now - LAG_MS - 1;
  for (const id of account.marketplaceIds) {
    const truth = business.truth(account, id, { from: 0, to: now }, now);
    add({ ...soldOf(truth, id), ads: adsOf(truth, id) });
    const { warehouse } = business.truth(account, id, { from: 0, to: then }, then);
    const books = business.fba(account, id, then);
    const kindOf = (one: { product: { sku: string }; disposition: string }) =>
      `${id} ${one.product.sku} ${one.disposition}`;
    const moved = tally(books.movements, kindOf, (move) => move.quantity);
    const onTheWay = tally(
      warehouse.stock,
      ({ sku }) => `${id} ${sku} IN_TRANSIT`,
      (row) => row.inTransit,
    );
    add({ movements: moved, balances: { ...moved, ...onTheWay }, returns: tally(books.returns, kindOf, () => 1) });
    const { count, units, amount } = warehouse.reimbursements;
    const { requested, disposed, shipped } = warehouse.removals;
    if (count > 0) add({ reimbursements: { [id]: `${count} ${units} ${cents(amount)}` } });
    if (requested > 0) add({ removals: { [id]: `${requested} ${disposed} ${shipped}` } });
  }
  for (const { settlementId, total, lines } of business.settlements(account, now)) {
    const added = Decimal.sum(0, ...lines.map(({ amount }) => amount)).toFixed(2);
    figures.settlements[settlementId] = `${cents(total)} ${added} ${lines.length}`;
  }
  return figures;
}

const DAY_MS = 86_400_000;
/** The home page takes so many days at most, more than any story has. */
const LOOK_BACK_DAYS = 300;

/**
 * Waits until everything that the screens tell is what the marketplace has, to the cent and to the piece. A worker must be
 * running: what was loaded a moment ago is still being counted.
 */
export async function expectScreens(
  world: MarketplaceWorld,
  person: Person,
  accountId: string,
  seller: string,
): Promise<ScreenFigures> {
  const truth = marketFigures(world.sandbox, seller, 'na');
  const account = world.sandbox.business.accounts.find((one) => one.sellingPartnerId === seller && one.region === 'na');
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const now = world.sandbox.clock.now();
  const days = { from: day(now - LOOK_BACK_DAYS * DAY_MS), to: day(now + DAY_MS) };
  const told = () => screenFigures(person, accountId, account?.marketplaceIds ?? [], days);
  await expect.poll(told, { timeout: PATIENCE_MS, interval: 1_000 }).toEqual(truth);
  return truth;
}
