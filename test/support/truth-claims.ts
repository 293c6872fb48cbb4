import { sql } from 'kysely';
import { localDate } from '#sandbox/business/marketplaces.ts';
import type { Region } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { LAG_MS } from './truth-fba.ts';
import type { Person, World } from './world.ts';

const DAY_MS = 86_400_000;
const SITE_ZONE = 'America/Los_Angeles';
const COMPANY_ZONE = 'Asia/Shanghai';

/** Pieces that are owed, by "marketplace sku" for the warehouses and "order sku" for refunds; zeros left out. */
export interface OwedFigures {
  warehouse: Record<string, number>;
  refunds: Record<string, number>;
}

function add(figures: Record<string, number>, key: string, pieces: number): void {
  figures[key] = (figures[key] ?? 0) + pieces;
}
const positive = (figures: Record<string, number>) =>
  Object.fromEntries(Object.entries(figures).filter(([, pieces]) => pieces > 0));

/** What the product claims, whatever became of the claims. */
export async function claimedPieces(world: World, person: Person, accountId: string): Promise<OwedFigures> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ type: string; site: string; sku: string; reference: string; qty: number }>`
      SELECT type, marketplace_id AS site, seller_sku AS sku, reference, qty FROM inventory.claim
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}`.execute(ctx.db);
    const figures: OwedFigures = { warehouse: {}, refunds: {} };
    for (const { type, site, sku, reference, qty } of rows) {
      if (type === 'FC_LOST' || type === 'FC_DAMAGED') add(figures.warehouse, `${site} ${sku}`, qty);
      if (type === 'CUSTOMER_REFUND_NO_RETURN') add(figures.refunds, `${reference} ${sku}`, qty);
    }
    return { warehouse: positive(figures.warehouse), refunds: positive(figures.refunds) };
  });
}

/**
 * What the marketplace owes by its own books: lost and broken in its warehouses less found and paid for, and pieces that were
 * refunded and that their buyers kept, as the product should claim them at its own `now`. Nobody can tell of refunds before the first return that the reports know.
 */
export function owedPieces(sandbox: Sandbox, sellingPartnerId: string, region: Region, now: number): OwedFigures {
  const { business } = sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === sellingPartnerId && one.region === region);
  if (!account) throw new Error(`no account ${sellingPartnerId} in ${region}`);
  const until = sandbox.clock.now() - LAG_MS - 1;
  const figures: OwedFigures = { warehouse: {}, refunds: {} };
  const back = new Map<string, number>();
  const refunded: { key: string; at: number; pieces: number }[] = [];
  let known = Number.POSITIVE_INFINITY;
  for (const site of account.marketplaceIds) {
    const books = business.fba(account, site, until);
    for (const move of books.movements) {
      const isLoss = move.reason === 'M' || (move.reason === 'E' && move.disposition === 'SELLABLE');
      if (isLoss || move.reason === 'F') add(figures.warehouse, `${site} ${move.product.sku}`, -move.quantity);
    }
    for (const paid of books.reimbursements) {
      if (paid.reason === 'Lost_Warehouse') add(figures.warehouse, `${site} ${paid.product.sku}`, -paid.quantity);
    }
    for (const { at, orderId, product } of books.returns) {
      known = Math.min(known, at);
      const key = `${orderId} ${product.sku}`;
      back.set(key, (back.get(key) ?? 0) + 1);
    }
    const byAmazon = new Set(
      business
        .orders(account, { marketplaceIds: [site], by: 'created', from: 0, to: until }, until)
        .filter(({ fulfilment }) => fulfilment === 'AFN')
        .map(({ orderId }) => orderId),
    );
    for (const { refundId, orderId = '', postedAt, items } of business.transactions(
      account,
      { from: 0, to: until, marketplaceId: site },
      until,
    )) {
      if (!refundId || !byAmazon.has(orderId)) continue;
      for (const { sku = '', quantity = 1 } of items)
        refunded.push({ key: `${orderId} ${sku}`, at: postedAt, pieces: quantity });
    }
  }
  // Written down fifteen days before they can be claimed, which is sixty after the refund: days of the site and of the company.
  const today = Date.parse(localDate(COMPANY_ZONE, now));
  const isSoon = (at: number) => today - Date.parse(localDate(SITE_ZONE, at)) >= 45 * DAY_MS;
  for (const { key, at, pieces } of refunded) {
    if (at >= known && isSoon(at)) add(figures.refunds, key, pieces - (back.get(key) ?? 0));
  }
  return { warehouse: positive(figures.warehouse), refunds: positive(figures.refunds) };
}
