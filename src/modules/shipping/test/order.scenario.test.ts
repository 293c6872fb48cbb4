import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHealthNow } from '#modules/warehouse/contract/inventory.ts';
import { scanPack, scanPick, scanResolve, scanStart, scanTasks } from '#modules/warehouse/contract/scan.ts';
import { stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { listClaims } from '../contract/claim/calls.ts';
import {
  countShipOrders,
  findShipListings,
  listShipOrders,
  putShipBoxes,
  putShipReceived,
  putShipWay,
  saveShipOrder,
  shipOrderDetail,
  shipSteps,
} from '../contract/order-calls.ts';
import { pickingCode, pickingSheet, pickRows, pickShip } from '../contract/picking.ts';
import { approved, balances, createShipper, detail, draft, goalOf, layers, lineOf, type Shipper } from './support.ts';

let world: World;
let shipper: Shipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['B', 2],
      ['C', 1],
    ],
    D: [],
    'LOOSE-US': [],
    'E-US': [['E', 1]],
    'F-US': [['F', 1]],
    'G-US': [['G', 1]],
    'H-US': [['H', 1]],
  });
});
afterAll(() => world.close());

const box = (items: Record<string, number>, ids: Record<string, string>) => ({
  length: '60',
  width: '40',
  height: '40',
  weight: '15.2',
  items: Object.entries(items).map(([msku, qty]) => ({ lineId: ids[msku] ?? '', qty })),
});

const put = (id: string, boxes: ReturnType<typeof box>[], more: object = {}) =>
  shipper.packer.call(putShipBoxes, { body: { id, boxes, ...more } });

const receive = (id: string, lineId: string, total: number) =>
  shipper.packer.call(putShipReceived, { body: { id, lines: [{ lineId, total }] } });

/** An order on its way, all of one SKU in one box. */
async function sent(msku: string, qty: number) {
  const id = await approved(shipper, [[msku, qty]]);
  await shipper.packer.call(shipSteps.picked, { body: { id } });
  const line = await lineOf(shipper, id, msku);
  await put(id, [box({ [msku]: qty }, { [msku]: line })]);
  await shipper.packer.call(shipSteps.packed, { body: { id } });
  await shipper.packer.call(shipSteps.ship, { body: { id } });
  return { id, line };
}

