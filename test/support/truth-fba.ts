import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Region } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { untilSynced } from './marketplace.ts';
import type { Person, World } from './world.ts';

/** The engine asks for nothing younger than this. */
export const LAG_MS = 5 * 60_000;
/** Months of storage that the first synchronisation asks for: those of its last sixty days that are over. */
const STORAGE_MONTHS = 2;

/** Waits until every warehouse report of the first synchronisation has arrived; nobody else waits for them. */
export async function untilWarehouseSynced(
  world: World,
  person: Person,
  accountId: string,
  timeoutMs = 120_000,
): Promise<void> {
  await untilSynced(person, accountId, timeoutMs);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { rows } = await world.as(person, (ctx) =>
      sql<{ status: string; n: number }>`
        SELECT status, count(*) AS n FROM marketplace.report_request
         WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND plan LIKE 'fba.%'
         GROUP BY 1`.execute(ctx.db),
    );
    if (rows.length > 0 && rows.every(({ status }) => ['loaded', 'empty', 'failed'].includes(status))) return;
    if (Date.now() > deadline) throw new Error(`warehouse reports missing: ${JSON.stringify(rows)}`);
    await sleep(200);
  }
}

/** What is compared, by name, so that a difference reads as a sentence. Keys begin with the marketplace. */
export interface WarehouseFigures {
  /** "marketplace sku" to "sellable/in transit/unsellable", zeros left out. */
  stock: Record<string, string>;
  /** "marketplace sku" to pieces. */
  returns: Record<string, number>;
  /** Marketplace to "count units amount". */
  reimbursements: Record<string, string>;
  /** Marketplace to "requested disposed shipped". */
  removals: Record<string, string>;
  /** "marketplace month" to "rows fee". */
  storage: Record<string, string>;
  /** "marketplace sku" to the fees of one piece. */
  previews: Record<string, string>;
}

/** The product's books, straight from its tables. */
export async function productWarehouse(world: World, person: Person, accountId: string): Promise<WarehouseFigures> {
  return world.as(person, async (ctx) => {
    const mine = sql`company_id = ${ctx.companyId} AND account_id = ${accountId}`;
    const read = async (query: ReturnType<typeof sql>) => {
      const { rows } = await query.execute(ctx.db);
      return Object.fromEntries((rows as { key: string; value: never }[]).map(({ key, value }) => [key, value]));
    };
    const total = (name: string) => sql.raw(`coalesce(sum(${name}), 0)`);
    return {
      stock: await read(sql`
        SELECT marketplace_id || ' ' || seller_sku AS key,
               sum(CASE WHEN disposition = 'SELLABLE' THEN ending ELSE 0 END) || '/' || sum(in_transit) || '/'
               || sum(CASE WHEN disposition = 'SELLABLE' THEN 0 ELSE ending END) AS value
          FROM inventory.ledger_day AS d
         WHERE ${mine} AND day = (SELECT max(day) FROM inventory.ledger_day AS l
                                   WHERE l.company_id = d.company_id AND l.account_id = d.account_id
                                     AND l.stock = d.stock)
         GROUP BY 1 HAVING sum(abs(ending)) + sum(in_transit) > 0`),
      returns: await read(sql`
        SELECT marketplace_id || ' ' || seller_sku AS key, sum(quantity) AS value
          FROM inventory.customer_return WHERE ${mine} GROUP BY 1`),
      reimbursements: await read(sql`
        SELECT marketplace_id AS key, count(*) || ' ' || sum(quantity) || ' ' || sum(amount)::numeric(18, 2) AS value
          FROM inventory.reimbursement WHERE ${mine} GROUP BY 1`),
      removals: await read(sql`
        SELECT marketplace_id AS key, ${total('requested')} || ' ' || ${total('disposed')} || ' ' || ${total('shipped')}
               AS value
          FROM inventory.removal_line WHERE ${mine} GROUP BY 1`),
      storage: await read(sql`
        SELECT marketplace_id || ' ' || to_char(day, 'YYYY-MM') AS key,
               count(*) || ' ' || sum(fee)::numeric(18, 4) AS value
          FROM inventory.storage_fee WHERE ${mine} GROUP BY 1`),
      previews: await read(sql`
        SELECT marketplace_id || ' ' || seller_sku AS key, total::numeric(18, 2)::text AS value
          FROM inventory.fee_preview WHERE ${mine}`),
    };
  });
}

/** The marketplace's own books as of what it could be asked for, over its control surface. */
export async function truthWarehouse(
  sandbox: Sandbox,
  sellingPartnerId: string,
  region: Region,
): Promise<WarehouseFigures> {
  const account = sandbox.business.accounts.find((a) => a.sellingPartnerId === sellingPartnerId && a.region === region);
  if (!account) throw new Error(`no account ${sellingPartnerId} in ${region}`);
  const figures: WarehouseFigures = {
    stock: {},
    returns: {},
    reimbursements: {},
    removals: {},
    storage: {},
    previews: {},
  };
  const now = sandbox.clock.now() - LAG_MS - 1;
  for (const id of account.marketplaceIds) {
    const { warehouse } = sandbox.business.truth(account, id, { from: 0, to: now }, now);
    for (const { sku, sellable, inTransit, unsellable } of warehouse.stock) {
      if (sellable + inTransit + unsellable > 0)
        figures.stock[`${id} ${sku}`] = `${sellable}/${inTransit}/${unsellable}`;
    }
    for (const { sku, units } of warehouse.returns) figures.returns[`${id} ${sku}`] = units;
    const { count, units, amount } = warehouse.reimbursements;
    if (count > 0) figures.reimbursements[id] = `${count} ${units} ${new Decimal(amount).toFixed(2)}`;
    const { requested, disposed, shipped } = warehouse.removals;
    if (requested > 0) figures.removals[id] = `${requested} ${disposed} ${shipped}`;
    const { storage, previews } = sandbox.business.fbaFees(account, id, sandbox.clock.now());
    const months = Map.groupBy(storage, ({ month }) => month);
    for (const month of [...months.keys()].sort().slice(-STORAGE_MONTHS)) {
      const rows = months.get(month) ?? [];
      figures.storage[`${id} ${month}`] = `${rows.length} ${new Decimal(sum(rows.map((row) => row.fee))).toFixed(4)}`;
    }
    for (const one of previews) figures.previews[`${id} ${one.product.sku}`] = new Decimal(one.total).toFixed(2);
  }
  return figures;
}
