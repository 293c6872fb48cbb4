import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { raisePayable, rateOn } from '#modules/finance/server/index.ts';
import { freightBill } from '../../../contract/freight/bill.ts';
import { shareOver } from '../rules/share.ts';
import { settleAll } from '../settle.ts';
import type { FreightBill } from './load.ts';

/** Writes what the bill and its lines are worth in CNY at the rate of its day. @throws refused B0930 without a rate */
async function putWorth(ctx: Ctx, bill: FreightBill): Promise<void> {
  const rate = await rateOn(ctx, bill.currency, bill.day);
  const total = round(new Decimal(bill.amount).times(rate), 2);
  const shares = shareOver(
    total,
    bill.charges.map((one) => one.amount),
    2,
  );
  const rows = bill.charges.map(({ id }, index) => ({ id, cny: shares[index] }));
  await sql`
    UPDATE shipping.freight_charge AS c SET rate = ${rate}, rate_day = ${bill.day}, amount_cny = r.cny
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id uuid, cny numeric)
     WHERE c.company_id = ${ctx.companyId} AND c.id = r.id`.execute(ctx.db);
  await sql`UPDATE shipping.freight_bill SET rate = ${rate}, amount_cny = ${total}
     WHERE company_id = ${ctx.companyId} AND id = ${bill.id}`.execute(ctx.db);
}

/**
 * A bill is right: it is worth its amount at the rate of its day, goes into the cost of what its orders carry, and the
 * carrier's supplier is owed it.
 * @throws refused B1354 a carrier without a supplier, B0930 without a rate, B1356 an order that has not left, B1357 what
 *   cannot be shared; B0805 and B0904 in closed months
 */
export async function confirmBill(ctx: Ctx, bill: FreightBill): Promise<void> {
  if (bill.supplier === null) {
    throw refused(`物流商【${bill.carrierName}】没有选择结算供应商，请先在物流商资料中选择`, 'B1354');
  }
  await putWorth(ctx, bill);
  await settleAll(ctx, bill, 'confirm');
  await raisePayable(ctx, {
    source: { type: freightBill.name, id: bill.id, event: 'confirm', number: bill.number },
    supplierId: bill.supplier,
    kind: 'FREIGHT',
    subject: { type: freightBill.name, id: bill.id, number: bill.number },
    currency: bill.currency,
    amount: bill.amount,
    title: `物流账单 ${bill.number}`,
    day: bill.day,
    due: [{ amount: bill.amount, dueOn: bill.dueOn ?? bill.day }],
  });
}
