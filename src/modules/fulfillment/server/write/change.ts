import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { planWrite } from '#modules/marketplace/server/index.ts';
import { CANCELLABLE } from '../../contract/states.ts';
import { CANCEL_KIND, RELEASE } from './kinds.ts';
import { lockMcf, type McfRecord, put } from './load.ts';

async function ask(ctx: Ctx, row: McfRecord, kind: string): Promise<void> {
  await planWrite(ctx, {
    kind,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    subject: row.number,
    summary: `${row.order_no}，${row.units} 件`,
    request: {},
  });
}

/** 放行: a held order goes. @throws 404; 409 where it is not held */
export async function releaseMcf(ctx: Ctx, id: string): Promise<void> {
  const row = await lockMcf(ctx, id);
  if (row.state !== 'HELD') throw conflict('只有暂存的订单可以放行');
  await ask(ctx, row, RELEASE);
  await put(ctx, id, { problem: null });
  await audit(ctx, {
    action: '放行多渠道订单',
    resource: 'fulfillment.mcf',
    resourceId: id,
    after: { number: row.number },
  });
}

/** 取消: what Amazon does not know ends at once; else it is asked, and decides. @throws 404; 409 where it is too late */
export async function cancelMcf(ctx: Ctx, id: string): Promise<void> {
  const row = await lockMcf(ctx, id);
  if (!CANCELLABLE.includes(row.state)) {
    throw conflict(row.state === 'CANCELLING' ? '已经申请取消，等待亚马逊处理' : '已开始拣货或已结束，不能取消');
  }
  const isHere = row.state === 'DRAFT' || row.state === 'REFUSED';
  if (!isHere) await ask(ctx, row, CANCEL_KIND);
  await put(ctx, id, isHere ? { state: 'CANCELLED' } : { state: 'CANCELLING', cancelling: true, problem: null });
  await audit(ctx, {
    action: '取消多渠道订单',
    resource: 'fulfillment.mcf',
    resourceId: id,
    after: { number: row.number },
  });
}
