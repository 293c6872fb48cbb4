import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { planWrite } from '#modules/marketplace/server/index.ts';
import { type Policy, type Speed, SUBMITTABLE } from '../../contract/states.ts';
import type { OrderBody } from '../amazon/calls.ts';
import { CREATE } from './kinds.ts';
import { linesOf, lockMcf, put } from './load.ts';

/** Hands an order in: it is planned as a write, and nobody changes it after that. @throws 404; 409 where it is handed in already */
export async function submitOne(ctx: Ctx, id: string): Promise<void> {
  const row = await lockMcf(ctx, id);
  if (!SUBMITTABLE.includes(row.state)) throw conflict(`${row.number} 已经提交`);
  if (row.address === null) throw conflict(`${row.number} 的收件人信息已清除，请重新建单`);
  const lines = await linesOf(ctx, id);
  const body: OrderBody & { id: string } = {
    id,
    marketplaceId: row.marketplace_id,
    number: row.number,
    orderNo: row.order_no,
    orderedAt: new Date(row.ordered_at).toISOString(),
    comment: row.comment,
    speed: row.speed as Speed,
    policy: row.policy as Policy,
    hold: row.hold,
    blankBox: row.blank_box,
    lines,
  };
  await planWrite(ctx, {
    kind: CREATE,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    subject: row.number,
    summary: `${row.order_no}，${row.units} 件${row.hold ? '，暂存' : ''}`,
    request: body,
  });
  await put(ctx, id, { state: 'SUBMITTING', problem: null });
}

/** 提交: drafts and what was refused, all of them or none. Returns how many. */
export async function submitMcf(ctx: Ctx, ids: readonly string[]): Promise<number> {
  for (const id of [...new Set(ids)].sort()) await submitOne(ctx, id);
  await audit(ctx, { action: '提交多渠道订单', resource: 'fulfillment.mcf', after: { count: ids.length } });
  return ids.length;
}
