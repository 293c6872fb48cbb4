import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, type DocumentRow, note, type TransitionInput, transition } from '#kit/server/document.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import {
  type ConfirmForm,
  type SettlementForm,
  type SettlementState,
  supplierSettlement,
} from '../../contract/settlements.ts';
import { statementOf } from '../payables/dealings.ts';
import { freeDebts } from '../payables/free.ts';
import { lockParties, requireParty } from '../payables/items.ts';
import { requestPayment } from '../requests/face.ts';

interface Settlement extends DocumentRow {
  number: string;
  supplierId: string;
  currency: string;
  from: string;
  to: string;
  closing: string | null;
}

const TABLE = 'finance.supplier_settlement';
/** Lines that a request takes. */
const MOST_LINES = 200;

async function load(ctx: Ctx, id: string, lock = false): Promise<Settlement | undefined> {
  const { rows } = await sql<Settlement>`
    SELECT id, number, state, version, supplier_id AS "supplierId", currency, from_day AS from, to_day AS to, closing
      FROM finance.supplier_settlement
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  return rows[0];
}

function kindWith(name: string, run: () => Promise<void>): DocumentKind<Settlement> {
  return { def: supplierSettlement, table: TABLE, load, rules: { [name]: { run } } };
}

interface Outcome {
  id: string;
  number: string;
  state: SettlementState;
  message: string;
}

/**
 * A settlement of a period with a supplier; periods of one supplier and currency do not overlap.
 * @throws refused B0920 supplier, B0940 period
 */
export async function add(ctx: Ctx, form: z.output<typeof SettlementForm>): Promise<Outcome> {
  const { supplierId, currency, from, to, remark } = form;
  if (from > to) throw refused('账期开始不能晚于账期结束', 'B0940');
  if (to > ctx.clock.today()) throw refused('账期结束不能晚于今天', 'B0940');
  await requireParty(ctx, { kind: 'SUPPLIER', id: supplierId });
  await lockParties(ctx, [supplierId]);
  const other = await ctx.db
    .selectFrom('finance.supplier_settlement')
    .select('number')
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', supplierId)
    .where('currency', '=', currency)
    .where('state', '<>', 'cancelled')
    .where('from_day', '<=', to)
    .where('to_day', '>=', from)
    .executeTakeFirst();
  if (other) throw refused(`账期与结算单 ${other.number} 重叠`, 'B0940');
  const number = await nextNumber(ctx, supplierSettlement.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('finance.supplier_settlement')
    .values({
      company_id: ctx.companyId,
      number,
      state: 'draft',
      supplier_id: supplierId,
      currency,
      from_day: from,
      to_day: to,
      remark,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, supplierSettlement.name, id, { kind: 'note', title: '创建', to: 'draft' });
  await audit(ctx, {
    action: '供应商结算单·保存',
    resource: supplierSettlement.name,
    resourceId: id,
    after: { number, ...form },
  });
  return { id, number, state: 'draft', message: `结算单${number}已保存` };
}

async function locked(ctx: Ctx, id: string): Promise<Settlement> {
  const doc = await load(ctx, id, true);
  if (!doc) throw notFound();
  return doc;
}

type Confirm = z.output<typeof ConfirmForm> & { id: string; version?: number | undefined };

/**
 * Keeps the figures of our books beside what the supplier states.
 * @throws refused B0941 for a difference without a reason; conflict for a stale version or state
 */
export async function confirm(ctx: Ctx, { id, version, stated, reason }: Confirm): Promise<Outcome> {
  const doc = await locked(ctx, id);
  const { opening, credit, debit, closing } = await statementOf(ctx, { ...doc, partyId: doc.supplierId });
  const difference = new Decimal(stated).plus(closing);
  if (!difference.isZero() && reason === '') {
    throw refused(`与我方账面相差 ${difference.toFixed(2)}，请填写差异原因`, 'B0941');
  }
  const run = async () => {
    await ctx.db
      .updateTable('finance.supplier_settlement')
      .set({ opening, raised: credit, paid: debit, closing, stated, reason })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
  };
  const input: TransitionInput = { version, reason: reason || undefined };
  const state = (await transition(ctx, kindWith('confirm', run), id, 'confirm', input)) as SettlementState;
  return { id, number: doc.number, state, message: `结算单${doc.number}已确认` };
}

/** What is owed from up to the end of the period and not asked for yet becomes a request, debt by debt. @throws refused B0942 */
async function request(ctx: Ctx, doc: Settlement): Promise<void> {
  const debts = (await freeDebts(ctx, doc.supplierId, doc.currency)).filter((debt) => debt.day <= doc.to);
  const free = debts.filter((debt) => !new Decimal(debt.free).isZero()).slice(0, MOST_LINES);
  if (free.length === 0) {
    throw refused(debts.length > 0 ? '账期内的应付都已在请款中' : '账期内没有未付的应付，无需请款', 'B0942');
  }
  const made = await requestPayment(ctx, {
    kind: 'SETTLEMENT',
    party: { kind: 'SUPPLIER', id: doc.supplierId },
    subject: { type: supplierSettlement.name, id: doc.id, number: doc.number },
    currency: doc.currency,
    lines: free.map(({ id, title, free: amount }) => ({ title: title.slice(0, 100), amount, payableId: id })),
  });
  await sql`
    UPDATE finance.supplier_settlement SET request_id = ${made.id}
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

/** The figures are those of the books again. */
async function forget(ctx: Ctx, id: string): Promise<void> {
  await sql`
    UPDATE finance.supplier_settlement SET opening = NULL, raised = NULL, paid = NULL, closing = NULL, stated = NULL, reason = ''
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}

interface Move extends TransitionInput {
  id: string;
  action: 'reopen' | 'request' | 'cancel';
}

/** Another step of a settlement. @throws conflict for a stale version or state, refused B0942, forbidden */
export async function move(ctx: Ctx, { id, action, ...input }: Move): Promise<Outcome> {
  const doc = await locked(ctx, id);
  const { title, from } = supplierSettlement.transitions[action];
  if (!(from as readonly string[]).includes(doc.state)) throw conflict('单据状态已变更，请刷新');
  const run = async () => {
    if (action === 'request') await request(ctx, doc);
    if (action === 'reopen') await forget(ctx, id);
  };
  const state = (await transition(ctx, kindWith(action, run), id, action, input)) as SettlementState;
  return { id, number: doc.number, state, message: `结算单${doc.number}${title}成功` };
}
