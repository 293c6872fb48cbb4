import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';

export const OVERRIDE_OVER = 'forecast.overrideOver';
/** SKUs that a message names. */
const NAMED = 20;

interface Over {
  who: string | null;
  skus: string[];
}

/** Tells those who changed forecasts of an account that the days of their changes are over: once for each change. */
export async function tellOver(ctx: Ctx, accountId: string): Promise<void> {
  const { rows } = await sql<Over>`
    WITH over AS (
      UPDATE forecast.override AS o SET told_at = kit.now()
        FROM forecast.item AS i
       WHERE o.company_id = ${ctx.companyId} AND o.account_id = ${accountId} AND o.cleared_at IS NULL AND o.told_at IS NULL
         AND i.company_id = o.company_id AND i.account_id = o.account_id AND i.pool = o.pool AND i.seller_sku = o.seller_sku
         AND o.to_day <= i.cutoff
      RETURNING o.created_by AS who, o.seller_sku)
    SELECT who, array_agg(DISTINCT seller_sku) AS skus FROM over GROUP BY who`.execute(ctx.db);
  for (const { who, skus } of rows) {
    if (who === null) continue;
    const more = skus.length > NAMED ? ` 等 ${skus.length} 个商品` : '';
    await remind(ctx, {
      to: [who],
      title: `预测干预到期：${skus.length} 个商品`,
      content: `${skus.slice(0, NAMED).join('、')}${more} 的人工干预已过结束日期，之后按模型预测。`,
      event: OVERRIDE_OVER,
      documentType: 'forecast.item',
      documentId: accountId,
    });
  }
}
