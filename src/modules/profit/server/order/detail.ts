import type { Ctx } from '#kit/server/context.ts';
import { findOrder } from '#modules/order/server/index.ts';
import { LINE_COLUMNS, lineRow } from '#modules/settlement/server/index.ts';
import type { OrderMoneyLine, OrderProfitRow } from '../../contract/order.ts';
import { orderRowId, rowsOfOrder } from './list.ts';

const MOST_LINES = 1_000;

/** The money of one order and the lines that it is made of, oldest first; nothing while none has been posted. */
export async function orderProfitOf(
  ctx: Ctx,
  id: string,
): Promise<{ rows: OrderProfitRow[]; lines: OrderMoneyLine[] }> {
  const { selling_partner_id, amazon_order_id } = await findOrder(ctx, id);
  const rows = await rowsOfOrder(ctx, amazon_order_id, selling_partner_id);
  const lines = await ctx.db
    .selectFrom('settlement.money_line as l')
    .innerJoin('settlement.source_doc as d', (join) =>
      join
        .onRef('d.company_id', '=', 'l.company_id')
        .onRef('d.id', '=', 'l.source_doc_id')
        .on('d.state', '=', 'ACTIVE'),
    )
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'l.company_id').onRef('a.id', '=', 'l.account_id'),
    )
    .select([...LINE_COLUMNS, 'l.stage', 'l.account_id'])
    .where('l.company_id', '=', ctx.companyId)
    .where('l.order_id', '=', amazon_order_id)
    .where('l.pl_section', '<>', 'BALANCE')
    .where('a.selling_partner_id', '=', selling_partner_id)
    .orderBy('l.posted_at')
    .orderBy('l.source_doc_id')
    .orderBy('l.line_no')
    .orderBy('l.part')
    .limit(MOST_LINES)
    .execute();
  return {
    rows,
    lines: lines.map((line) => ({
      ...lineRow(line),
      row: orderRowId({ ...line, order_id: amazon_order_id }),
      stage: line.stage as OrderMoneyLine['stage'],
    })),
  };
}
