import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { minus } from '../../contract/fields.ts';
import type { DealingForm, PartnerForm, PartyChoice, receiveMoney, SettleForm } from '../../contract/payables.ts';
import { closed, worthAt } from '../ledger/base.ts';
import { post } from '../ledger/post.ts';
import type { Line, Posted } from '../ledger/types.ts';
import { rateOn } from '../rates/rates.ts';
import { type DocumentRef, holdDocuments, moneyMoved } from './documents.ts';
import { freeDebts } from './free.ts';
import { lockParties, openItem, openItems, requireParty, settleLine, subjectsOf } from './items.ts';

/** Suppliers and partners that can be paid, by name; black-listed suppliers too, for what is owed to them. */
export async function partyList(ctx: Ctx): Promise<PartyChoice[]> {
  const { rows } = await sql<PartyChoice>`
    SELECT 'SUPPLIER' AS kind, id, short_name AS name, currency, NULL AS partner FROM supplier.supplier WHERE company_id = ${ctx.companyId}
    UNION ALL
    SELECT 'PARTNER', id, name, 'CNY', kind FROM finance.partner WHERE company_id = ${ctx.companyId} AND NOT disabled
     ORDER BY name LIMIT 5000`.execute(ctx.db);
  return rows;
}

type Partner = z.output<typeof PartnerForm> & { id?: string | undefined };

/** Adds or changes a partner. @throws refused B0926 for a name that is taken, notFound */
export async function savePartnerOf(ctx: Ctx, { id, ...form }: Partner): Promise<{ id: string }> {
  const taken = await ctx.db
    .selectFrom('finance.partner')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', form.name)
    .executeTakeFirst();
  if (taken && taken.id !== id) throw refused(`往来单位【${form.name}】已存在`, 'B0926');
  const saved = id
    ? await ctx.db
        .updateTable('finance.partner')
        .set(form)
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
    : await ctx.db
        .insertInto('finance.partner')
        .values({ company_id: ctx.companyId, ...form })
        .returning('id')
        .executeTakeFirst();
  if (!saved) throw notFound();
  await audit(ctx, { action: '保存往来单位', resource: 'finance.partner', resourceId: saved.id, after: form });
  return saved;
}

/** The documents that items belong to, held until the transaction ends. */
async function holdSubjects(ctx: Ctx, itemIds: readonly string[]): Promise<DocumentRef[]> {
  const subjects = await subjectsOf(ctx, itemIds);
  const refs = subjects.map(({ subjectType, subjectId }) => ({ type: subjectType, id: subjectId }));
  await holdDocuments(ctx, refs);
  return refs;
}

/** Both sides of a settlement; one that was booked without a value takes that of the other. */
function closedPair(one: Line, other: Line): Line[] {
  const [base, against] = [one.base ?? other.base, other.base ?? one.base];
  return closed([
    { ...one, base: base?.replace(/^-/, '') },
    { ...other, base: against && minus(against.replace(/^-/, '')) },
  ]);
}

/** Uses what was paid in advance, or what a party owes, for a debt to the same party in the same currency. @throws notFound, refused B0902, B0928 */
async function settle(ctx: Ctx, { prepaidId, payableId, amount }: z.output<typeof SettleForm>): Promise<Posted> {
  const refs = await holdSubjects(ctx, [prepaidId, payableId]);
  const known = await subjectsOf(ctx, [payableId]);
  await lockParties(
    ctx,
    known.map((item) => item.partyId),
  );
  const pair = await openItems(ctx, { ids: [prepaidId, payableId] });
  const prepaid = pair.find((item) => item.id === prepaidId && item.book !== 'PAYABLE');
  const payable = pair.find((item) => item.id === payableId && item.book === 'PAYABLE');
  if (!prepaid || !payable || prepaid.partyId !== payable.partyId) throw notFound('往来款项不存在或已结清');
  const { currency } = payable;
  const free = (await freeDebts(ctx, payable.partyId, currency)).find((debt) => debt.id === payableId)?.free ?? '0';
  if (new Decimal(free).lt(amount)) {
    throw refused(`该应付已被请款单占用，最多可核销 ${new Decimal(free).toFixed(currencyScale(currency))}`, 'B0928');
  }
  const posted = await post(ctx, {
    source: { type: 'finance.settle', id: randomUUID(), event: 'settle', number: '核销' },
    title: prepaid.book === 'PREPAID' ? '预付核销应付' : '应收冲抵应付',
    lines: closedPair(settleLine(payable, amount, 'SETTLE'), settleLine(prepaid, amount, 'SETTLE')),
  });
  await moneyMoved(ctx, refs);
  return posted;
}

