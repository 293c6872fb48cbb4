import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { debitsOf, zero } from '../contract/amounts.ts';
import { firstDay } from '../contract/fields.ts';
import type { Outcome } from '../contract/voucher-calls.ts';
import { type LineInput, TYPES, type VoucherInput, type VoucherType, voucher } from '../contract/vouchers.ts';
import { startOf, stateOf } from './book.ts';
import { locked, type Voucher } from './load.ts';
import { kept } from './refusal.ts';

/** What a voucher is made of; amounts are CNY, negative in red ones. */
export interface Paper {
  type: VoucherType;
  /** Company day; its month is the voucher's. */
  day: string;
  attachments: number;
  lines: readonly LineInput[];
  reversalOf?: string;
  /** What it was made from; nothing where a person wrote it. */
  source?: string;
  /** The event that a rule made it from, and the version of the rule: there is one voucher for both. */
  made?: { ref: string; version: number };
}

/** @throws refused B2711 naming the line and the field that do not fit */
async function requireLines(ctx: Ctx, lines: readonly LineInput[]): Promise<void> {
  for (const [at, { debit, credit }] of lines.entries()) {
    const [onDebit, onCredit] = [debit, credit].map((amount) => !new Decimal(zero(amount)).isZero());
    if (onDebit === onCredit) throw refused(`第 ${at + 1} 行：借方金额和贷方金额必须且只能填一个`, 'B2711');
  }
  const { rows } = await sql<{ id: string; label: string; leaf: boolean; state: string }>`
    SELECT id, code || ' ' || name AS label, leaf, state FROM accounting.subject
     WHERE company_id = ${ctx.companyId} AND id = ANY (${lines.map(({ subjectId }) => subjectId)}::uuid[])`.execute(
    ctx.db,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const [at, { subjectId }] of lines.entries()) {
    const subject = known.get(subjectId);
    const wrong = (text: string) => refused(`第 ${at + 1} 行科目：${text}`, 'B2711');
    if (!subject) throw wrong('科目不存在');
    if (!subject.leaf) throw wrong(`${subject.label} 有下级，请选择末级科目`);
    if (subject.state === 'stopped') throw wrong(`${subject.label} 已停用`);
  }
}

/** @throws refused B2704 for a day to come after this month, B2712 for a second opening */
async function requireDay(
  ctx: Ctx,
  { type, day }: Pick<Paper, 'type' | 'day'>,
  own: string | undefined,
): Promise<void> {
  await startOf(ctx);
  if (day.slice(0, 7) > ctx.clock.today().slice(0, 7)) throw refused('日期：凭证日期不能晚于本月末', 'B2704');
  if (type !== 'OPENING') return;
  const { openingId } = await stateOf(ctx);
  if (openingId !== null && openingId !== own)
    throw refused('期初余额已经录入，请修改原凭证，或冲销后重新录入', 'B2712');
}

async function putLines(ctx: Ctx, id: string, lines: readonly LineInput[]): Promise<void> {
  await ctx.db
    .insertInto('accounting.entry')
    .values(
      lines.map(({ summary, subjectId, debit, credit }, at) => ({
        company_id: ctx.companyId,
        voucher_id: id,
        line_no: at + 1,
        subject_id: subjectId,
        summary,
        debit: zero(debit),
        credit: zero(credit),
      })),
    )
    .execute();
}

/** What the numbers of a type begin with in a month "yyyy-MM", e.g. 「记-202610-」. */
export const seriesOf = (type: VoucherType, month: string): string => `${TYPES[type]}-${month.replace('-', '')}-`;

/** Writes a draft with the next number of its type and month. @throws refused B2704 where the month takes none */
export async function draft(ctx: Ctx, paper: Paper): Promise<Voucher> {
  const { type, day, attachments, lines, reversalOf, source = '', made } = paper;
  const month = day.slice(0, 7);
  // The end of a month takes the gate alone, before it takes a number.
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended('accounting.gate:' || ${ctx.companyId}::text, 0))`.execute(
    ctx.db,
  );
  const number = await nextNumber(ctx, `${seriesOf(type, month)}${voucher.number}`, day);
  const { id } = await kept(() =>
    ctx.db
      .insertInto('accounting.voucher')
      .values({
        company_id: ctx.companyId,
        type,
        month: firstDay(month),
        seq: Number(number.slice(number.lastIndexOf('-') + 1)),
        number,
        day,
        attachments,
        summary: lines[0]?.summary ?? '',
        amount: debitsOf(lines),
        state: voucher.initial,
        source,
        ...(made && {
          source_ref: made.ref,
          template_version: made.version,
          idempotency_key: `${source}|${made.ref}|${made.version}`,
        }),
        reversal_of: reversalOf ?? null,
        created_by: ctx.userId,
        created_by_name: ctx.userName,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await putLines(ctx, id, lines);
  await note(ctx, voucher.name, id, { kind: 'note', title: reversalOf ? '红字冲销生成' : '创建', to: voucher.initial });
  return locked(ctx, id);
}

async function change(ctx: Ctx, doc: Voucher, input: VoucherInput): Promise<Voucher> {
  if (doc.state !== 'draft') throw conflict(`单据状态为【${voucher.states[doc.state].title}】，不能执行【修改】`);
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  if (input.type !== doc.type || input.day.slice(0, 7) !== doc.month) {
    throw refused('凭证字和会计期间在编号后不能更改，请作废后重新录入', 'B2705');
  }
  await kept(async () => {
    await sql`
      UPDATE accounting.voucher SET day = ${input.day}::date, attachments = ${input.attachments}::int, version = version + 1,
             summary = ${input.lines[0]?.summary ?? ''}, amount = ${debitsOf(input.lines)}::numeric
       WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
    await sql`DELETE FROM accounting.entry WHERE company_id = ${ctx.companyId} AND voucher_id = ${doc.id}`.execute(
      ctx.db,
    );
    await putLines(ctx, doc.id, input.lines);
  });
  await note(ctx, voucher.name, doc.id, { kind: 'note', title: '修改' });
  return locked(ctx, doc.id);
}

/**
 * Writes a new draft, or changes one. It may be out of balance: that is refused when it is handed in.
 * @throws refused B2704 day, B2705 another type or month, B2711 lines, B2712 a second opening; conflict for a stale version or state
 */
export async function save(ctx: Ctx, input: VoucherInput): Promise<Outcome> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  await requireDay(ctx, input, before?.id);
  await requireLines(ctx, input.lines);
  const doc = before ? await change(ctx, before, input) : await draft(ctx, input);
  await audit(ctx, {
    action: '凭证·保存',
    resource: voucher.name,
    resourceId: doc.id,
    ...(before ? { before: { amount: before.amount, day: before.day } } : {}),
    after: {
      number: doc.number,
      day: doc.day,
      amount: doc.amount,
      lines: input.lines.map(({ summary, debit, credit }) => ({ summary, debit, credit })),
    },
  });
  const { id, number, state, version } = doc;
  return { id, number, state, version, message: `凭证 ${number} 已保存` };
}
