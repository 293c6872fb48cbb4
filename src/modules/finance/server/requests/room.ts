import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { isBounded, overAsked, requireLeft, type Share } from '../payables/documents.ts';
import { type FreeDebt, freeDebts, ofDocument } from '../payables/free.ts';
import { lockParties } from '../payables/items.ts';
import type { Request } from './load.ts';

const unnamedOf = (doc: Request) => doc.lines.filter((line) => line.payableId === null);

/** Amounts of lines of a request by the document whose money they are; debts are those that the lines name. */
export function sharesOf(
  doc: Pick<Request, 'subjectType' | 'subjectId' | 'currency'>,
  lines: readonly Pick<Request['lines'][number], 'payableId' | 'amount'>[],
  debts: readonly Pick<FreeDebt, 'id' | 'subjectType' | 'subjectId'>[],
): Share[] {
  const shares = new Map<string, Share>();
  for (const { payableId, amount } of lines) {
    const debt = debts.find((one) => one.id === payableId);
    const [type, id] = payableId === null ? [doc.subjectType, doc.subjectId] : [debt?.subjectType, debt?.subjectId];
    if (!type || !id) continue;
    const known = shares.get(`${type} ${id}`)?.amount ?? '0';
    shares.set(`${type} ${id}`, { type, id, amount: sum([known, amount]), currency: doc.currency });
  }
  return [...shares.values()];
}

/** Lines that name no debt pay those of the order; only a deposit is paid in advance for what nobody can know. */
function requireDebts(ctx: Ctx, doc: Request, debts: readonly FreeDebt[]): void {
  const unnamed = unnamedOf(doc);
  if (unnamed.length === 0 || doc.kind === 'DEPOSIT' || isBounded(ctx, doc.subjectType)) return;
  const [first] = unnamed;
  if (doc.subjectId === '') {
    throw refused(
      `【${first?.title ?? ''}】没有对应的应付或单据；预付请选择类型【定金】，其他支出请选择【费用】`,
      'B0929',
    );
  }
  const named = new Map(doc.lines.map((line) => [line.payableId, line.amount]));
  const most = ofDocument(debts, { type: doc.subjectType, id: doc.subjectId }).reduce(
    (total, debt) => total.plus(debt.free).minus(named.get(debt.id) ?? 0),
    new Decimal(0),
  );
  if (most.lt(sum(unnamed.map((line) => line.amount)))) throw overAsked(most, doc.currency, doc.subjectNumber);
}

/**
 * A request reserves what it asks for: all that are under way together never ask for more than is open of a debt, nor for
 * more than an order comes to. Holds the party until the transaction ends; the documents are held by the caller.
 * @throws refused B0928 with what may still be asked for, B0929 for a line that nothing is owed for
 */
export async function requireRoom(ctx: Ctx, doc: Request): Promise<void> {
  if (doc.kind === 'EXPENSE') return;
  await lockParties(ctx, [doc.party.id]);
  const debts = await freeDebts(ctx, doc.party.id, doc.currency, doc.id);
  for (const { payableId, amount, title } of doc.lines) {
    if (payableId === null) continue;
    const free = debts.find((debt) => debt.id === payableId)?.free ?? '0';
    if (new Decimal(free).lt(amount)) throw overAsked(free, doc.currency, title);
  }
  requireDebts(ctx, doc, debts);
  await requireLeft(ctx, sharesOf(doc, doc.lines, debts));
}