/** Uses what was paid in advance, or what a party owes, for a debt to the same party. @throws notFound, refused B0902, B0928 */
export async function settleByHand(ctx: Ctx, form: z.output<typeof SettleForm>): Promise<{ postingId: string }> {
  const { id } = await settle(ctx, form);
  await audit(ctx, { action: '核销应付', resource: 'finance.openItem', resourceId: form.payableId, after: form });
  return { postingId: id };
}

/** Money that a party pays back or owes comes into an account. @throws notFound, refused B0902, B0903, B0927 for a debt, B0930 */
export async function receive(ctx: Ctx, form: z.output<typeof receiveMoney.body>): Promise<{ postingId: string }> {
  const { itemId, cashAccountId, amount, day, memo } = form;
  const item = await openItem(ctx, itemId);
  if (item.book === 'PAYABLE') throw refused('应付款项请通过请款单付款', 'B0927');
  const refs = await holdSubjects(ctx, [itemId]);
  await lockParties(ctx, [item.partyId]);
  const { currency } = item;
  const worth = item.base === null ? undefined : worthAt(amount, await rateOn(ctx, currency, day ?? ctx.clock.today()));
  const purpose = item.book === 'PREPAID' ? 'REFUND' : 'LOAN';
  const { id } = await post(ctx, {
    source: { type: 'finance.receipt', id: randomUUID(), event: 'receive', number: '收款' },
    title: item.book === 'PREPAID' ? '供应商退款' : '收回应收',
    day,
    lines: closed([
      { book: 'ACCOUNT', item: cashAccountId, currency, amount, base: worth, purpose, memo },
      { ...settleLine(item, amount, purpose), memo },
    ]),
  });
  await moneyMoved(ctx, refs);
  await audit(ctx, { action: '登记收款', resource: 'finance.openItem', resourceId: itemId, after: form });
  return { postingId: id };
}

/**
 * Money lent to a partner (应收) or borrowed from one (应付); what is borrowed is paid back by a payment request.
 * In another currency it is booked at the rate of its day. @throws refused B0920 party, B0930, or what the ledger refuses
 */
export async function lend(ctx: Ctx, form: z.output<typeof DealingForm>): Promise<{ postingId: string }> {
  const { partyId, direction, cashAccountId, amount, title, day, dueOn } = form;
  const party = { kind: 'PARTNER', id: partyId } as const;
  await requireParty(ctx, party);
  const account = await ctx.db
    .selectFrom('finance.cash_account')
    .select('currency')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', cashAccountId)
    .executeTakeFirst();
  if (!account) throw refused('账户不存在或已删除', 'B0903');
  const { currency } = account;
  const out = direction === 'LEND';
  const item = { id: randomUUID(), book: out ? 'RECEIVABLE' : 'PAYABLE', kind: 'LOAN' } as const;
  const rate = currency === 'CNY' ? undefined : await rateOn(ctx, currency, day ?? ctx.clock.today());
  const base = rate && worthAt(amount, rate);
  const plus = { currency, amount, base, purpose: 'LOAN' } as const;
  const less = { ...plus, amount: minus(amount), base: base && minus(base) } as const;
  const { id } = await post(ctx, {
    source: { type: 'finance.dealing', id: item.id, event: direction, number: title },
    title: out ? '借出或代付' : '借入',
    day,
    items: [{ ...item, party, title, currency, amount, dueOn, rate, base }],
    lines: [
      { book: 'ACCOUNT', item: cashAccountId, ...(out ? less : plus) },
      { book: item.book, item: item.id, ...(out ? plus : less) },
    ],
  });
  await audit(ctx, { action: '登记往来', resource: 'finance.openItem', resourceId: item.id, after: form });
  return { postingId: id };
}
