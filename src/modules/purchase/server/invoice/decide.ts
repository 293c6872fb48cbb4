import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { purchaseOrder } from '../../contract/order.ts';

import { locked } from '../order/load.ts';
import { rematch } from './match.ts';
import { invoiceNow } from './save.ts';

interface Input {
  id: string;
  version?: number | undefined;
  reason: string;
}

const STEPS = {
  accepted: { title: '核对发票', from: ['pending'] },
  void: { title: '作废发票', from: ['pending', 'matched', 'accepted'] },
} as const;

/**
 * Takes an invoice that differs as it is, or strikes it out; the order's other invoices are held against it anew.
 * Answers 「该操作已完成」 where it was done before. @throws conflict for a stale version, refused B1093 in another state
 */
export async function decideInvoice(ctx: Ctx, to: keyof typeof STEPS, input: Input): Promise<Outcome> {
  const found = await ctx.db
    .selectFrom('purchase.invoice')
    .select('order_id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .executeTakeFirst();
  if (!found) throw notFound();
  const order = await locked(ctx, found.order_id);
  const before = await invoiceNow(ctx, input.id);
  if (before.state === to) {
    ctx.audited = true;
    return outcome(before, DONE_BEFORE, true);
  }
  const step = STEPS[to];
  if (input.version !== undefined && input.version !== before.version) throw conflict('发票已变动，请刷新后重试');
  const from: readonly string[] = step.from;
  if (!from.includes(before.state)) throw refused('发票不在可操作的状态，请刷新后重试', 'B1093');
  await sql`
    UPDATE purchase.invoice
       SET state = ${to}, version = version + 1, reason = ${input.reason}, decided_by_name = ${ctx.userName},
           decided_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${input.id}`.execute(ctx.db);
  await rematch(ctx, order.id);
  const body = `${before.number}：${input.reason}`;
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: step.title, body });
  await audit(ctx, {
    action: step.title,
    resource: 'purchase.invoice',
    resourceId: input.id,
    before: { state: before.state },
    after: { number: before.number, order: order.number, state: to, reason: input.reason },
  });
  return outcome(await invoiceNow(ctx, input.id), `${step.title}：${before.number}`);
}
