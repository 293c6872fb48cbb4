import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestSteps } from '#modules/finance/contract/requests.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  checkOrder,
  closeLines,
  countOrders,
  listOrders,
  orderSteps,
  requestOrderPayment,
  saveOrder,
} from '../contract/order-calls.ts';
import { inspectGoods, listReceipts, receiptLines, receiveGoods, reverseReceipt } from '../contract/receipt.ts';
import { saveSetting } from '../contract/setting.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  createSupplier,
  detailOf,
  draftOrder,
  lineOf,
  placedOrder,
  productOf,
  receive,
  stockValue,
} from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']);
});
afterAll(() => world.close());

describe('采购单', () => {
  it('goes from a draft over a return and the approval to the supplier, and its pieces are waited for', async () => {
    const saved = await draftOrder(buyers, [{ sku: 'A', qty: 1000, unitPrice: '8.6' }], { freight: '100' });
    expect(saved.number).toMatch(/^PO\d{6}0001$/);
    await buyers.buyer.call(orderSteps.submit, { body: { id: saved.id } });
    await expect(draftChanged(saved.id)).rejects.toThrow('单据状态为【待审核】，不能执行【修改】');
    await expect(buyers.chief.call(orderSteps.reject, { body: { id: saved.id } })).rejects.toThrow('请填写原因');
    await buyers.chief.call(orderSteps.reject, { body: { id: saved.id, reason: '运费过高' } });
    await draftChanged(saved.id);
    await buyers.buyer.call(orderSteps.submit, { body: { id: saved.id } });
    const approved = await buyers.chief.call(orderSteps.approve, { body: { id: saved.id } });
    expect(approved.state).toBe('approved');
    expect(await balances(world, buyers, 'A')).toEqual({});
    await buyers.buyer.call(orderSteps.place, { body: { id: saved.id } });
    expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 1000 });
    const again = await buyers.buyer.call(orderSteps.place, { body: { id: saved.id } });
    expect(again).toMatchObject({ repeated: true, message: '该操作已完成，无需重复提交' });
    const { order, timeline } = await detailOf(buyers, saved.id);
    expect(order).toMatchObject({
      stage: 'ordered',
      amount: '8600.0000',
      openQty: 1000,
      termsText: '下单后 30%，到货后30天 70%',
    });
    expect(timeline.map((entry) => entry.title)).toEqual(['下单', '通过', '提交', '修改', '驳回', '提交', '创建']);
  });

  const draftChanged = (id: string) =>
    buyers.buyer.call(saveOrder, {
      body: {
        id,
        supplierId: buyers.supplier,
        warehouseId: buyers.main,
        lines: [{ productId: productOf(buyers, 'A'), qty: 1000, unitPrice: '8.6' }],
      },
    });

  it('received, closed short: what is owed, the stock and what is waited for agree', async () => {
    const { records } = await buyers.owner.call(listOrders, { body: { filter: { keyword: ['A'] } } });
    const id = records[0]?.id ?? '';
    await receive(buyers, id, 'A', 600, true);
    expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 400, QUARANTINE: 600 });
    const { records: receipts } = await buyers.owner.call(listReceipts, { body: { filter: { state: 'inspecting' } } });
    const [line] = await buyers.owner.call(receiptLines, { params: { id: receipts[0]?.id ?? '' } });
    const inspect = (found: object) =>
      buyers.keeper.call(inspectGoods, {
        body: { id: receipts[0]?.id ?? '', lines: [{ lineId: line?.id ?? '', ...found }] },
      });
    await expect(inspect({ passed: 601 })).rejects.toThrow('质检数量超过待检 600');
    await expect(inspect({ passed: 500, rejected: 25 })).rejects.toThrow('特采和不合格须填写原因');
    await inspect({ passed: 565, special: 10, rejected: 25, reason: '外箱破损' });
    expect(await balances(world, buyers, 'A')).toEqual({ AVAILABLE: 575, DEFECTIVE: 25, EXPECTED: 400 });
    await receive(buyers, id, 'A', 360);
    expect(await stockValue(world, buyers, 'A')).toBe('8256.00');
    await expect(buyers.chief.call(orderSteps.complete, { body: { id } })).rejects.toThrow('还有40件未到货');
    await buyers.chief.call(closeLines, { body: { id, reason: '供应商缺货' } });
    expect(await balances(world, buyers, 'A')).toEqual({ AVAILABLE: 935, DEFECTIVE: 25 });
    const { order, lines } = await detailOf(buyers, id);
    expect(order).toMatchObject({ stage: 'unpaid', dueAmount: '8256.0000', openQty: 0 });
    expect(lines[0]).toMatchObject({ received: 960, rejected: 25, cancelled: 40, openQty: 0, mostQty: 0 });
    await expect(receive(buyers, id, 'A', 1)).rejects.toThrow('超出允收数量，最多还可收0');
    expect((await buyers.chief.call(orderSteps.complete, { body: { id } })).state).toBe('closed');
    await buyers.chief.call(orderSteps.reopen, { body: { id, reason: '补开发票' } });
    expect((await detailOf(buyers, id)).order.stage).toBe('unpaid');
  });

  it('a part of what is open is given up, the rest is waited for, and so much may be asked for', async () => {
    const setting = { separateApprover: true, receiveTolerance: '0.1', priceRise: '0.05', changeTolerance: '0' };
    await buyers.owner.call(saveSetting, { body: setting });
    const { id } = await placedOrder(buyers, [{ sku: 'I', qty: 100, unitPrice: '8.6' }], { freight: '50' });
    await buyers.owner.call(saveSetting, { body: { ...setting, receiveTolerance: '0' } });
    await receive(buyers, id, 'I', 60);
    const line = await lineOf(buyers, id, 'I');
    const close = (qty: number, lineId = line.id) =>
      buyers.chief.call(closeLines, { body: { id, reason: '断货', lines: [{ lineId, qty }] } });
    await expect(close(41)).rejects.toThrow('第1行待到货40，不能结束41');
    await expect(close(1, id)).rejects.toThrow('明细行不存在');
    expect((await close(30)).message).toContain('30件已结束收货，还有10件待到货');
    // Ten percent of what is left of the order may come on top: 7 of 70.
    expect(await lineOf(buyers, id, 'I')).toMatchObject({ cancelled: 30, openQty: 10, mostQty: 17 });
    expect(await balances(world, buyers, 'I')).toEqual({ AVAILABLE: 60, EXPECTED: 10 });
    const { order, money, timeline } = await detailOf(buyers, id);
    expect(order).toMatchObject({ stage: 'ordered', openQty: 10, dueAmount: '546.0000' });
    expect(timeline[0]?.body).toBe('30 件，还有 10 件待到货：断货');
    // 70 pieces at 8.60 and their share of the freight: 602 + 35.
    expect(money.left).toBe('637.00');
    await expect(
      buyers.owner.call(requestOrderPayment, { body: { id, kind: 'BALANCE', amount: '637.01' } }),
    ).rejects.toThrow('637');
    await buyers.owner.call(requestOrderPayment, { body: { id, kind: 'BALANCE', amount: '637' } });
    await expect(close(1)).rejects.toThrow('请款中 637.00 超过变动后的待付 627.90');
    await expect(receive(buyers, id, 'I', 18)).rejects.toThrow('最多还可收17');
    await receive(buyers, id, 'I', 10);
    expect(await balances(world, buyers, 'I')).toEqual({ AVAILABLE: 70 });
    expect((await detailOf(buyers, id)).order).toMatchObject({ stage: 'unpaid', dueAmount: '637.0000' });
  });

  it('takes 10,150 and then 50 of 10,000 at two percent, and not one more', async () => {
    const setting = { separateApprover: true, receiveTolerance: '0.02', priceRise: '0.05', changeTolerance: '0' };
    await buyers.owner.call(saveSetting, { body: setting });
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 10_000, unitPrice: '0.333333' }]);
    await receive(buyers, id, 'B', 10_150);
    await receive(buyers, id, 'B', 50);
    await expect(receive(buyers, id, 'B', 1)).rejects.toThrow('超出允收数量，最多还可收0');
    await buyers.owner.call(saveSetting, { body: { ...setting, receiveTolerance: '0' } });
    const { order, receipts } = await detailOf(buyers, id);
    expect(order.dueAmount).toBe('3400.0000');
    expect(receipts.map((row) => row.amount)).toEqual(['16.6700', '3383.3300']);
    expect(await stockValue(world, buyers, 'B')).toBe('3400.00');
    expect(await balances(world, buyers, 'B')).toEqual({ AVAILABLE: 10_200 });
  });

  it('shares freight and discount among the lines; a gift costs nothing but its share', async () => {
    const { id } = await placedOrder(
      buyers,
      [
        { sku: 'C', qty: 100, unitPrice: '10' },
        { sku: 'C', qty: 10, gift: true },
        { sku: 'D', qty: 3, unitPrice: '100' },
      ],
      { freight: '113', discount: '13', feeSplit: 'QTY' },
    );
    const { lines, order } = await detailOf(buyers, id);
    expect(lines.map((line) => [line.amount, line.charge])).toEqual([
      ['1000.0000', '88.5000'],
      ['0.0000', '8.8500'],
      ['300.0000', '2.6500'],
    ]);
    expect(order.amount).toBe('1400.0000');
    await receive(buyers, id, 'C', 50);
    await receive(buyers, id, 'C', 50);
    const gift = await lineOf(buyers, id, 'C', true);
    const d = await lineOf(buyers, id, 'D');
    await buyers.keeper.call(receiveGoods, {
      body: {
        id,
        lines: [
          { lineId: gift.id, qty: 10 },
          { lineId: d.id, qty: 3 },
        ],
      },
    });
    expect(await stockValue(world, buyers, 'C')).toBe('1097.35');
    expect(await stockValue(world, buyers, 'D')).toBe('302.65');
    expect((await detailOf(buyers, id)).order).toMatchObject({
      dueAmount: '1400.0000',
      stage: 'unpaid',
      receivedShare: '1',
    });
  });

  it('a receipt that is sent five times counts once; one that is taken back leaves no trace but its record', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'E', qty: 10, unitPrice: '3.33' }]);
    const line = await lineOf(buyers, id, 'E');
    const once = () =>
      buyers.keeper.call(receiveGoods, { body: { id, clientId: 'truck-1', lines: [{ lineId: line.id, qty: 4 }] } });
    const all = await Promise.all([once(), once(), once(), once(), once()]);
    expect(all.filter((one) => !one.repeated)).toHaveLength(1);
    expect(new Set(all.map((one) => one.receiptId)).size).toBe(1);
    expect(await balances(world, buyers, 'E')).toEqual({ AVAILABLE: 4, EXPECTED: 6 });
    const receiptId = all[0]?.receiptId ?? '';
    await buyers.chief.call(reverseReceipt, { body: { id: receiptId, reason: '录错' } });
    expect(await balances(world, buyers, 'E')).toEqual({ EXPECTED: 10 });
    expect(await stockValue(world, buyers, 'E')).toBe('0.00');
    expect((await detailOf(buyers, id)).order).toMatchObject({ dueAmount: '0.0000', receivedQty: 0, openQty: 10 });
    await expect(buyers.chief.call(reverseReceipt, { body: { id: receiptId, reason: '再来' } })).rejects.toThrow(
      '到货单已撤销',
    );
  });

  it('receipts beyond the order are taken back in any order, and what is waited for stays right', async () => {
    const setting = { separateApprover: true, receiveTolerance: '0.5', priceRise: '0.05', changeTolerance: '0' };
    await buyers.owner.call(saveSetting, { body: setting });
    const { id } = await placedOrder(buyers, [{ sku: 'F', qty: 10, unitPrice: '2' }]);
    const first = await receive(buyers, id, 'F', 8);
    await receive(buyers, id, 'F', 5);
    await buyers.owner.call(saveSetting, { body: { ...setting, receiveTolerance: '0' } });
    expect(await balances(world, buyers, 'F')).toEqual({ AVAILABLE: 13 });
    await buyers.chief.call(reverseReceipt, { body: { id: first.receiptId, reason: '录错' } });
    expect(await balances(world, buyers, 'F')).toEqual({ AVAILABLE: 5, EXPECTED: 5 });
    expect(await lineOf(buyers, id, 'F')).toMatchObject({ received: 5, openQty: 5 });
  });

  it('is cancelled while nothing came, and then everything about it is gone', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'G', qty: 10 }]);
    await buyers.owner.call(requestOrderPayment, { body: { id, kind: 'DEPOSIT', amount: '1.00' } });
    const request = { id: (await detailOf(buyers, id)).payments[0]?.id ?? '' };
    await expect(buyers.chief.call(orderSteps.cancel, { body: { id, reason: '改款' } })).rejects.toThrow(
      '存在未完成的请款，请先撤回',
    );
    await buyers.owner.call(requestSteps.withdraw, { body: request });
    expect((await buyers.chief.call(orderSteps.cancel, { body: { id, reason: '改款' } })).state).toBe('void');
    expect(await balances(world, buyers, 'G')).toEqual({});
    await expect(receive(buyers, id, 'G', 1)).rejects.toThrow('订单未下单或已作废，不能收货');
    const came = await placedOrder(buyers, [{ sku: 'G', qty: 10 }]);
    await receive(buyers, came.id, 'G', 1);
    await expect(buyers.chief.call(orderSteps.cancel, { body: { id: came.id, reason: '改款' } })).rejects.toThrow(
      '订单已收货，不能取消，请结束收货',
    );
  });

  it('is not approved by its maker while somebody else could', async () => {
    const saved = await buyers.owner.call(saveOrder, {
      body: {
        supplierId: buyers.supplier,
        warehouseId: buyers.main,
        lines: [{ productId: productOf(buyers, 'H'), qty: 1, unitPrice: '1' }],
      },
    });
    await buyers.owner.call(orderSteps.submit, { body: { id: saved.id } });
    await expect(buyers.owner.call(orderSteps.approve, { body: { id: saved.id } })).rejects.toThrow(
      '不能审批自己提交的单据',
    );
  });

  it('says before the submission what is wrong, and refuses what makes no sense', async () => {
    const body = {
      supplierId: buyers.supplier,
      warehouseId: buyers.main,
      discount: '5',
      lines: [{ productId: productOf(buyers, 'B'), qty: 1, unitPrice: '0.4' }],
    };
    const { findings, total, stages } = await buyers.buyer.call(checkOrder, { body });
    expect(total).toBe('-4.60');
    expect(stages.map((stage) => stage.title)).toEqual(['下单后 30%', '到货后30天 70%']);
    expect(findings.map((finding) => finding.text)).toEqual([
      '优惠不能大于货款与费用之和',
      '该供应商没有此商品的报价',
      '单价较近3次均价上涨20%',
    ]);
    const send = async (more: object) =>
      (await buyers.buyer.send(saveOrder, { body: { ...body, discount: '0', ...more } as never })).msg;
    expect(await send({ currency: 'USD' })).toBe('无海外采购权限');
    expect(await send({ warehouseId: buyers.qc })).toBe('采购单的入库仓须为正品仓');
    expect(await send({ lines: [...body.lines, ...body.lines] })).toBe('不能重复添加SKU，赠品除外');
    expect(await send({ lines: [] })).toContain('至少添加一行数据');
    const rough = await createSupplier(buyers.owner, '义乌恒泰');
    const other = await draftOrder(buyers, [{ sku: 'H', qty: 1, unitPrice: '0' }], { supplierId: rough });
    await expect(buyers.buyer.call(orderSteps.submit, { body: { id: other.id } })).rejects.toThrow(
      '第1行的单价须大于0',
    );
  });

  it('shows prices to nobody without the right, and counts by stage', async () => {
    const { records, totals } = await buyers.keeper.call(listOrders, { body: { filter: {} } });
    expect(records.length).toBeGreaterThan(5);
    expect(records.every((row) => !('amount' in row) && !('dueAmount' in row))).toBe(true);
    expect(totals).not.toHaveProperty('amount');
    const counts = await buyers.keeper.call(countOrders, { body: {} });
    expect(counts).toMatchObject({ pending: 1, void: 1 });
    expect(counts.all).toBe(Object.entries(counts).reduce((sum, [key, n]) => (key === 'all' ? sum : sum + n), 0));
  });
});
