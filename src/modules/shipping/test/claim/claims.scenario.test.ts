import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { bought } from '#test/support/bought.ts';
import { uploadAs } from '#test/support/upload.ts';
import type { Person } from '#test/support/world.ts';
import {
  checkClaim,
  claimDetail,
  claimNotes,
  claimPack,
  claimSteps,
  countClaims,
  fileClaim,
  listClaims,
  payClaim,
  readClaimWindows,
  saveClaimWindows,
} from '../../contract/claim/calls.ts';
import { shipOrderDetail } from '../../contract/order-calls.ts';
import { listFbaShipments } from '../../contract/shipment.ts';
import { createSender, DAY, HOUR, type Sender } from '../stream-support.ts';

let sender: Sender;
/** Sees shipments, and neither cost nor purchases. */
let clerk: Person;

beforeAll(async () => {
  sender = await createSender();
  const { house, skus, world } = sender;
  const { owner } = house;
  clerk = await world.member(owner, ['amz:ship:view']);
  await bought(house, skus[0], 1, '2');
});
afterAll(() => sender.world.close());

const claimsOf = async (keyword: string) =>
  (await sender.house.owner.call(listClaims, { body: { filter: { keyword } } })).records;
const orderOf = async (id: string) => (await sender.house.owner.call(shipOrderDetail, { params: { id } })).order;

/** Files of an archive by name, as its directory has them. */
function filesOf(archive: Buffer): Record<string, Buffer> {
  const end = archive.length - 22;
  let at = archive.readUInt32LE(end + 16);
  const files: Record<string, Buffer> = {};
  for (let n = archive.readUInt16LE(end + 10); n > 0; n -= 1) {
    const [size, length, local] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const name = archive.subarray(at + 46, at + 46 + length).toString();
    const start = local + 30 + archive.readUInt16LE(local + 26);
    files[name] = inflateRawSync(archive.subarray(start, start + size));
    at += 46 + length;
  }
  return files;
}

