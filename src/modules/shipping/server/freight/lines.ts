import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';

export interface Weighed {
  line: string;
  /** kg or m³; null where it cannot be told. */
  billable: string | null;
  /** CNY. */
  estimated: string | null;
}

/** Writes what the lines of an order weigh and were estimated with in place of what stood there; bills stay. */
export async function putLines(ctx: Ctx, orderId: string, lines: readonly Weighed[]): Promise<void> {
  await sql`UPDATE shipping.freight_line SET billable = NULL, estimated = NULL
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId}`.execute(ctx.db);
  const rows = lines.map((one) => ({ ...one, billable: one.billable && new Decimal(one.billable).toFixed(6) }));
  await sql`
    INSERT INTO shipping.freight_line (company_id, line_id, order_id, billable, estimated)
    SELECT ${ctx.companyId}, r.line, ${orderId}, r.billable, r.estimated
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(line uuid, billable numeric, estimated numeric)
    ON CONFLICT (company_id, line_id) DO UPDATE SET billable = excluded.billable, estimated = excluded.estimated`.execute(
    ctx.db,
  );
}

/** Counts again what is billed of the lines of an order, from the shares themselves; new weights take the place of old ones. */
export async function countBilled(
  ctx: Ctx,
  orderId: string,
  weights: readonly { line: string; weight: string }[] | undefined,
): Promise<void> {
  await sql`
    INSERT INTO shipping.freight_line (company_id, line_id, order_id, billed)
    SELECT ${ctx.companyId}, s.line_id, ${orderId}, sum(s.amount) FROM shipping.freight_share AS s
     WHERE s.company_id = ${ctx.companyId} AND s.order_id = ${orderId} GROUP BY s.line_id
    ON CONFLICT (company_id, line_id) DO UPDATE SET billed = excluded.billed`.execute(ctx.db);
  if (!weights) return;
  const rows = weights.map(({ line, weight }) => ({ line, billable: new Decimal(weight).toFixed(6) }));
  await sql`
    UPDATE shipping.freight_line AS l SET billable = r.billable
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(line uuid, billable numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.order_id = ${orderId} AND l.line_id = r.line`.execute(ctx.db);
}
