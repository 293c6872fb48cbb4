import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { listOperlog } from '#modules/system/contract/operlog.ts';
import { createWorld, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('the log of a document reads in the words of its contract: states, lines, and no ids among them', async () => {
  const owner = await world.owner();
  const supplier = await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } });
  const party = { kind: 'SUPPLIER' as const, id: supplier.id };
  const lines = [
    { title: '货款', amount: '1200', remark: '第一批' },
    { title: '模具费', amount: '80' },
  ];
  const { id } = await owner.call(saveRequest, { body: { kind: 'DEPOSIT', party, lines } });
  await owner.call(requestSteps.submit, { body: { id } });
  const { records } = await owner.call(listOperlog, { body: { filter: { resourceId: id } } });
  expect(records.map((row) => [row.action, row.resourceTitle])).toEqual([
    ['请款单·提交', '请款单'],
    ['请款单·保存', '请款单'],
  ]);
  expect(records[0]?.summary).toBe('状态：草稿 → 待审核');
  const saved = records[1]?.summary ?? '';
  expect(saved).not.toMatch(/[{}"]/);
  expect(saved).not.toContain(supplier.id);
});
