import type { Ctx } from '#kit/server/context.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { ReceiptRow } from '../contract/receipts.ts';

/** The receipts of one parcel and SKU by its key, the newest first; of somebody else's none. */
export async function receiptRows(ctx: Ctx, id: string): Promise<ReceiptRow[]> {
  const [kind = '', account = '', day = '', row = ''] = id.split('.');
  const rows = await ctx.db
    .selectFrom('returns.receipt')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account)
    .where('kind', '=', kind)
    .where('day', '=', day)
    .where('row_id', '=', row)
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
  const names = await warehouses(ctx);
  return rows.map((one) => ({
    id: one.id,
    number: one.number,
    good: one.good,
    repair: one.repair,
    scrap: one.scrap,
    warehouse: [one.warehouse_id, one.repair_warehouse_id]
      .flatMap((each) => names.get(each ?? '')?.name ?? [])
      .join('、'),
    remark: one.remark,
    createdBy: one.created_by_name,
    createdAt: one.created_at,
    cancelledBy: one.cancelled_by_name,
  }));
}
