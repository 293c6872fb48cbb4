import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvedInbound, balances, createHouse, type House, layers, productOf, today } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { saveSetting } from '../../contract/documents/choices.ts';
import { inboundCalls } from '../../contract/documents/inbound.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G']);
});
afterAll(() => world.close());

const detail = (id: string) => house.owner.call(inboundCalls.data, { params: { id } });
const lineId = async (id: string, sku: string) => {
  const line = (await detail(id)).lines.find((one) => one.product.code === sku);
  if (!line) throw new Error(`no line ${sku}`);
  return line.id;
};

describe('入库单', () => {
  it('goes from a draft over the approval and two receipts to its end', async () => {
    const saved = await house.clerk.call(inboundCalls.save, {
      body: {
        warehouseId: house.main,
        partner: '义乌供应商',
        lines: [
          { productId: productOf(house, 'A'), qty: 10, unitCost: '2.5' },
          { productId: productOf(house, 'B'), qty: 5, unitCost: '1', lotNo: 'L1', expiresAt: '2030-01-01' },
        ],
      },
    });
    expect(saved.number).toMatch(/^RK\d{6}0001$/);
    expect((await house.clerk.call(inboundCalls.submit, { body: { id: saved.id } })).state).toBe('pending');
    await expect(
      house.clerk.call(inboundCalls.save, {
        body: { id: saved.id, warehouseId: house.main, lines: [{ productId: productOf(house, 'A'), qty: 1 }] },
      }),
    ).rejects.toThrow('单据状态为【待审核】，不能执行【修改】');
    const approved = await house.chief.call(inboundCalls.approve, { body: { id: saved.id, version: 1 } });
    expect(approved).toMatchObject({ state: 'receiving', version: 2, repeated: false });
    expect(await balances(world, house, 'A')).toEqual({ EXPECTED: 10 });

    const first = await house.keeper.call(inboundCalls.receive, {
      body: { id: saved.id, lines: [{ lineId: await lineId(saved.id, 'A'), qty: 4 }] },
    });
    expect(first.state).toBe('partial');
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 4, EXPECTED: 6 });
    const last = await house.keeper.call(inboundCalls.receive, {
      body: {
        id: saved.id,
        lines: [
          { lineId: await lineId(saved.id, 'A'), qty: 6 },
          { lineId: await lineId(saved.id, 'B'), qty: 5 },
        ],
      },
    });
    expect(last.state).toBe('done');
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 10 });
    expect(await layers(world, house, 'A')).toEqual([`4@10.0000 ${today()}`, `6@15.0000 ${today()}`]);
    const { lines, entries, timeline } = await detail(saved.id);
    expect(lines.map((line) => [line.doneQty, line.amount])).toEqual([
      [10, '25.0000'],
      [5, '5.0000'],
    ]);
    expect(entries.some((entry) => entry.lotNo === 'L1' && entry.event === '收货' && entry.qty === 5)).toBe(true);
    expect(timeline.map((entry) => entry.title)).toEqual(['收货完成', '收货', '通过', '提交', '创建']);
  });

  it('is not approved by its maker while somebody else could; alone he may', async () => {
    const saved = await house.owner.call(inboundCalls.save, {
      body: { warehouseId: house.main, lines: [{ productId: productOf(house, 'C'), qty: 1 }] },
    });
    await house.owner.call(inboundCalls.submit, { body: { id: saved.id } });
    await expect(house.owner.call(inboundCalls.approve, { body: { id: saved.id } })).rejects.toThrow(
      '制单人不能审核自己的单据',
    );
    const setting = { separateApprover: false, receiveTolerance: '0', recountShare: '0.02', recountAmount: '200' };
    await house.owner.call(saveSetting, { body: setting });
    expect((await house.owner.call(inboundCalls.approve, { body: { id: saved.id } })).state).toBe('receiving');
    await house.owner.call(saveSetting, { body: { ...setting, separateApprover: true } });

    const alone = await createHouseOfOne();
    const own = await alone.call(inboundCalls.save, {
      body: { warehouseId: lone.main, lines: [{ productId: productOf(lone, 'A'), qty: 1 }] },
    });
    await alone.call(inboundCalls.submit, { body: { id: own.id } });
    expect((await alone.call(inboundCalls.approve, { body: { id: own.id } })).state).toBe('receiving');
  });

  let lone: House;
  const createHouseOfOne = async () => {
    lone = await createHouse(world, ['A']);
    await world.as(lone.owner, async (ctx) => {
      await ctx.db
        .deleteFrom('identity.member_role')
        .where('company_id', '=', ctx.companyId)
        .where('member_id', '<>', lone.owner.userId)
        .execute();
    });
    return lone.owner;
  };

  it('takes a few more pieces than ordered only as far as the company allows', async () => {
    const { id } = await approvedInbound(house, [{ sku: 'D', qty: 100, unitCost: '1' }]);
    const receive = async (qty: number) =>
      house.keeper.call(inboundCalls.receive, { body: { id, lines: [{ lineId: await lineId(id, 'D'), qty }] } });
    await expect(receive(101)).rejects.toThrow('收货数量超过应收 100');
    await house.owner.call(saveSetting, {
      body: { separateApprover: true, receiveTolerance: '0.05', recountShare: '0.02', recountAmount: '200' },
    });
    await expect(receive(106)).rejects.toThrow('收货数量超过应收 100');
    expect((await receive(105)).state).toBe('done');
    expect(await balances(world, house, 'D')).toEqual({ AVAILABLE: 105 });
  });

  it('closes with less than ordered, and releases what is expected', async () => {
    const { id } = await approvedInbound(house, [{ sku: 'E', qty: 10, unitCost: '1' }]);
    await house.keeper.call(inboundCalls.receive, { body: { id, lines: [{ lineId: await lineId(id, 'E'), qty: 7 }] } });
    await expect(house.keeper.call(inboundCalls.close, { body: { id } })).rejects.toThrow('请填写原因');
    expect((await house.keeper.call(inboundCalls.close, { body: { id, reason: '供应商缺货' } })).state).toBe('done');
    expect(await balances(world, house, 'E')).toEqual({ AVAILABLE: 7 });
    expect((await detail(id)).lines[0]).toMatchObject({ doneQty: 7, shortQty: 3 });
  });

  it('is taken back as a whole; not once its pieces are used', async () => {
    const { id } = await approvedInbound(house, [{ sku: 'F', qty: 10, unitCost: '3' }]);
    const line = await lineId(id, 'F');
    await house.keeper.call(inboundCalls.receive, { body: { id, lines: [{ lineId: line, qty: 4 }] } });
    await house.keeper.call(inboundCalls.receive, { body: { id, lines: [{ lineId: line, qty: 6 }] } });
    const out = await house.clerk.call(outboundCalls.save, {
      body: { warehouseId: house.main, lines: [{ productId: productOf(house, 'F'), qty: 1 }] },
    });
    await house.clerk.call(outboundCalls.submit, { body: { id: out.id } });
    await house.chief.call(outboundCalls.approve, { body: { id: out.id } });
    await expect(house.chief.call(inboundCalls.reverse, { body: { id, reason: '录错' } })).rejects.toThrow(
      `该单据的库存已被 ${out.number} 使用，请先撤销`,
    );
    await house.clerk.call(outboundCalls.cancel, { body: { id: out.id } });
    expect((await house.chief.call(inboundCalls.reverse, { body: { id, reason: '录错' } })).state).toBe('cancelled');
    expect(await balances(world, house, 'F')).toEqual({});
    expect(await layers(world, house, 'F')).toEqual([]);
  });

  it('a receipt that is sent five times counts once, and a stale one is refused by name', async () => {
    const { id } = await approvedInbound(house, [{ sku: 'G', qty: 10, unitCost: '3' }]);
    const line = await lineId(id, 'G');
    const once = () =>
      house.keeper.call(inboundCalls.receive, { body: { id, clientId: 'scan-1', lines: [{ lineId: line, qty: 4 }] } });
    const all = await Promise.all([once(), once(), once(), once(), once()]);
    expect(all.filter((one) => !one.repeated)).toHaveLength(1);
    expect(all.find((one) => one.repeated)?.message).toBe('该操作已完成，无需重复提交');
    expect(await balances(world, house, 'G')).toEqual({ AVAILABLE: 4, EXPECTED: 6 });
    const stale = await house.keeper.send(inboundCalls.receive, {
      body: { id, version: 1, lines: [{ lineId: line, qty: 1 }] },
    });
    expect(stale.status).toBe(409);
    expect(stale.msg).toMatch(/^单据已被 .+ 修改，请刷新后重试$/);
    const again = await house.chief.send(inboundCalls.approve, { body: { id } });
    expect(again.msg).toBe('单据状态为【部分收货】，不能执行【通过】');
  });

  it('shows its cost to nobody without the right, neither in the list nor in the lines', async () => {
    const blind = await world.member(house.owner, ['erp:inv:view', 'erp:inv:export']);
    const { records } = await blind.call(inboundCalls.list, { body: { filter: {} } });
    expect(records.length).toBeGreaterThan(3);
    expect(records.every((row) => !('amount' in row))).toBe(true);
    const { lines } = await blind.call(inboundCalls.data, { params: { id: records[0]?.id ?? '' } });
    expect(lines.every((line) => !('unitCost' in line) && !('amount' in line))).toBe(true);
    const counts = await blind.call(inboundCalls.counts, { body: {} });
    expect(counts.done).toBeGreaterThan(1);
  });

  it('refuses what makes no sense, in words', async () => {
    const save = (lines: object[], more: object = {}) =>
      house.clerk.send(inboundCalls.save, { body: { warehouseId: house.main, lines, ...more } as never });
    const a = productOf(house, 'A');
    expect((await save([])).msg).toContain('至少添加一行数据');
    expect((await save([{ productId: a, qty: 0 }])).msg).toContain('数量必须为正整数');
    expect(
      (
        await save([
          { productId: a, qty: 1 },
          { productId: a, qty: 2 },
        ])
      ).msg,
    ).toBe('不能重复添加SKU');
    expect((await save([{ productId: house.main, qty: 1 }])).msg).toBe('产品不存在或已删除');
    expect((await save([{ productId: a, qty: 1 }], { warehouseId: a })).msg).toBe('仓库不存在或已删除');
    expect(
      (
        await save([
          { productId: a, qty: 1 },
          { productId: a, qty: 2, lotNo: 'X' },
        ])
      ).code,
    ).toBe(201);
  });
});
