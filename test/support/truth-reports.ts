import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { sum } from '#kit/contract/decimal.ts';
import type { SimAccount } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { feedbackIn } from '#sandbox/wire/report-feedback.ts';
import type { Person, World } from './world.ts';

const DAY = 86_400_000;
/** Days that the first synchronisation asks for, all of them over, and how long after its end a day is counted. */
const TRAFFIC_DAYS = 14;
const COUNTED_AFTER = DAY;

/** Waits until every report of the first synchronisation under some plans has ended. */
export async function untilReportsEnded(world: World, person: Person, plans: string, ms = 120_000): Promise<void> {
  const deadline = Date.now() + ms;
  for (;;) {
    const { rows } = await world.as(person, (ctx) =>
      sql<{ plan: string; status: string; error: string | null }>`
        SELECT plan, status, error FROM marketplace.report_request
         WHERE company_id = ${ctx.companyId} AND plan LIKE ${plans}`.execute(ctx.db),
    );
    const open = rows.filter(({ status }) => !['loaded', 'empty', 'failed'].includes(status));
    if (rows.length > 0 && open.length === 0) return;
    if (Date.now() > deadline) throw new Error(`reports missing: ${JSON.stringify(open)}`);
    await sleep(200);
  }
}

/** What is compared, by name, so that a difference reads as a sentence. Keys begin with the marketplace. */
export interface ReportFigures {
  /** "marketplace day sku" to "units sales"; the marketplace as a whole is the sku "*". Days without a sale left out. */
  sold: Record<string, string>;
  /** "marketplace order" to stars. */
  feedback: Record<string, number>;
  /** "marketplace sku" to "available = sum of its ages". */
  ages: Record<string, string>;
}

/** The product's books, straight from its tables. */
export async function productReports(world: World, person: Person, accountId: string): Promise<ReportFigures> {
  return world.as(person, async (ctx) => {
    const mine = sql`company_id = ${ctx.companyId} AND account_id = ${accountId}`;
    const read = async (query: ReturnType<typeof sql>) => {
      const { rows } = await query.execute(ctx.db);
      return Object.fromEntries((rows as { key: string; value: never }[]).map(({ key, value }) => [key, value]));
    };
    return {
      sold: await read(sql`
        SELECT marketplace_id || ' ' || day || ' ' || CASE level WHEN 'site' THEN '*' ELSE seller_sku END AS key,
               units || ' ' || sales::numeric(18, 2) AS value
          FROM report.traffic WHERE ${mine} AND level IN ('site', 'sku') AND units > 0`),
      feedback: await read(
        sql`SELECT marketplace_id || ' ' || order_id AS key, rating AS value FROM report.feedback WHERE ${mine}`,
      ),
      ages: await read(sql`
        SELECT marketplace_id || ' ' || seller_sku AS key,
               available || ' = ' || age_0 + age_91 + age_181 + age_271 + age_366 + age_456 AS value
          FROM inventory.planning_day WHERE ${mine}`),
    };
  });
}

interface Tally {
  units: number;
  sales: string[];
}

/** Sales by day and SKU, counted from the orders themselves. */
function soldOf(sandbox: Sandbox, account: SimAccount, id: string): Record<string, string> {
  const now = sandbox.clock.now();
  const { timeZone } = sandbox.world.marketplace(id);
  const dayOf = (at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
  const [first, last] = [dayOf(now - TRAFFIC_DAYS * DAY), dayOf(now - COUNTED_AFTER - DAY)];
  const tallies = new Map<string, Tally>();
  const query = { marketplaceIds: [id], by: 'created' as const, from: now - (TRAFFIC_DAYS + 1) * DAY, to: now };
  for (const order of sandbox.business.orders(account, query, now)) {
    const day = dayOf(order.purchasedAt);
    if (order.status === 'CANCELLED' || order.isReplacement || day < first || day > last) continue;
    for (const item of order.items) {
      for (const name of ['*', item.sku]) {
        const tally = tallies.get(`${id} ${day} ${name}`) ?? { units: 0, sales: [] };
        tally.units += item.quantityOrdered;
        tally.sales.push(item.itemPrice || '0');
        tallies.set(`${id} ${day} ${name}`, tally);
      }
    }
  }
  return Object.fromEntries(
    [...tallies].map(([key, { units, sales }]) => [key, `${units} ${Number(sum(sales)).toFixed(2)}`]),
  );
}

/** The marketplace's own books. */
export function truthReports(sandbox: Sandbox, sellingPartnerId: string): ReportFigures {
  const account = sandbox.business.accounts.find((one) => one.sellingPartnerId === sellingPartnerId);
  if (!account) throw new Error(`no account ${sellingPartnerId}`);
  const now = sandbox.clock.now();
  const figures: ReportFigures = { sold: {}, feedback: {}, ages: {} };
  for (const id of account.marketplaceIds) {
    Object.assign(figures.sold, soldOf(sandbox, account, id));
    const scope = { marketplaceIds: [id], from: now - 88 * DAY, to: now, asOf: now };
    for (const { order, rating } of feedbackIn(sandbox.world, account, scope)) {
      figures.feedback[`${id} ${order.orderId}`] = rating;
    }
    for (const { product, fulfillable } of sandbox.business.stock(account, id, now)) {
      figures.ages[`${id} ${product.sku}`] = `${fulfillable} = ${fulfillable}`;
    }
  }
  return figures;
}
