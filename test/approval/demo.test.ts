import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOnce } from '#kit/server/made.ts';
import { listFlows, readFlow } from '#modules/approval/contract/flows.ts';
import { demoFlows } from '#modules/approval/server/index.ts';
import { blocRequest } from '#modules/finance/contract/bloc.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { requisition } from '#modules/purchase/contract/requisition.ts';
import { createWorld, type World } from '#test/support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('the flows of the demo are there once and without a problem', async () => {
  const owner = await world.owner();
  const finance = await world.member(owner, []);
  const kinds = { plan: requisition.name, order: purchaseOrder.name, bloc: blocRequest.name };
  const deciders = { boss: owner.userId, finance: finance.userId };
  const put = () => world.as(owner, (ctx) => makeOnce(ctx, 'demo.flows', () => demoFlows(ctx, kinds, deciders)));
  await put();
  await put();
  const { records } = await owner.call(listFlows, { body: {} });
  expect(records.map((row) => [row.name, row.state]).sort()).toEqual([
    ['往来申请审批', 'published'],
    ['采购单分级审批', 'draft'],
    ['采购计划审批', 'published'],
  ]);
  for (const { id } of records) expect((await owner.call(readFlow, { params: { id } })).problems).toEqual([]);
});
