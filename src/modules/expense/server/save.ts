import { currencyScale, Decimal, plainDecimal, sum } from '#kit/contract/decimal.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { requireStores, requireType } from '#modules/costshare/server/index.ts';
import { requireParty } from '#modules/finance/server/index.ts';
import { departmentsOf } from '#modules/identity/server/index.ts';
import type { Outcome } from '../contract/calls.ts';
import { type ExpenseInput, expenseDocument } from '../contract/document.ts';
import { type Expense, linesOf, loaded, locked, requireWhole } from './load.ts';
import { writeLines, writeShares } from './write.ts';

/** Cells of months × types × shares that one expense may come to. */
const MOST_CELLS = 2000;
/** Cost documents that one may make: months × types. */
const MOST_COSTS = 120;

/** @throws B2401 for an amount with more decimals than its currency has, or a tax above its amount */
function requireAmounts({ currency, lines, shares }: ExpenseInput): void {
  const scale = currencyScale(currency);
  const check = (title: string, amount: string) => {
    if (new Decimal(amount).decimalPlaces() > scale)
      throw refused(`${title}：请输入正确的金额，${currency} 最多 ${scale} 位小数`, 'B2401');
  };
  for (const [index, { amount, tax }] of lines.entries()) {
    check(`第${index + 1}行金额`, amount);
    if (tax) check(`第${index + 1}行税额`, tax);
    if (tax && new Decimal(tax).gt(amount)) throw refused(`第${index + 1}行税额不能大于金额`, 'B2401');
  }
  for (const [index, { amount }] of shares.entries()) check(`第${index + 1}行分摊金额`, amount);
}

/** @throws B2402 rows that do not add up or do not fit the scope, B2404 the same bearer twice, B2405 too much of all */
function requireShares({ scope, lines, shares, months }: ExpenseInput): void {
  const types = new Set(lines.map(({ feeType }) => feeType)).size;
  const ofStores = scope === 'STORE' || scope === 'SKU';
  if (months * types * Math.max(shares.length, 1) > MOST_CELLS || (ofStores && months * types > MOST_COSTS))
    throw refused('摊销月数、费用类型与归属行数的乘积过大，请拆成几张费用单', 'B2405');
  if (scope === 'COMPANY') {
    if (shares.length > 0) throw refused('归属公司的费用没有归属明细', 'B2402');
    return;
  }
  const fits = shares.every(
    ({ departmentId, store, sku }) =>
      (scope === 'DEPARTMENT') === (departmentId !== undefined) &&
      ofStores === (store !== undefined) &&
      (scope === 'SKU') === (sku !== ''),
  );
  if (!fits) throw refused('归属明细与归属不一致，请重新选择', 'B2402');
  const total = sum(shares.map(({ amount }) => amount));
  const amount = sum(lines.map((line) => line.amount));
  if (!new Decimal(total).eq(amount))
    throw refused(`分摊合计 ${plainDecimal(total)} 与费用金额 ${plainDecimal(amount)} 不一致`, 'B2402');
  const keys = new Set(shares.map(({ departmentId, store, sku }) => `${departmentId} ${store} ${sku}`));
  if (keys.size < shares.length) throw refused('同一归属只能有一行', 'B2404');
}

/** @throws B2403 for a department, B2305 for a store that the company has not, B2306 for a type */
async function requireKnown(ctx: Ctx, input: ExpenseInput, before: readonly string[]): Promise<void> {
  const wanted = [input.departmentId, ...input.shares.map(({ departmentId }) => departmentId)];
  if (wanted.some(Boolean)) {
    const known = new Set((await departmentsOf(ctx)).map(({ id }) => id));
    if (wanted.some((id) => id && !known.has(id))) throw refused('部门不存在，请重新选择', 'B2403');
  }
  const stores = input.shares.flatMap(({ store }) => (store === undefined ? [] : [{ store }]));
  if (stores.length > 0) await requireStores(ctx, { rows: stores });
  // A type that was stopped stays with the documents that have it.
  const types = new Set(input.lines.map(({ feeType }) => feeType).filter((type) => !before.includes(type)));
  for (const type of types) await requireType(ctx, type);
}

const valuesOf = (input: ExpenseInput, payee: string) => ({
  kind: input.kind,
  scope: input.scope,
  department_id: input.departmentId ?? null,
  party_kind: input.party.kind,
  party_id: input.party.id,
  payee,
  spent_on: input.spentOn,
  currency: input.currency,
  amount: sum(input.lines.map(({ amount }) => amount)),
  months: input.months,
  remark: input.remark,
});

async function created(ctx: Ctx, input: ExpenseInput, payee: string): Promise<string> {
  const number = await nextNumber(ctx, expenseDocument.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('expense.document')
    .values({
      company_id: ctx.companyId,
      number,
      state: expenseDocument.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...valuesOf(input, payee),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @throws conflict in a state in which it does not change, or for a stale version; B2408 */
async function requireOpen(ctx: Ctx, doc: Expense, version: number | undefined): Promise<void> {
  if (doc.state !== 'draft' && doc.state !== 'returned') {
    await requireUnlocked(ctx, expenseDocument, doc.id);
    throw conflict(`单据状态为【${expenseDocument.states[doc.state].title}】，不能执行【修改】`);
  }
  if (version !== undefined && version !== doc.version) throw conflict('单据状态已变更，请刷新');
  await requireWhole(ctx, doc);
}

async function changed(ctx: Ctx, doc: Expense, input: ExpenseInput, payee: string): Promise<string> {
  await ctx.db
    .updateTable('expense.document')
    .set({ ...valuesOf(input, payee), version: doc.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
  return doc.id;
}

/**
 * Writes a new draft, or changes a draft or one that came back; lines and shares are replaced.
 * @throws B0920 party, B2305 stores, B2306 types, B2401 to B2405 what does not fit together, B2408 stores that the caller does not see; conflict for a stale version or state
 */
export async function save(ctx: Ctx, input: ExpenseInput): Promise<Outcome> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  if (before) await requireOpen(ctx, before, input.version);
  requireAmounts(input);
  requireShares(input);
  await requireKnown(ctx, input, before ? (await linesOf(ctx, before.id)).map(({ feeType }) => feeType) : []);
  const { name: payee } = await requireParty(ctx, input.party);
  const id = before ? await changed(ctx, before, input, payee) : await created(ctx, input, payee);
  await writeLines(ctx, id, input.lines);
  await writeShares(ctx, id, input.shares);
  await note(ctx, expenseDocument.name, id, { kind: 'note', title: before ? '修改' : '创建' });
  const { number, state, version, amount } = await loaded(ctx, id);
  const { id: _id, version: _version, party: _party, lines, shares, ...written } = input;
  await audit(ctx, {
    action: '费用单·保存',
    resource: expenseDocument.name,
    resourceId: id,
    ...(before ? { before: { amount: before.amount, payee: before.payee } } : {}),
    after: { number, amount, payee, ...written, lines: lines.length, shares: shares.length },
  });
  return { id, number, state, version, message: `费用单${number}已保存` };
}
