import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { note, type TransitionInput, transition } from '#kit/server/document.ts';
import { conflict, forbidden, refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { firstDay } from '../contract/fields.ts';
import type { Outcome, VoucherStep } from '../contract/voucher-calls.ts';
import { APPROVE, REVERSE, voucher } from '../contract/vouchers.ts';
import { kindWith, loaded, locked, type Voucher } from './load.ts';
import { kept } from './refusal.ts';
import { draft } from './write.ts';

const plain = (amount: string) => (new Decimal(amount).isZero() ? '' : round(amount, 2));
const minus = (amount: string) => plain(new Decimal(amount).negated().toFixed());

/** What is wrong with the amounts of a voucher that is handed in, in words. */
async function unbalanced(ctx: Ctx, { id }: Voucher): Promise<string | undefined> {
  const { rows } = await sql<{ rest: string; debit: string }>`
    SELECT (sum(debit) - sum(credit))::text AS rest, sum(debit)::text AS debit FROM accounting.entry
     WHERE company_id = ${ctx.companyId} AND voucher_id = ${id}`.execute(ctx.db);
  const { rest = '0', debit = '0' } = rows[0] ?? {};
  if (!new Decimal(rest).isZero()) return `借贷不平衡，差额 ${rest}`;
  return new Decimal(debit).isZero() ? '凭证金额不能为零' : undefined;
}

/** Who made a voucher does not approve it, unless nobody else could. @throws refused B2713 */
async function requireOther(ctx: Ctx, { createdBy }: Voucher): Promise<undefined> {
  if (ctx.userId === null || createdBy !== ctx.userId) return;
  const able = await membersWith(ctx, APPROVE);
  if (able.some((id) => id !== ctx.userId)) throw refused('不能审核本人制作的凭证', 'B2713');
}

const KIND = kindWith({
  submit: { guard: unbalanced },
  approve: { guard: requireOther, stamp: async (ctx) => ({ approved_by_name: sql`${ctx.userName}` }) },
  return: { stamp: async () => ({ approved_by_name: sql`''` }) },
  post: { stamp: async (ctx) => ({ posted_by_name: sql`${ctx.userName}` }) },
});

/** Whether a month "yyyy-MM" of the books takes no more vouchers. */
export async function isClosed(ctx: Ctx, month: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM accounting.period WHERE company_id = ${ctx.companyId} AND month = ${firstDay(month)}::date AND state = 'CLOSED'`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/**
 * Takes a posted voucher back by a red one: the same entries with the opposite amounts, posted at once, on the day of the
 * first one or today where that month is closed. The row of the voucher is locked.
 * @throws refused B2706 for a red one
 */
export async function takeBack(ctx: Ctx, doc: Voucher, reason: string): Promise<Outcome> {
  if (doc.reversalOf !== null) throw refused('红字凭证不能再冲销，请重新录入', 'B2706');
  const { rows } = await sql<{
    summary: string;
    subjectId: string;
    debit: string;
    credit: string;
    currency: string;
    original: string | null;
  }>`
    SELECT summary, subject_id AS "subjectId", debit::text AS debit, credit::text AS credit, currency, original::text AS original
      FROM accounting.entry
     WHERE company_id = ${ctx.companyId} AND voucher_id = ${doc.id} ORDER BY line_no`.execute(ctx.db);
  const red = await draft(ctx, {
    type: doc.type,
    day: doc.type !== 'OPENING' && (await isClosed(ctx, doc.month)) ? ctx.clock.today() : doc.day,
    attachments: 0,
    reversalOf: doc.id,
    lines: rows.map(({ summary, subjectId, debit, credit, currency, original }) => ({
      summary: `冲销 ${doc.number} ${summary}`.slice(0, 200),
      subjectId,
      debit: minus(debit),
      credit: minus(credit),
      ...(original === null ? {} : { currency, original: new Decimal(original).negated().toFixed() }),
    })),
  });
  await kept(() =>
    sql`
      UPDATE accounting.voucher SET state = 'posted', version = version + 1, approved_by_name = ${ctx.userName}, posted_by_name = ${ctx.userName}
       WHERE company_id = ${ctx.companyId} AND id = ${red.id}`.execute(ctx.db),
  );
  const said = {
    kind: 'transition',
    title: '红字冲销',
    body: `${reason}（${red.number}）`,
    from: 'posted',
    to: 'reversed',
  } as const;
  await note(ctx, voucher.name, doc.id, said);
  await audit(ctx, {
    action: '凭证·红字冲销',
    resource: voucher.name,
    resourceId: doc.id,
    before: { state: 'posted' },
    after: { state: 'reversed', number: red.number, reason },
  });
  const { state, version } = await loaded(ctx, doc.id);
  return { id: doc.id, number: doc.number, state, version, message: `已生成红字凭证 ${red.number}` };
}

/**
 * Takes a step of a voucher.
 * @throws refused B2701 to B2706 what the ledger refuses, B2713 the maker himself; conflict for a stale version or state
 */
export async function act(ctx: Ctx, id: string, step: VoucherStep, input: TransitionInput): Promise<Outcome> {
  if (step === 'reverse') {
    if (!can(ctx, REVERSE)) throw forbidden(REVERSE);
    const doc = await locked(ctx, id);
    if (doc.state !== 'posted' || (input.version !== undefined && input.version !== doc.version)) {
      throw conflict('单据状态已变更，请刷新');
    }
    if (!input.reason?.trim()) throw refused('请填写原因', 'B0011');
    return takeBack(ctx, doc, input.reason);
  }
  await kept(() => transition(ctx, KIND, id, step, input));
  const { number, state, version } = await loaded(ctx, id);
  return { id, number, state, version, message: `凭证 ${number} ${voucher.transitions[step].title}成功` };
}
