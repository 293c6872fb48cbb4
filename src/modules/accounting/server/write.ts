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
  lines: readonly PaperLine[];
  reversalOf?: string;
  /** What it was made from; nothing where a person wrote it. */
  source?: string;
  /** The events that a rule made it from. */
  made?: Made;
}

/** An entry; in another currency with its amount in that, on the same side (0 where only its worth in CNY moves). */
export type PaperLine = Omit<LineInput, 'currency' | 'original'> & Partial<Pick<LineInput, 'currency' | 'original'>>;

const originalOf = ({ currency = 'CNY', original = '' }: PaperLine): string | null =>
  currency === 'CNY' ? null : zero(original);

/** What a rule made a voucher from. */
interface Made {
  /** The event, or the day or month whose events these are. */
  ref: string;
  /** Version of the rule. */
  version: number;
  /** Month of the events, "yyyy-MM". */
  month: string;
  /** What the events said. */
  digest: string;
  /** How many vouchers of the same events there were before. */
  times: number;
}

/** @throws refused B2711 naming the line and the field that do not fit */
async function requireLines(ctx: Ctx, lines: readonly LineInput[]): Promise<void> {
  for (const [at, { debit, credit, currency, original }] of lines.entries()) {
    const [onDebit, onCredit] = [debit, credit].map((amount) => !new Decimal(zero(amount)).isZero());
    if (onDebit === onCredit) throw refused(`第 ${at + 1} 行：借方金额和贷方金额必须且只能填一个`, 'B2711');
    if ((currency === 'CNY') !== (original === ''))
      throw refused(`第 ${at + 1} 行原币金额：外币分录须填原币金额，人民币分录不填`, 'B2711');
    // What only moves the value in CNY has an original amount of 0; else both are on the same side.
    const same = new Decimal(zero(original)).times(new Decimal(zero(debit)).plus(zero(credit)));
    if (same.lt(0)) throw refused(`第 ${at + 1} 行原币金额：须与借贷方金额同号`, 'B2711');
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

/** CNY for one unit of the original amount; none where nothing of it moves. */
function rateOf(line: PaperLine): string | null {
  const { debit, credit } = line;
  const original = originalOf(line);
  if (original === null || new Decimal(original).isZero()) return null;
  const rate = new Decimal(zero(debit)).plus(zero(credit)).div(original).toDecimalPlaces(8);
  return rate.gt(0) ? rate.toFixed() : null;
}

async function putLines(ctx: Ctx, id: string, lines: readonly PaperLine[]): Promise<void> {
  await ctx.db
    .insertInto('accounting.entry')
    .values(
      lines.map((line, at) => ({
        company_id: ctx.companyId,
        voucher_id: id,
        line_no: at + 1,
        subject_id: line.subjectId,
        summary: line.summary,
        debit: zero(line.debit),
        credit: zero(line.credit),
        currency: line.currency ?? 'CNY',
        original: originalOf(line),
        rate: rateOf(line),
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
          source_month: firstDay(made.month),
          source_digest: made.digest,
          template_version: made.version,
          idempotency_key: `${source}|${made.ref}|${made.times}`,
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

async function putDraft(
  ctx: Ctx,
  { id }: Voucher,
  { day, attachments, lines, made }: Pick<Paper, 'day' | 'attachments' | 'lines' | 'made'>,
): Promise<void> {
  await kept(async () => {
    await ctx.db
      .updateTable('accounting.voucher')
      .set((eb) => ({
        day,
        attachments,
        summary: lines[0]?.summary ?? '',
        amount: debitsOf(lines),
        version: eb('version', '+', 1),
        ...(made
          ? { source_digest: made.digest, template_version: made.version, source_edited: false }
          : { source_edited: sql<boolean>`source_ref <> ''` }),
      }))
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
    await sql`DELETE FROM accounting.entry WHERE company_id = ${ctx.companyId} AND voucher_id = ${id}`.execute(ctx.db);
    await putLines(ctx, id, lines);
  });
}

/** Writes a draft anew whose events have moved; its number and month stay. The row of the voucher is locked. */
export async function rewrite(ctx: Ctx, doc: Voucher, paper: Paper): Promise<void> {
  await putDraft(ctx, doc, { ...paper, day: paper.day.startsWith(doc.month) ? paper.day : doc.day });
  await note(ctx, voucher.name, doc.id, { kind: 'note', title: '来源变更，重新生成' });
}

async function change(ctx: Ctx, doc: Voucher, input: VoucherInput): Promise<Voucher> {
  if (doc.state !== 'draft') throw conflict(`单据状态为【${voucher.states[doc.state].title}】，不能执行【修改】`);
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  if (input.type !== doc.type || input.day.slice(0, 7) !== doc.month) {
    throw refused('凭证字和会计期间在编号后不能更改，请作废后重新录入', 'B2705');
  }
  await putDraft(ctx, doc, input);
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
