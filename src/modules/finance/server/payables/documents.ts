import { sql } from 'kysely';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { type ExtensionPoint, extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { unscoped } from '#kit/server/scope.ts';
import { moneyOf, type OrderMoney } from './money.ts';

/** A document that money is asked and paid for, as the subjects of money name it. */
export interface DocumentRef {
  /** e.g. 'purchase.order' */
  type: string;
  id: string;
}

/** What a document comes to beyond what is owed for it already. */
export interface Worth {
  number: string;
  currency: string;
  /** What all of it will come to while some of it is to come, 0 once nothing is: then its debts say it. Decimal text. */
  ordered: string;
}

/** What finance cannot know of the documents of one type, as it lies below their module. */
export interface PaidDocuments {
  type: string;
  /** Locks the rows of documents in the order of their ids. Whoever moves money does so before anything else is locked. */
  hold(ctx: Ctx, ids: readonly string[]): Promise<void>;
  /** What documents will come to; those that nothing may be paid for are missing. */
  worth(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, Worth>>;
  /** Why a request of such a document is changed by nobody: what it asks for is said there. Chinese; left out where it may be. */
  fixed?: string;
  /** Money of documents has moved: what is paid of them may be another. */
  moved(ctx: Ctx, ids: readonly string[]): Promise<void>;
  /** The general ledger knows the debt from the document itself: what is paid for it ends that debt and is no expense again. */
  booked?: true;
}

export const paidDocuments: ExtensionPoint<PaidDocuments> = extensionPoint('finance.paidDocuments');

/** Documents by the module that knows them, for the whole company: what is paid does not depend on who looks. */
async function byOwner(
  ctx: Ctx,
  refs: readonly DocumentRef[],
  run: (owner: PaidDocuments, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  await unscoped(ctx, async () => {
    for (const owner of extensionsOf(ctx.runtime.modules, paidDocuments)) {
      const ids = [...new Set(refs.flatMap(({ type, id }) => (type === owner.type ? [id] : [])))].sort();
      if (ids.length > 0) await run(owner, ids);
    }
  });
}

/** Documents whose money requests ask for: their own, and those of the debts that their lines name. */
export async function documentsOf(ctx: Ctx, requestIds: readonly string[]): Promise<DocumentRef[]> {
  const { rows } = await sql<DocumentRef>`
    SELECT subject_type AS type, subject_id AS id FROM finance.payment_request
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...requestIds]}::uuid[]) AND subject_id <> ''
    UNION
    SELECT i.subject_type, i.subject_id FROM finance.payment_request_line AS l
      JOIN finance.open_item AS i ON i.company_id = l.company_id AND i.id = l.payable_id
     WHERE l.company_id = ${ctx.companyId} AND l.request_id = ANY (${[...requestIds]}::uuid[]) AND i.subject_id <> ''
     ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

/** Holds documents until the transaction ends, so that what is asked, paid and owed of them changes one after the other. */
export const holdDocuments = (ctx: Ctx, refs: readonly DocumentRef[]): Promise<void> =>
  byOwner(ctx, refs, (owner, ids) => owner.hold(ctx, ids));

/** Tells the modules above that money of their documents has moved. */
export const moneyMoved = (ctx: Ctx, refs: readonly DocumentRef[]): Promise<void> =>
  byOwner(ctx, refs, (owner, ids) => owner.moved(ctx, ids));

/** Whether a module knows what documents of this type come to. */
export const isBounded = (ctx: Ctx, type: string): boolean =>
  extensionsOf(ctx.runtime.modules, paidDocuments).some((owner) => owner.type === type);

/** Why a request for a document of this type may not be changed by hand; undefined where it may. */
export const fixedBy = (ctx: Ctx, type: string): string | undefined =>
  extensionsOf(ctx.runtime.modules, paidDocuments).find((owner) => owner.type === type)?.fixed;

/** What a document comes to, and what is left of it; below 0 where more is paid or asked for. */
export interface Left extends Worth {
  /** The most that may be paid and asked for altogether: what was ordered, or what is owed where that is more. */
  amount: string;
  /** Not paid yet. */
  unpaid: string;
  /** Neither paid nor asked for. */
  left: string;
  /** As the money ledger has it, in its currency; undefined while there is none. */
  money: OrderMoney | undefined;
}

/** What is left to ask for documents whose modules know what they come to, by id; those that take no payment are missing. */
export async function leftOf(ctx: Ctx, refs: readonly DocumentRef[]): Promise<ReadonlyMap<string, Left>> {
  const found = new Map<string, Left>();
  await byOwner(ctx, refs, async (owner, ids) => {
    const worths = await owner.worth(ctx, ids);
    const money = await moneyOf(ctx, owner.type, [...worths.keys()]);
    for (const [id, worth] of worths) {
      const known = money.find((one) => one.subjectId === id && one.currency === worth.currency);
      const amount = Decimal.max(worth.ordered, known?.raised ?? 0);
      const unpaid = amount.minus(known?.paid ?? 0);
      const left = unpaid.minus(known?.requested ?? 0);
      found.set(id, {
        ...worth,
        amount: amount.toFixed(),
        unpaid: unpaid.toFixed(),
        left: left.toFixed(),
        money: known,
      });
    }
  });
  return found;
}

/** The sentence that says how much could have been asked for. */
export const overAsked = (left: Decimal.Value, currency: string, what: string) =>
  refused(`请款合计超过应付金额，剩余可请${Decimal.max(0, left).toFixed(currencyScale(currency))}（${what}）`, 'B0928');

/** What is asked or paid for one document. */
export interface Share extends DocumentRef {
  amount: string;
  currency: string;
}

/** Shares of documents whose modules know what they come to, with what is left. @throws refused B0928 for those that take none */
async function bounded(ctx: Ctx, shares: readonly Share[]): Promise<{ share: Share; known: Left }[]> {
  const checked = shares.filter(({ type }) => isBounded(ctx, type));
  const left = checked.length > 0 ? await leftOf(ctx, checked) : new Map<string, Left>();
  return checked.map((share) => {
    const known = left.get(share.id);
    if (!known) throw refused('关联单据尚未下单、已作废或不存在，不能请款和付款', 'B0928');
    if (known.currency !== share.currency) {
      throw refused(`${known.number} 以 ${known.currency} 结算，请款币种不同`, 'B0928');
    }
    return { share, known };
  });
}

/** What is about to be asked for fits into what the documents come to. @throws refused B0928 with what may be asked for */
export async function requireLeft(ctx: Ctx, shares: readonly Share[]): Promise<void> {
  for (const { share, known } of await bounded(ctx, shares)) {
    if (new Decimal(known.left).lt(share.amount)) throw overAsked(known.left, known.currency, known.number);
  }
}

/** What is about to be paid is still owed: a document may have come to less since it was asked for. @throws refused B0928 */
export async function requireUnpaid(ctx: Ctx, shares: readonly Share[]): Promise<void> {
  for (const { share, known } of await bounded(ctx, shares)) {
    if (new Decimal(known.unpaid).gte(share.amount)) continue;
    const most = Decimal.max(0, known.unpaid).toFixed(currencyScale(known.currency));
    throw refused(`${known.number} 待付只剩 ${most}，请退回请款单修改后再付`, 'B0928');
  }
}
