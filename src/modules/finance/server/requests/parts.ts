import { randomUUID } from 'node:crypto';
import { allocate, currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { worthAt } from '../ledger/base.ts';
import type { Line, NewItem } from '../ledger/types.ts';
import { isBounded } from '../payables/documents.ts';
import { freeDebts, ofDocument } from '../payables/free.ts';
import { openItems, settleLine, settleLines } from '../payables/items.ts';
import type { Request } from './load.ts';

/** What of a payment goes to one line of its request. */
export interface Part {
  line: Request['lines'][number];
  amount: string;
}

/** What a payment settles: lines of its posting, and what it pays in advance. */
export interface Settled {
  lines: Line[];
  items: NewItem[];
}

/**
 * What of a payment goes to each line. Debts are paid one line after the other, as they were written; expenses each in
 * proportion to what is left of it, so that a part of a bill is a part of every item. Lines that get nothing are missing.
 */
export function partsOf({ kind, currency, lines }: Request, amount: string): Part[] {
  const left = (line: Request['lines'][number]) => new Decimal(line.amount).minus(line.paid);
  if (kind === 'EXPENSE') {
    const weights = new Map(lines.map((line) => [String(line.lineNo).padStart(4, '0'), left(line).toFixed()]));
    const shares = allocate(amount, weights, currencyScale(currency));
    return lines
      .map((line) => ({ line, amount: shares?.get(String(line.lineNo).padStart(4, '0')) ?? '0' }))
      .filter((part) => !new Decimal(part.amount).isZero());
  }
  let rest = new Decimal(amount);
  return lines.flatMap((line) => {
    const part = Decimal.min(rest, left(line));
    rest = rest.minus(part);
    return part.gt(0) ? [{ line, amount: part.toFixed() }] : [];
  });
}

/** An expense is spent; nobody was owed anything before. */
function expenseLines({ currency }: Request, parts: readonly Part[]): Settled {
  const lines = parts.map(
    ({ line, amount }): Line => ({
      book: 'EXPENSE',
      currency,
      amount,
      purpose: 'MANUAL',
      category: line.categoryId ?? undefined,
      memo: line.title,
    }),
  );
  return { lines, items: [] };
}

/** The debts that lines name, each by its own amount. @throws refused B0928 where less of one is open by now */
async function namedLines(ctx: Ctx, { currency }: Request, parts: readonly Part[]): Promise<Line[]> {
  const named = parts.filter(({ line }) => line.payableId !== null);
  if (named.length === 0) return [];
  const ids = named.flatMap(({ line }) => line.payableId ?? []);
  const open = new Map((await openItems(ctx, { ids })).map((item) => [item.id, item.open]));
  return named.map(({ line, amount }): Line => {
    const left = new Decimal(open.get(line.payableId ?? '') ?? 0);
    if (left.lt(amount)) {
      const most = left.toFixed(currencyScale(currency));
      throw refused(`【${line.title}】的应付只剩 ${most}，请退回请款单修改后再付`, 'B0928');
    }
    return { book: 'PAYABLE', item: line.payableId ?? '', currency, amount, purpose: 'PURCHASE' };
  });
}

/** Money that is paid before it is owed; it is settled with the debts of the same order as they come. */
function advance(
  { party, currency, subjectType, subjectId, subjectNumber, number }: Request,
  amount: string,
  rate: string | undefined,
): Settled {
  const base = rate && worthAt(amount, rate);
  const item: NewItem = {
    id: randomUUID(),
    book: 'PREPAID',
    kind: 'DEPOSIT',
    party,
    subject: subjectId === '' ? undefined : { type: subjectType, id: subjectId, number: subjectNumber },
    title: `${subjectNumber || number} 预付款`,
    currency,
    amount,
    rate,
    base,
  };
  return { lines: [{ book: 'PREPAID', item: item.id, currency, amount, base, purpose: 'DEPOSIT' }], items: [item] };
}

/**
 * What lines without a debt pay: the oldest debts of the order that no other request holds, then in advance, which only a
 * deposit may, and a request for an order within what it comes to. @throws refused B0928 where nothing is owed any more
 */
async function unnamedLines(
  ctx: Ctx,
  request: Request,
  parts: readonly Part[],
  rate: () => Promise<string | undefined>,
): Promise<Settled> {
  const amount = parts.reduce((total, part) => total.plus(part.amount), new Decimal(0));
  if (amount.isZero()) return { lines: [], items: [] };
  const { party, currency, subjectType, subjectId } = request;
  const debts =
    subjectId === ''
      ? []
      : ofDocument(await freeDebts(ctx, party.id, currency, request.id), { type: subjectType, id: subjectId });
  const named = new Map(request.lines.map((line) => [line.payableId, new Decimal(line.amount).minus(line.paid)]));
  const free = debts.map(({ id, free: open }) => ({
    id,
    book: 'PAYABLE' as const,
    currency,
    open: Decimal.max(0, new Decimal(open).minus(named.get(id) ?? 0)).toFixed(),
    base: null,
  }));
  const { lines, rest } = settleLines(free, amount.toFixed(), 'PURCHASE');
  if (new Decimal(rest).isZero()) return { lines, items: [] };
  if (request.kind !== 'DEPOSIT' && !isBounded(ctx, subjectType)) {
    throw refused(`${request.number} 比应付多 ${rest}，请退回请款单修改后再付`, 'B0928');
  }
  const before = advance(request, rest, await rate());
  return { lines: [...lines, ...before.lines], items: before.items };
}

/**
 * Lines that pay debts in another currency, with what these are booked with in CNY. Several lines may pay the same debt: each
 * takes of what the ones before it have left.
 */
async function withBases(ctx: Ctx, lines: readonly Line[]): Promise<Line[]> {
  const ids = lines.flatMap(({ book, item }) => (book === 'PAYABLE' && item ? [item] : []));
  const left = new Map((await openItems(ctx, { ids: [...new Set(ids)] })).map((item) => [item.id, item]));
  return lines.map((line) => {
    const item = line.book === 'PAYABLE' ? left.get(line.item ?? '') : undefined;
    if (!item) return line;
    const { base } = settleLine(item, line.amount, line.purpose);
    const open = new Decimal(item.open).minus(line.amount).toFixed();
    left.set(item.id, { ...item, open, base: item.base && new Decimal(item.base).minus(base ?? 0).toFixed() });
    return { ...line, base };
  });
}

/**
 * What the parts of a payment settle. @param rate CNY for one unit as it is paid; asked for what is paid in advance only
 * @throws refused B0928 where less is owed than when it was asked for, B0930 where the rate is missing
 */
export async function settledBy(
  ctx: Ctx,
  request: Request,
  parts: readonly Part[],
  rate: () => Promise<string | undefined>,
): Promise<Settled> {
  if (request.kind === 'EXPENSE') return expenseLines(request, parts);
  const named = await namedLines(ctx, request, parts);
  const { lines, items } = await unnamedLines(
    ctx,
    request,
    parts.filter(({ line }) => line.payableId === null),
    rate,
  );
  const all = [...named, ...lines];
  return { lines: request.currency === 'CNY' ? all : await withBases(ctx, all), items };
}