describe('发货单', () => {
  it('holds, is picked, packed in mixed boxes and sent; pieces keep their layers on the way to Amazon', async () => {
    await stocked(world, shipper, 'A', 10, '2', shipper.main, '2026-01-05');
    await stocked(world, shipper, 'B', 9, '1', shipper.main, '2026-01-06');
    await stocked(world, shipper, 'C', 5, '3', shipper.main, '2026-01-07');
    const found = await shipper.seller.call(findShipListings, {
      body: { authid: shipper.account, marketplaceId: 'ATVPDKIKX0DER', warehouseId: shipper.main, text: 'set' },
    });
    expect(found).toMatchObject([{ msku: 'SET-US', local: 'B×2 + C', available: 4 }]);

    const id = await approved(shipper, [
      ['A-US', 6],
      ['SET-US', 4],
    ]);
    expect(await balances(world, shipper, 'A')).toEqual({ AVAILABLE: 4, RESERVED: 6 });
    expect(await balances(world, shipper, 'B')).toEqual({ AVAILABLE: 1, RESERVED: 8 });
    expect(await balances(world, shipper, 'C')).toEqual({ AVAILABLE: 1, RESERVED: 4 });

    // One C is not to be found: with it a whole set stays at home.
    const rows = await shipper.packer.call(pickRows, { params: { id } });
    expect(rows.map((row) => `${row.product.code} ${row.want} ${row.place}`).sort()).toEqual([
      'A 6 暂存×6',
      'B 8 暂存×8',
      'C 4 暂存×4',
    ]);
    const part = (sku: string) => rows.find((row) => row.product.code === sku)?.lineId ?? '';
    const scan = {
      clientId: randomUUID(),
      lines: [
        { lineId: part('A'), qty: 6 },
        { lineId: part('B'), qty: 8 },
      ],
    };
    await shipper.packer.call(pickShip, { body: { id, ...scan } });
    const again = await shipper.packer.call(pickShip, { body: { id, ...scan } });
    expect(again.repeated).toBe(true);
    await expect(
      shipper.packer.call(pickShip, { body: { id, lines: [{ lineId: part('A'), qty: 1 }] } }),
    ).rejects.toThrow('配货数量超过待配 0');
    await shipper.packer.call(pickShip, { body: { id, lines: [{ lineId: part('C'), qty: 3 }] } });
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    expect((await detail(shipper, id)).lines.map(({ msku, pickedQty }) => [msku, pickedQty])).toEqual([
      ['A-US', 6],
      ['SET-US', 3],
    ]);
    expect(await balances(world, shipper, 'B')).toEqual({ AVAILABLE: 3, RESERVED: 6 });
    expect(await balances(world, shipper, 'C')).toEqual({ AVAILABLE: 2, RESERVED: 3 });

    const ids = { 'A-US': await lineOf(shipper, id, 'A-US'), 'SET-US': await lineOf(shipper, id, 'SET-US') };
    await expect(put(id, [box({ 'A-US': 7 }, ids)])).rejects.toThrow('SKU【A-US】装箱数 7 超过配货数 6');
    await put(id, [box({ 'A-US': 4, 'SET-US': 1 }, ids), box({ 'A-US': 2, 'SET-US': 1 }, ids)]);
    await expect(shipper.packer.call(shipSteps.packed, { body: { id } })).rejects.toThrow(
      'SKU【SET-US】装箱数 2 与配货数 3 不一致',
    );
    await put(id, [box({ 'A-US': 4, 'SET-US': 2 }, ids), box({ 'A-US': 2, 'SET-US': 1 }, ids)]);
    await shipper.packer.call(shipSteps.packed, { body: { id } });
    await shipper.packer.call(putShipWay, {
      body: { id, shipmentNo: 'fba15abc1', carrier: '中远海运', trackingNo: '1Z1' },
    });
    await shipper.packer.call(shipSteps.ship, { body: { id } });

    const goal = await goalOf(world, shipper, id);
    expect(await balances(world, shipper, 'A')).toEqual({ AVAILABLE: 4 });
    expect(await balances(world, shipper, 'A', goal)).toEqual({ IN_TRANSIT: 6 });
    expect(await balances(world, shipper, 'B', goal)).toEqual({ IN_TRANSIT: 6 });
    expect(await layers(world, shipper, 'A', goal)).toEqual(['6@12.0000 2026-01-05']);
    const { order, boxes } = await detail(shipper, id);
    expect(order).toMatchObject({ state: 'shipped', shippedQty: 9, boxes: 2, shipmentNo: 'FBA15ABC1', overdue: false });
    expect(boxes[0]?.items).toHaveLength(2);
    expect((await shipper.packer.call(shipSteps.ship, { body: { id } })).repeated).toBe(true);
  });

  it('posts the difference of cumulative receipts, and loses what never came (E9)', async () => {
    await stocked(world, shipper, 'E', 300, '2', shipper.main, '2026-02-01');
    const { id, line } = await sent('E-US', 300);
    const goal = await goalOf(world, shipper, id);
    const now = () => balances(world, shipper, 'E', goal);
    await receive(id, line, 100);
    expect(await now()).toEqual({ AVAILABLE: 100, IN_TRANSIT: 200 });
    expect((await receive(id, line, 100)).repeated).toBe(true);
    await receive(id, line, 260);
    expect(await now()).toEqual({ AVAILABLE: 260, IN_TRANSIT: 40 });
    await receive(id, line, 255);
    expect(await now()).toEqual({ AVAILABLE: 255, IN_TRANSIT: 45 });
    await expect(receive(id, line, 301)).rejects.toThrow('平台SKU【E-US】累计接收 301 超过已发 300');
    await expect(shipper.lead.call(shipSteps.close, { body: { id } })).rejects.toThrow('请填写原因');
    // Whoever ends an order here does not say that the rest is lost.
    await shipper.lead.call(shipSteps.close, { body: { id, reason: '不再等待' } });
    expect(await now()).toEqual({ AVAILABLE: 255, IN_TRANSIT: 45 });
    expect((await detail(shipper, id)).actions.map(({ name }) => name)).toEqual(['writeOff']);
    await shipper.lead.call(shipSteps.writeOff, { body: { id, reason: '货代确认丢失' } });
    expect(await now()).toEqual({ AVAILABLE: 255 });
    await expect(shipper.lead.call(shipSteps.writeOff, { body: { id, reason: '再来' } })).rejects.toThrow(
      '没有仍在途的数量',
    );
    const { order, lines } = await detail(shipper, id);
    expect(order.state).toBe('done');
    expect(lines).toMatchObject([{ shippedQty: 300, receivedQty: 255, lostQty: 45 }]);
    const { records } = await shipper.owner.call(listClaims, { body: { filter: { keyword: order.number } } });
    expect(records).toMatchObject([{ state: 'found', kind: 'SHORT', qty: 45, value: '90.0000', received: 255 }]);
    // Five turn up: they come back with the value and the age that they went with, and the case lacks them no more.
    await receive(id, line, 260);
    expect(await now()).toEqual({ AVAILABLE: 260 });
    expect(await layers(world, shipper, 'E', goal)).toContain('5@10.0000 2026-02-01');
    expect((await detail(shipper, id)).lines).toMatchObject([{ receivedQty: 260, lostQty: 40 }]);
    expect((await shipper.owner.call(listClaims, { body: { filter: {} } })).records).toMatchObject([
      { state: 'found', qty: 40, foundQty: 5, value: '80.0000' },
    ]);
    // With the last of them nothing is missing any more.
    await receive(id, line, 300);
    expect((await shipper.owner.call(listClaims, { body: { filter: {} } })).records).toMatchObject([
      { state: 'closed', qty: 0, foundQty: 45, value: '0.0000' },
    ]);
  });

  it('is done with the last piece', async () => {
    await stocked(world, shipper, 'F', 5, '2');
    const { id, line } = await sent('F-US', 5);
    await receive(id, line, 5);
    expect((await detail(shipper, id)).order.state).toBe('done');
  });

  it('gives back what it held when it is cancelled, at any step before it leaves', async () => {
    await stocked(world, shipper, 'D', 8, '2');
    const id = await approved(shipper, [['D', 5]]);
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    await shipper.packer.call(shipSteps.unpick, { body: { id } });
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    expect(await balances(world, shipper, 'D')).toEqual({ AVAILABLE: 3, RESERVED: 5 });
    await shipper.seller.call(shipSteps.cancel, { body: { id, reason: '改走空运' } });
    expect(await balances(world, shipper, 'D')).toEqual({ AVAILABLE: 8 });
    await expect(shipper.packer.call(shipSteps.ship, { body: { id } })).rejects.toThrow('单据状态为【已取消】');
  });

  it('is agreed to and kept waiting; whoever made it does not agree to it', async () => {
    await stocked(world, shipper, 'G', 4, '2');
    const { id } = await draft(shipper, [['G-US', 4]]);
    await shipper.seller.call(shipSteps.submit, { body: { id } });
    await expect(shipper.seller.call(shipSteps.approve, { body: { id } })).rejects.toThrow();
    await shipper.lead.call(shipSteps.hold, { body: { id } });
    expect(await balances(world, shipper, 'G')).toEqual({ RESERVED: 4 });
    await expect(shipper.packer.call(shipSteps.picked, { body: { id } })).rejects.toThrow('单据状态为【已保持】');
    await shipper.lead.call(shipSteps.unhold, { body: { id } });
    expect((await detail(shipper, id)).order.state).toBe('picking');
  });

  it('holds all of its lines or none', async () => {
    const { id } = await draft(shipper, [
      ['A-US', 1],
      ['H-US', 1],
    ]);
    const before = await balances(world, shipper, 'A');
    await shipper.seller.call(shipSteps.submit, { body: { id } });
    await expect(shipper.lead.call(shipSteps.approve, { body: { id } })).rejects.toThrow('可用库存不足');
    expect(await balances(world, shipper, 'A')).toEqual(before);
  });

  it('says in words what cannot be sent', async () => {
    await expect(draft(shipper, [['LOOSE-US', 1]])).rejects.toThrow('第 1 行：平台SKU【LOOSE-US】未关联本地产品');
    await expect(draft(shipper, [['NO-US', 1]])).rejects.toThrow('第 1 行：站点没有平台SKU【NO-US】');
    await expect(
      draft(shipper, [
        ['A-US', 1],
        ['A-US', 2],
      ]),
    ).rejects.toThrow('第 2 行：不能重复添加平台SKU【A-US】');
    await expect(draft(shipper, [['A-US', 10, { boxQty: 4 }]], { packType: 'CASE' })).rejects.toThrow(
      '第 1 行：原箱发货数量 10 不是每箱数 4 的整数倍',
    );
    await expect(draft(shipper, [['A-US', 1]], { warehouseId: shipper.qc })).rejects.toThrow('发货仓须为正品仓');
    await expect(draft(shipper, [['A-US', 1]], { marketplaceId: 'A1F83G8C2ARO7P' })).rejects.toThrow('站点');
    const { id, version } = await draft(shipper, [['A-US', 1]]);
    const { input } = await detail(shipper, id);
    await shipper.seller.call(saveShipOrder, { body: { ...input, remark: '改了' } });
    await expect(shipper.seller.call(saveShipOrder, { body: { ...input, version } })).rejects.toThrow(
      '修改，请刷新后重试',
    );
  });

  it('is packed by twenty people at once, and no piece is packed twice', async () => {
    await stocked(world, shipper, 'H', 40, '2');
    const id = await approved(shipper, [['H-US', 40]]);
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    const line = await lineOf(shipper, id, 'H-US');
    /** Adds a box to what is there, as the packing page does, until nobody else was faster. */
    const packOne = async (): Promise<void> => {
      for (;;) {
        const { order, boxes } = await detail(shipper, id);
        const mine = { length: '30', width: '20', height: '20', weight: '3', items: [{ lineId: line, qty: 2 }] };
        const failed = await shipper.packer
          .call(putShipBoxes, { body: { id, version: order.version, boxes: [...boxes, mine] } })
          .then(
            () => undefined,
            (error: Error) => error,
          );
        if (!failed) return;
        expect(failed.message).toContain('修改，请刷新后重试');
      }
    };
    await Promise.all(Array.from({ length: 20 }, packOne));
    const { boxes, lines } = await detail(shipper, id);
    expect(boxes).toHaveLength(20);
    expect(lines).toMatchObject([{ pickedQty: 40, boxedQty: 40 }]);
    await expect(put(id, [...boxes, ...boxes] as never)).rejects.toThrow('装箱数 80 超过配货数 40');
    await shipper.packer.call(shipSteps.packed, { body: { id } });
  });

  it('has a sheet to walk with, and a code that opens it on a phone', async () => {
    await stocked(world, shipper, 'A', 4, '2');
    const id = await approved(shipper, [['A-US', 3] as const], { remark: '轻放' });
    const sheet = await shipper.packer.call(pickingSheet, { params: { id } });
    expect(Object.keys(sheet)).toEqual([
      'shipmentid',
      'createdate',
      'skuamount',
      'sumQuantity',
      'groupname',
      'country',
      'center',
      'warehouse',
      'remark',
      'auditime',
      'itemList',
    ]);
    expect(sheet).toMatchObject({
      skuamount: 1,
      sumQuantity: 3,
      groupname: '远航旗舰店',
      country: 'US',
      warehouse: '深圳仓',
      remark: '轻放',
    });
    expect(sheet.itemList).toMatchObject([{ sku: 'A', sellersku: 'A-US', quantityShipped: 3, place: '暂存×3' }]);
    const code = await shipper.packer.send(pickingCode, { params: { id, size: 3 } });
    expect(code.headers['content-type']).toBe('image/png');
    const larger = await shipper.packer.send(pickingCode, { params: { id, size: 6 } });
    // Width in the header of a PNG: twice the pixels of a module.
    expect(larger.raw.readUInt32BE(16)).toBe(2 * code.raw.readUInt32BE(16));
  });

  it('is picked by phone: the code on its sheet opens it, and the last scan ends the picking', async () => {
    await stocked(world, shipper, 'G', 3, '2');
    const id = await approved(shipper, [['G-US', 3]]);
    const query = { warehouseId: shipper.main };
    const waits = await shipper.packer.call(scanTasks, { query: { ...query, mode: 'pick' } });
    expect(waits).toContainEqual(
      expect.objectContaining({ id, kind: 'ship', partner: '远航旗舰店-US', qty: 3, done: 0 }),
    );
    expect((await shipper.packer.call(scanStart, {})).modes).toContain('pick');
    expect((await shipper.seller.call(scanStart, {})).modes).toEqual([]);
    const meant = await shipper.packer.call(scanResolve, { body: { code: `PS.${id}`, warehouseId: shipper.second } });
    expect(meant).toMatchObject({ means: 'document', kind: 'ship', id, warehouseId: shipper.main });
    const { task, products } = await shipper.packer.call(scanPack, { query: { ...query, kind: 'ship', id } });
    expect(task?.lines).toMatchObject([{ want: 3, done: 0, place: '暂存×3' }]);
    expect(products.map((one) => one.product.code)).toEqual(['G']);
    const lineId = task?.lines[0]?.lineId ?? '';
    const took = (qty: number) => ({
      body: { kind: 'ship' as const, id, clientId: randomUUID(), lines: [{ lineId, qty }] },
    });
    await expect(shipper.seller.call(scanPick, took(1))).rejects.toThrow();
    await shipper.packer.call(scanPick, took(2));
    const last = took(1);
    expect(await shipper.packer.call(scanPick, last)).toMatchObject({ state: 'packing', message: '已全部配齐' });
    expect((await shipper.packer.call(scanPick, last)).repeated).toBe(true);
    expect((await detail(shipper, id)).lines).toMatchObject([{ pickedQty: 3 }]);
  });

  it('is listed by state, store and words, and never to another company', async () => {
    const { records } = await shipper.seller.call(listShipOrders, { body: { filter: { keyword: 'FBA15ABC1' } } });
    expect(records).toMatchObject([{ state: 'shipped', store: { name: '远航旗舰店', country: 'US' } }]);
    const counts = await shipper.seller.call(countShipOrders, { body: { filter: {} } });
    expect(counts.done).toBe(2);
    const stranger = await world.owner();
    expect((await stranger.call(listShipOrders, { body: { filter: {} } })).total).toBe(0);
    await expect(stranger.call(shipOrderDetail, { params: { id: records[0]?.id ?? '' } })).rejects.toThrow(
      '发货单不存在',
    );
  });

  it('leaves books that the self-check finds whole', async () => {
    expect((await shipper.owner.call(runHealthNow, { body: {} })).broken).toBe(0);
  });
});
