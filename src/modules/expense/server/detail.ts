import { Decimal } from '#kit/contract/decimal.ts';
import { actionsOf } from '#kit/contract/document.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { bearerCells, costsOf } from '#modules/costshare/server/index.ts';
import type { expenseData } from '../contract/calls.ts';
import { type ExpenseRow, expenseDocument, type MonthRow, type ShareRow } from '../contract/document.ts';
import { evenParts, monthsFrom } from '../contract/spread.ts';
import { departmentNames, rowOf } from './list.ts';
import { linesOf, type Share, sharesOf } from './load.ts';

const bearerOf = ({ accountId, marketplaceId, sku }: Share) => ({
  account_id: accountId ?? '',
  marketplace_id: marketplaceId ?? '',
  sku,
});

async function shareRows(ctx: Ctx, { id, currency }: ExpenseRow): Promise<ShareRow[]> {
  const shares = await sharesOf(ctx, id);
  const departments = await departmentNames(ctx);
  const stores = shares.filter(({ accountId }) => accountId !== null);
  const cells = await bearerCells(ctx, stores.map(bearerOf));
  return shares.map((share, at) => {
    const { departmentId, accountId, marketplaceId, sku, amount } = share;
    const { store, product } = accountId === null ? { store: null, product: null } : cells(bearerOf(share));
    return {
      id: String(at + 1),
      departmentId,
      storeKey: accountId === null ? '' : `${marketplaceId}-${accountId}`,
      sku,
      department: departments.get(departmentId ?? '') ?? '',
      store,
      product,
      amount,
      currency,
    };
  });
}

/** What each month of an expense bears, in its currency, and in CNY since the approval. */
export function scheduleOf({ spentOn, months, amount, amountCny, currency }: ExpenseRow): MonthRow[] {
  const parts = evenParts(amount, months, currency);
  const cny = amountCny === null ? [] : evenParts(amountCny, months, 'CNY');
  return monthsFrom(spentOn, months).map((month, at) => ({
    month,
    amount: parts[at] ?? '0',
    amountCny: cny[at] ?? null,
    currency,
  }));
}

/** Everything that the page of an expense shows. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Reply<typeof expenseData>> {
  const document = await rowOf(ctx, id);
  if (!document) throw notFound();
  const codes = [...new Set(Object.values(expenseDocument.transitions).map((rule) => rule.permission))];
  const lines = await linesOf(ctx, id);
  return {
    document,
    lines: lines.map((line) => ({ ...line, currency: document.currency })),
    shares: await shareRows(ctx, document),
    schedule: scheduleOf(document).filter(({ amount }) => !new Decimal(amount).isZero()),
    costs: await costsOf(ctx, id),
    actions: actionsOf(expenseDocument, document.state, new Set(codes.filter((code) => can(ctx, code)))).map(
      (action) =>
        action.name === 'reverse' && document.requestId !== null
          ? { ...action, blocked: `请先作废或冲销请款单 ${document.request}` }
          : action,
    ),
    timeline: await timelineOf(ctx, expenseDocument.name, id),
  };
}
