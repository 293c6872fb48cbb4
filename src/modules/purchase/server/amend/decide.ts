import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { flowTells } from '#kit/server/approval.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { note, type TransitionRules, transition } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { remind } from '#modules/message/server/index.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { type AmendmentRow, type AmendmentStep, amendment } from '../../contract/amend.ts';
import { APPROVE, PRICE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import type { CommandInput } from '../order/act.ts';
import { locked, type Order } from '../order/load.ts';
import { ORDER_EVENT } from '../order/tell.ts';
import { requireOtherApprover } from '../setting.ts';
import { applyChanges, type LineChange } from './apply.ts';
import { amendmentObstacle } from './still.ts';

/** A change with the order that it is about. */
export interface Amendment {
  id: string;
  number: string;
  order: string;
  state: string;
  version: number;
  reason: string;
  /** Order currency: by how much the order gets dearer. */
  difference: string;
  createdBy: string | null;
  changes: LineChange[];
  /** Order currency: what all of the order comes to at a platform; null for a change of lines. */
  platformTotal: string | null;
}

/** @throws not found */
export async function amendmentBy(ctx: Ctx, id: string): Promise<Amendment> {
  const { rows } = await sql<Amendment>`
    SELECT id, number, order_id AS order, state, version, reason, difference, created_by AS "createdBy", changes,
           platform_total AS "platformTotal"
      FROM purchase.amendment WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  const found = rows[0];
  if (!found) throw notFound('变更单不存在');
  return found;
}

type AnyStep = keyof typeof amendment.transitions;

async function move(ctx: Ctx, doc: Amendment, name: AnyStep, rules: TransitionRules<Amendment>, reason?: string) {
  const kind = { def: amendment, table: 'purchase.amendment', load: async () => doc, rules: { [name]: rules } };
  const state = await transition(ctx, kind, doc.id, name, { reason });
  return { ...doc, state, version: doc.version + 1 };
}

/**
 * Hands a change in: a flow begins where the company has one for changes, else whoever may approve orders is told and
 * decides.
 */
export async function handIn(ctx: Ctx, id: string): Promise<Outcome> {
  const doc = await amendmentBy(ctx, id);
  const done = await move(ctx, doc, 'submit', {});
  if (!(await flowTells(ctx, amendment, id))) {
    await remind(ctx, {
      event: ORDER_EVENT,
      documentType: amendment.name,
      documentId: id,
      to: { permission: APPROVE, except: doc.createdBy },
      approval: true,
      title: `采购变更单 ${doc.number} 待审核`,
      content: `${ctx.userName} 提交了采购变更单 ${doc.number}，请审核。`,
      dedupeKey: `${amendment.name}:${id}`,
    });
  }
  return outcome(done, `${doc.number} 已提交审核`);
}

/** Ends a change that has become pointless, and the flow that decides about it. */
export async function dropAmendment(ctx: Ctx, id: string, reason: string): Promise<void> {
  await move(ctx, await amendmentBy(ctx, id), 'drop', {}, reason);
}

/** The change counts, and what the order comes to with it is what was approved. */
async function apply(ctx: Ctx, order: Order, doc: Amendment): Promise<void> {
  if (doc.platformTotal === null) await applyChanges(ctx, order, doc.changes);
  await sql`
    UPDATE purchase.purchase_order SET approved_amount = coalesce(${doc.platformTotal}::numeric, amount)
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
}

/**
 * Approves, refuses or takes back a change that waits. @throws refused B1020 one's own, B1083 where the order has moved on so
 * that the change no longer fits; conflict where somebody else decided, or a flow decides
 */
export async function decideAmendment(ctx: Ctx, name: AmendmentStep, input: CommandInput): Promise<Outcome> {
  const { order: orderId } = await amendmentBy(ctx, input.id);
  const order = await locked(ctx, orderId);
  requireMove(ctx, order.warehouse);
  const doc = await amendmentBy(ctx, input.id);
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据已被他人修改，请刷新后重试');
  const rules: TransitionRules<Amendment> = {
    guard: async () => {
      if (name !== 'approve') return undefined;
      await requireOtherApprover(ctx, doc.createdBy, APPROVE);
      return amendmentObstacle(order, doc);
    },
    run: async () => {
      await sql`
        UPDATE purchase.amendment SET decided_by_name = ${ctx.userName}, decided_at = kit.now()
         WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
      if (name === 'approve') await apply(ctx, order, doc);
    },
  };
  const done = await move(ctx, doc, name, rules, input.reason);
  const { title } = amendment.transitions[name];
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: `变更${title}`,
    body: `${doc.number}${input.reason ? `：${input.reason}` : ''}`,
  });
  return outcome(done, `采购变更单${doc.number}${title}成功`);
}

function wordsOf({ before, after }: LineChange, sku: string, prices: boolean): string {
  const said = [
    ...(before.qty === after.qty ? [] : [`数量 ${before.qty} → ${after.qty}`]),
    ...(prices && trim(before.unitPrice) !== trim(after.unitPrice)
      ? [`单价 ${trim(before.unitPrice)} → ${trim(after.unitPrice)}`]
      : []),
    ...(before.expectedOn === after.expectedOn
      ? []
      : [`到货 ${before.expectedOn ?? '未定'} → ${after.expectedOn ?? '未定'}`]),
  ];
  return `${sku} ${said.join('，')}`;
}

const trim = (price: string) => (price.includes('.') ? price.replace(/\.?0+$/, '') : price);

const platformWords = (total: string, prices: boolean) =>
  prices ? `1688金额 ${new Decimal(total).toFixed(2)}` : '1688金额变动';

/** What a change changes, in words; prices only for who may see them. */
export async function wordsOfChanges(
  ctx: Ctx,
  { changes, platformTotal }: Pick<Amendment, 'changes' | 'platformTotal'>,
  prices: boolean,
): Promise<string> {
  if (platformTotal !== null) return platformWords(platformTotal, prices);
  const products = await localProducts(
    ctx,
    changes.map((change) => change.productId),
  );
  return changes.map((change) => wordsOf(change, products.get(change.productId)?.sku ?? '', prices)).join('；');
}

/** The order of a change. @throws not found */
export async function orderOfAmendment(ctx: Ctx, id: string): Promise<{ orderId: string; number: string }> {
  const row = await ctx.db
    .selectFrom('purchase.amendment as a')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'a.company_id').onRef('o.id', '=', 'a.order_id'),
    )
    .select(['o.id as orderId', 'o.number'])
    .where('a.company_id', '=', ctx.companyId)
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('变更单不存在');
  return row;
}

/** The changes of an order, the newest first. */
export async function amendmentsOf(ctx: Ctx, orderId: string): Promise<AmendmentRow[]> {
  const { rows } = await sql<Omit<AmendmentRow, 'words' | 'byFlow'> & Pick<Amendment, 'changes' | 'platformTotal'>>`
    SELECT a.id, a.number, a.state, a.difference, o.currency, a.reason, a.changes, a.created_by_name AS "createdByName",
           a.created_at AS "createdAt", a.decided_by_name AS "decidedByName", a.platform_total AS "platformTotal"
      FROM purchase.amendment AS a
      JOIN purchase.purchase_order AS o ON o.company_id = a.company_id AND o.id = a.order_id
     WHERE a.company_id = ${ctx.companyId} AND a.order_id = ${orderId} ORDER BY a.id DESC`.execute(ctx.db);
  const products = await localProducts(
    ctx,
    rows.flatMap((row) => row.changes.map((change) => change.productId)),
  );
  const prices = can(ctx, PRICE);
  const waiting = rows.find((row) => row.state === 'pending');
  const deciding = waiting !== undefined && (await flowTells(ctx, amendment, waiting.id));
  return rows.map(({ changes, platformTotal, ...row }) => ({
    ...row,
    byFlow: deciding && row.id === waiting.id,
    words:
      platformTotal === null
        ? changes.map((change) => wordsOf(change, products.get(change.productId)?.sku ?? '', prices)).join('；')
        : platformWords(platformTotal, prices),
  }));
}
