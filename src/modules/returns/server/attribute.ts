import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { returnRowsSelect } from '#modules/inventory/server/index.ts';
import type { attribute } from '../contract/returns.ts';

/** The parts of a ReturnKey. */
function partsOf(id: string) {
  const [channel = '', account = '', day = '', row = ''] = id.split('.');
  return { channel, account, day, row };
}

/**
 * Writes whose fault returns were, all or none; what was said of them before is overwritten, a note that is left out stays.
 * @throws notFound where one is not there, or not the caller's
 */
export async function attributeReturns(
  ctx: Ctx,
  { ids, party, note }: z.output<typeof attribute.body>,
): Promise<{ changed: number }> {
  const wanted = [...new Set(ids)].map(partsOf);
  const { rows } = await sql<{ order_id: string }>`
    WITH wanted AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w(channel text, account uuid, day date, "row" uuid)),
    known AS (
      SELECT f.channel, f.account_id, f.day, f.row_id, f.order_id FROM (${returnRowsSelect()}) AS f
        JOIN wanted AS w ON w.channel = f.channel AND w.account = f.account_id AND w.day = f.day AND w."row" = f.row_id
       WHERE f.company_id = ${ctx.companyId}),
    written AS (
      INSERT INTO returns.attribution AS a (company_id, account_id, channel, day, row_id, party, note, updated_by_name)
      SELECT ${ctx.companyId}, account_id, channel, day, row_id, ${party}, ${note ?? ''}, ${ctx.userName} FROM known
       ORDER BY account_id, channel, day, row_id
      ON CONFLICT (company_id, account_id, channel, day, row_id) DO UPDATE
         SET party = excluded.party, note = CASE WHEN ${note !== undefined}::boolean THEN excluded.note ELSE a.note END,
             updated_by_name = excluded.updated_by_name, updated_at = kit.now())
    SELECT order_id FROM known ORDER BY order_id`.execute(ctx.db);
  if (rows.length !== wanted.length) throw notFound('退货记录不存在，请刷新后重试');
  await audit(ctx, {
    action: '退货归因',
    resource: 'returns.order',
    resourceId: ids.length === 1 ? (ids[0] ?? null) : null,
    after: { orderId: [...new Set(rows.map((row) => row.order_id))], party, note, count: rows.length },
  });
  return { changed: rows.length };
}
