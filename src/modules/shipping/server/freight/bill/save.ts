import { sql } from 'kysely';
import { currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { type FreightBillInput, freightBill } from '../../../contract/freight/bill.ts';
import { meantBy, notBillable } from '../references.ts';
import { lockedBill, requireWhole } from './load.ts';

/** Holds the carrier, so that two people do not write the same bill at once. @throws notFound */
async function requireCarrier(ctx: Ctx, id: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('shipping.carrier')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('物流商不存在');
  return row.name;
}

/** @throws refused B1352 where the bill was entered before */
async function requireNew(ctx: Ctx, input: FreightBillInput, carrier: string): Promise<void> {
  const { rows } = await sql<{ id: string; number: string }>`
    SELECT id, number FROM shipping.freight_bill
     WHERE company_id = ${ctx.companyId} AND carrier_id = ${input.carrierId} AND lower(bill_no) = lower(${input.billNo})
       AND state NOT IN ('cancelled', 'reversed')`.execute(ctx.db);
  const [other] = rows;
  if (other && other.id !== input.id) {
    throw refused(`物流商【${carrier}】的账单【${input.billNo}】已录入：${other.number}`, 'B1352');
  }
}

const headOf = (ctx: Ctx, input: FreightBillInput) => ({
  carrier_id: input.carrierId,
  bill_no: input.billNo,
  day: input.day,
  due_on: input.dueOn,
  currency: input.currency,
  amount: sum(input.lines.map((line) => line.amount)),
  base: input.base,
  remark: input.remark,
  updated_by_name: ctx.userName,
});

async function created(ctx: Ctx, input: FreightBillInput) {
  const number = await nextNumber(ctx, freightBill.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('shipping.freight_bill')
    .values({
      company_id: ctx.companyId,
      number,
      state: freightBill.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...headOf(ctx, input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, freightBill.name, id, { kind: 'note', title: '创建', to: freightBill.initial });
  return { id, number, state: freightBill.initial as string, version: 0 };
}

async function rewritten(ctx: Ctx, id: string, input: FreightBillInput) {
  const bill = await lockedBill(ctx, id);
  requireWhole(bill);
  if (bill.state !== 'draft') {
    const { title } = freightBill.states[bill.state as 'draft'];
    throw conflict(`单据状态为【${title}】，不能执行【修改】`);
  }
  requireFresh(bill, input.version);
  await ctx.db
    .updateTable('shipping.freight_bill')
    .set({ ...headOf(ctx, input), version: bill.version + 1, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await note(ctx, freightBill.name, id, { kind: 'note', title: '修改' });
  return { id, number: bill.number, state: bill.state, version: bill.version + 1 };
}

/** @throws refused B1351 with the first line whose number means no order, or several, or whose amount the currency does not know */
async function chargesOf(ctx: Ctx, input: FreightBillInput) {
  const meant = await meantBy(
    ctx,
    input.lines.map((line) => line.reference),
  );
  const scale = currencyScale(input.currency);
  return input.lines.map((line, index) => {
    if (new Decimal(line.amount).decimalPlaces() > scale) {
      throw refused(`第 ${index + 1} 行：${input.currency} 的金额不能有小数`, 'B1351');
    }
    const order = meant.get(line.reference);
    const why = notBillable(line.reference, order);
    if (!order || why) throw refused(`第 ${index + 1} 行：${why}`, 'B1351');
    return { n: index + 1, ...line, order: order.orderId, shipment: order.shipmentNo };
  });
}

async function putCharges(ctx: Ctx, id: string, currency: string, charges: Awaited<ReturnType<typeof chargesOf>>) {
  await sql`DELETE FROM shipping.freight_charge WHERE company_id = ${ctx.companyId} AND bill_id = ${id}`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO shipping.freight_charge (company_id, order_id, bill_id, line_no, reference, shipment_no, kind, currency,
      amount, billed_weight, remark)
    SELECT ${ctx.companyId}, r."order", ${id}, r.n, r.reference, r.shipment, r.kind, ${currency}, r.amount,
           r."billedWeight", r.remark
      FROM jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) AS r("order" uuid, n int, reference text, shipment text,
        kind text, amount numeric, "billedWeight" numeric, remark text)`.execute(ctx.db);
}

/**
 * Writes a new bill of a carrier, or changes a draft; all of its lines are replaced. Amounts in its currency.
 * @throws refused B1351 a number that means no order or several, B1352 a bill that was entered before, B1353 a day to come;
 *   conflict for a stale version or a bill that was handed in, notFound for a carrier that is not the company's
 */
export async function saveBill(ctx: Ctx, input: FreightBillInput): Promise<Outcome> {
  const carrier = await requireCarrier(ctx, input.carrierId);
  await requireNew(ctx, input, carrier);
  if (input.day > ctx.clock.today()) throw refused('账单日期不能晚于今天', 'B1353');
  const charges = await chargesOf(ctx, input);
  const bill = input.id === undefined ? await created(ctx, input) : await rewritten(ctx, input.id, input);
  await putCharges(ctx, bill.id, input.currency, charges);
  await audit(ctx, {
    action: input.id === undefined ? '物流账单·新建' : '物流账单·修改',
    resource: freightBill.name,
    resourceId: bill.id,
    after: { number: bill.number, carrier, ...headOf(ctx, input), lines: input.lines.length },
  });
  return outcome(bill, `物流账单${bill.number}已保存`);
}