test('three are missing: closed, lost, checked, claimed with its papers, paid, and matched once', async () => {
  const { way, house, skus, turn, pass, readPayments } = sender;
  const { owner } = house;
  const { id, number } = await sender.sends([12, 8], '2');
  await way.control({ action: 'found', shipment: number, lines: [{ msku: skus[0], missing: 3 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  expect(await orderOf(id)).toMatchObject({ state: 'done', receivedQty: 17 });
  const [found] = await claimsOf(number);
  expect(found).toMatchObject({
    state: 'found',
    kind: 'SHORT',
    msku: skus[0],
    shipped: 12,
    received: 9,
    qty: 3,
    value: '6.0000',
    daysLeft: 60,
  });
  const claim = found?.id ?? '';

  const windows = await owner.call(readClaimWindows, {});
  expect(windows.every(({ days }) => days === 60)).toBe(true);
  await owner.call(saveClaimWindows, { body: { windows: [{ marketplaceId: 'ATVPDKIKX0DER', days: 90 }] } });
  expect((await claimsOf(number))[0]).toMatchObject({ daysLeft: 90 });

  const checked = await owner.call(checkClaim, { body: { id: claim, cause: 'AMAZON', remark: '称重相符' } });
  expect(checked.state).toBe('toClaim');
  await expect(
    owner.call(fileClaim, { body: { id: claim, version: found?.version, caseNo: '17012345' } }),
  ).rejects.toThrow('修改，请刷新后重试');
  await owner.call(fileClaim, { body: { id: claim, version: checked.version, caseNo: '17012345' } });
  const { text } = await owner.call(claimDetail, { params: { id: claim } });
  expect(text).toContain(`3 of the 12 units that we shipped were not received`);
  expect(text).toContain(number);
  // Who may not see what was bought does not get to see it by the pack.
  const plain = filesOf((await clerk.send(claimPack, { params: { id: claim } })).raw);
  expect(Object.keys(plain)).toEqual(['case.txt', 'packing-list.pdf']);
  const proof = { name: 'pod.pdf', bytes: '%PDF-1.4 signed' };
  const put = await uploadAs(sender.world, owner, claimNotes.attach, { id: claim }, proof);
  expect(put.code).toBe(201);
  const pack = await owner.send(claimPack, { params: { id: claim } });
  const files = filesOf(pack.raw);
  expect(Object.keys(files)).toEqual(['case.txt', 'packing-list.pdf', 'purchase-orders.pdf', 'evidence/pod.pdf']);
  expect(files['evidence/pod.pdf']?.toString()).toBe(proof.bytes);
  expect(files['case.txt']?.toString()).toBe(text);
  expect(files['packing-list.pdf']?.subarray(0, 5).toString()).toBe('%PDF-');

  await readPayments();
  expect((await claimsOf(number))[0]).toMatchObject({ state: 'filed', paidQty: 0 });
  await pass(4 * DAY);
  await readPayments();
  const [paid] = await claimsOf(number);
  expect(paid).toMatchObject({ state: 'paid', paidQty: 3, currency: 'USD' });
  expect(new Decimal(paid?.paidAmount ?? 0).greaterThan(0)).toBe(true);
  // The same report once more pays nothing twice.
  await readPayments();
  expect((await claimsOf(number))[0]).toEqual(paid);
  expect((await owner.call(claimDetail, { params: { id: claim } })).payments).toMatchObject([
    { qty: 3, reason: 'Lost_Inbound', manual: false, currency: 'USD' },
  ]);
  expect(await owner.call(countClaims, { body: { filter: {} } })).toEqual({ paid: 1, all: 1 });
});

test('what is found after closing comes back from LOST, and its case ends by itself', async () => {
  const { way, skus, turn } = sender;
  const { id, number } = await sender.sends([16, 5], '4');
  const lines = (missing: number) => [{ msku: skus[0], missing }];
  await way.control({ action: 'found', shipment: number, lines: lines(5) });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  expect(await claimsOf(number)).toMatchObject([{ qty: 5, value: '20.0000' }]);
  await way.control({ action: 'found', shipment: number, lines: lines(1) });
  await sender.pass(DAY + HOUR);
  await turn(id);
  expect(await orderOf(id)).toMatchObject({ state: 'done', receivedQty: 20 });
  expect(await claimsOf(number)).toMatchObject([{ state: 'found', qty: 1, foundQty: 4, value: '4.0000' }]);
  await way.control({ action: 'found', shipment: number, lines: lines(0) });
  await sender.pass(DAY + HOUR);
  await turn(id);
  expect(await claimsOf(number)).toMatchObject([{ state: 'closed', qty: 0, foundQty: 5, value: '0.0000' }]);
});

test('more than left is told and posts nothing; it cannot be claimed', async () => {
  const { way, house, skus, turn } = sender;
  const { id, number } = await sender.sends([10, 6], '3');
  await way.control({ action: 'found', shipment: number, lines: [{ msku: skus[1], extra: 2 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  expect(await orderOf(id)).toMatchObject({ state: 'done', receivedQty: 16 });
  const [over] = await claimsOf(number);
  expect(over).toMatchObject({ kind: 'OVER', msku: skus[1], qty: 2, value: null, deadline: null });
  await expect(house.owner.call(fileClaim, { body: { id: over?.id ?? '', caseNo: '1' } })).rejects.toThrow(
    '多收的差异不能索赔',
  );
  const closed = await house.owner.call(claimSteps.close, { body: { id: over?.id ?? '', reason: '我方多装' } });
  expect(closed.state).toBe('closed');
});

test('a shipment that Amazon gave up though its goods have left is told to people, and waits for them', async () => {
  const { way, house } = sender;
  const { id, number } = await sender.sends([5, 4], '2');
  await way.control({ action: 'cancelShipment', shipment: number });
  await sender.turn(id);
  const { order, timeline } = await house.owner.call(shipOrderDetail, { params: { id } });
  expect(order.state).toBe('shipped');
  expect(timeline.filter((entry) => entry.title === '货件已被平台取消')).toHaveLength(1);
});

test('money that somebody enters is kept until Amazon says it itself; nobody without the right sees cost', async () => {
  const { way, house, skus, turn, pass, readPayments, world } = sender;
  const { owner } = house;
  const { id, number } = await sender.sends([9, 7], '2');
  await way.control({ action: 'found', shipment: number, lines: [{ msku: skus[1], missing: 2 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  const claim = (await claimsOf(number))[0]?.id ?? '';
  const money = { reimbursementId: 'MANUAL-1', qty: 1, amount: '7.50', currency: 'USD' };
  expect((await owner.call(payClaim, { body: { id: claim, ...money } })).state).toBe('partly');
  await expect(owner.call(payClaim, { body: { id: claim, ...money } })).rejects.toThrow('赔偿编号 MANUAL-1 已登记');
  await pass(4 * DAY);
  await readPayments();
  const [paid] = await claimsOf(number);
  // Amazon paid for two, one of them is covered already: its money is not taken twice.
  expect(paid).toMatchObject({ state: 'paid', paidQty: 2 });

  const shipments = await owner.call(listFbaShipments, { body: { filter: { keyword: number } } });
  expect(shipments.records).toMatchObject([
    { shipmentNo: number, status: 'CLOSED', missing: 2, claims: 1, deadline: null },
  ]);
  const { records } = await clerk.call(listClaims, { body: { filter: { keyword: number } } });
  expect(records[0]).not.toHaveProperty('value');
  expect((await clerk.call(claimDetail, { params: { id: claim } })).claim).not.toHaveProperty('value');
  await expect(clerk.call(claimSteps.close, { body: { id: claim, reason: 'x' } })).rejects.toThrow();
  const stranger = await world.owner();
  expect((await stranger.call(listClaims, { body: { filter: {} } })).total).toBe(0);
  await expect(stranger.call(claimSteps.close, { body: { id: claim, reason: 'x' } })).rejects.toThrow('货件差异不存在');
});
