import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { reversePosted } from '#modules/finance/server/index.ts';
import { requireMove, reverse } from '#modules/warehouse/server/index.ts';
import { processOrder } from '../../contract/process.ts';

import { stepProcess } from './act.ts';
import { type Cell, negative, noteBack } from './events.ts';
import { lockedProcess } from './load.ts';
import { addUp } from './output.ts';

interface Made {
  orderId: string;
  seq: number;
  qty: number;
  scrapped: number;
  fee: string;
  cost: string;
  posting: string | null;
  reversed: boolean;
}

async function madeBy(ctx: Ctx, id: string): Promise<Made> {
  const { rows } = await sql<Made>`
    SELECT order_id AS "orderId", seq, qty, scrapped, fee::text, cost::text, posting_id AS posting, reversed
      FROM purchase.process_output WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  const [made] = rows;
  if (!made) throw notFound();
  return made;
}

/** What an output had used up. */
async function usedIn(ctx: Ctx, orderId: string, posting: string): Promise<Cell[]> {
  const row = await ctx.db
    .selectFrom('purchase.process_event')
    .select('cells')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .where('posting_id', '=', posting)
    .where('event', '=', 'output')
    .executeTakeFirstOrThrow();
  return negative(row.cells as unknown as Cell[]);
}

/**
 * Takes an output back: product out, parts in work again as they were, and the fee is owed no longer. A finished order
 * runs again. @throws refused B1072 stopped or taken back before, B0807 where the pieces were used, B0902 where the fee
 * has been paid
 */
export async function reverseOutput(ctx: Ctx, input: { outputId: string; reason: string }): Promise<Outcome> {
  const order = await lockedProcess(ctx, (await madeBy(ctx, input.outputId)).orderId);
  requireMove(ctx, order.warehouse);
  // Read again under the lock: somebody else may have taken it back meanwhile.
  const made = await madeBy(ctx, input.outputId);
  if (made.reversed) throw refused('完工记录已撤销', 'B1072');
  if (!['running', 'done'].includes(order.state)) throw refused('加工单已终止，不能撤销完工', 'B1072');
  const { posting } = made;
  if (posting !== null) {
    const cells = await usedIn(ctx, order.id, posting);
    const back = await unscoped(ctx, () => reverse(ctx, posting, input.reason));
    await unscoped(ctx, () => noteBack(ctx, order, back.id, cells));
  }
  await reversePosted(ctx, { type: processOrder.name, id: input.outputId, event: 'output' }, input.reason);
  await ctx.db
    .updateTable('purchase.process_output')
    .set({ reversed: true })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.outputId)
    .execute();
  await addUp(ctx, order.id, made, -1);
  const body = `第 ${made.seq} 次，${made.qty} 件：${input.reason}`;
  await note(ctx, processOrder.name, order.id, { kind: 'note', title: '撤销完工', body });
  await audit(ctx, {
    action: '采购加工单·撤销完工',
    resource: processOrder.name,
    resourceId: order.id,
    before: { seq: made.seq, qty: made.qty, scrapped: made.scrapped },
    after: { reversed: true, reason: input.reason },
  });
  const now = await lockedProcess(ctx, order.id);
  if (now.state === 'done') await stepProcess({ ...ctx, permissions: undefined }, now, 'resume');
  return outcome(await lockedProcess(ctx, order.id), `${order.number} 第 ${made.seq} 次完工已撤销`);
}
