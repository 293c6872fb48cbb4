import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { readSheets } from '#kit/server/excel/read.ts';
import { listTrades, placeTrade, previewTrade, saveLink } from '#modules/alibaba/contract/index.ts';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import {
  billData,
  billTemplate,
  confirmBill,
  countBills,
  listBills,
  matchBill,
  moveBill,
  settleBill,
  uploadBill,
} from '#modules/finance/contract/bills/bill.ts';
import {
  assignLines,
  exportBillOrders,
  listBillOrders,
  listBillPayments,
  refunds,
  releaseLines,
  repayments,
  topups,
} from '#modules/finance/contract/bills/lines.ts';
import { payRequests, requestData, requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import {
  addSettlement,
  confirmSettlement,
  moveSettlement,
  settlementData,
} from '#modules/finance/contract/settlements.ts';
import { type Book, headOf, orderRow, workbookOf } from '#modules/finance/test/bill-book.ts';
import { orderSteps } from '#modules/purchase/contract/order-calls.ts';
import {
  type Buyers,
  createBuyers,
  detailOf,
  draftOrder,
  placedOrder,
  productOf,
  receive,
} from '#modules/purchase/test/support.ts';
import { type Sandbox, startSandbox } from '#sandbox/index.ts';
import { sandboxAlibaba } from '#src/app/sandbox.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { bindBuyer, tolerate } from './support.ts';

const CUP = '610947572360';
const ACCOUNT = '沙箱采购一号';

let sandbox: Sandbox;
let world: World;
let buyers: Buyers;
let buyerId: string;
/** Uploads, matches and asks for money; approves and pays nothing. */
let clerk: Person;
let bank: string;

beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'tiny' });
  world = await createWorld({ alibaba: sandboxAlibaba(sandbox.url), retryBaseMs: 60 });
  buyers = await createBuyers(world, ['CUP', 'BOX']);
  clerk = await world.member(buyers.owner, [
    'fin:statement:view',
    'fin:statement:upload',
    'fin:payreq:view',
    'fin:payreq:apply',
  ]);
  bank = (await buyers.owner.call(addAccount, { body: { name: '招商银行', opening: '9000' } })).id;
  buyerId = (await bindBuyer(buyers.owner, 'b2b-2200657714')).id;
  await tolerate(buyers, '0.1');
  await buyers.owner.call(saveLink, {
    body: {
      supplierId: buyers.supplier,
      productId: productOf(buyers, 'CUP'),
      offerId: CUP,
      specId: 'spec-cup-black',
      subject: '保温杯',
      spec: '黑色',
      piecesPerUnit: 2,
    },
  });
});
afterAll(async () => {
  await world.close();
  await sandbox.close();
});

/** A purchase order of cups, ordered at the platform: 18.60 for two, freight 12.00 below 1,000. */
async function cups(qty: number): Promise<{ id: string; number: string; platformId: string }> {
  const { id, number } = await draftOrder(buyers, [{ sku: 'CUP', qty, unitPrice: '9.30' }]);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await buyers.chief.call(orderSteps.approve, { body: { id } });
  const asked = { orderId: id, buyerId, addressId: '900001' };
  const { total } = await buyers.owner.call(previewTrade, { body: asked });
  await buyers.owner.call(placeTrade, { body: { ...asked, total: total ?? '' } });
  const { records } = await buyers.owner.call(listTrades, { body: { filter: { keyword: number } } });
  return { id, number, platformId: records[0]?.platformId ?? '' };
}

async function send(person: Person, book: Book, write = true) {
  const bytes = await workbookOf(book);
  return { bytes, ...(await again(person, bytes, write)) };
}
const again = (person: Person, bytes: Buffer, write = true) =>
  uploadAs(world, person, uploadBill, { write: write ? 'yes' : 'no' }, { name: '账单.xlsx', bytes });

const linesOf = async (bill: string) => {
  const { records, totals } = await clerk.call(listBillOrders, { body: { filter: { bill } } });
  return { records, totals, of: (orderId: string) => records.find((row) => row.orderId === orderId) };
};
const detail = async (id: string) => clerk.call(billData, { params: { id } });

async function pay(requestId: string): Promise<void> {
  await buyers.owner.call(requestSteps.approve, { body: { id: requestId } });
  const { document } = await buyers.owner.call(requestData, { params: { id: requestId } });
  const requests = [{ id: requestId, amount: new Decimal(document.open).toFixed(2) }];
  await buyers.owner.call(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
}

describe('the bill of 1688', () => {
  it('is uploaded, matched, explained and asked to be paid, order by order and never twice', async () => {
    const [whole, dearer] = [await cups(200), await cups(60)];
    const byHand = await placedOrder(buyers, [{ sku: 'BOX', qty: 100, unitPrice: '5' }]);
    const [handId, ownId] = ['2987654321012345678', '2987654321012345679'];
    // 1,860.00 is what the order says; 558.00 + 12.00 freight; 20.00 of 500.00 came back; 30.00 is nobody's purchase.
    const orders = [
      orderRow(whole.platformId, '1860'),
      orderRow(dearer.platformId, '570'),
      orderRow(handId, '500', '20'),
      orderRow(ownId, '30.00'),
    ];
    const book: Book = {
      head: headOf(ACCOUNT, '2,940.00', 4),
      orders,
      repayments: [['2026-11-02 12:00:00', '支付宝', '主动还款', '100.5']],
      refunds: [[handId, '2026-10-20 08:00:00', '纸箱', '500', '20', '售后退款', '账期额度']],
      topups: [['2026-10-21 08:00:00', '多还退回', 'T2026', '3.2']],
    };

    // A bill that does not add up leaves nothing behind, and says where and by how much.
    const bad = await send(clerk, { ...book, head: headOf(ACCOUNT, '2940.01', 5) });
    expect(bad.data).toMatchObject({ written: false, bill: null, rows: 7 });
    expect(bad.data.problems.map((one) => [one.sheet, one.line, one.reason])).toEqual([
      ['账单明细', 3, '账单明细合计 2940.00 与入账金额 2940.01 不一致，差额 -0.01'],
      ['账单明细', 4, '账单明细有 4 笔，与订单笔数 5 不一致'],
    ]);
    const told = await readSheets(Buffer.from(bad.data.annotated ?? '', 'base64'));
    expect(told[0]?.rows[2]?.at(-1)?.text).toContain('差额 -0.01');
    expect((await again(clerk, Buffer.from('no workbook'))).msg).toContain('不是有效的 Excel');

    const dry = await send(clerk, book, false);
    expect(dry.data).toMatchObject({ rows: 7, good: 7, written: false, bill: null, problems: [] });
    expect((await clerk.call(listBills, { body: {} })).total).toBe(0);

    const first = await send(clerk, book);
    expect(first.data).toMatchObject({ written: true, bill: { repeated: false } });
    const id = first.data.bill?.id ?? '';
    // The same file is the same bill; another one of that account and day is refused, and so it stays one.
    expect((await again(clerk, first.bytes)).data).toMatchObject({ written: false, bill: { id, repeated: true } });
    const other = { ...book, head: headOf(ACCOUNT, '2,910.00', 3), orders: orders.slice(0, 3) };
    expect((await send(clerk, other)).msg).toContain('内容不同；请先作废原账单');
    expect(await clerk.call(countBills, { body: {} })).toEqual({ all: 1, partly: 1 });

    expect((await detail(id)).document).toMatchObject({
      state: 'partly',
      buyerAccount: ACCOUNT,
      amount: '2940.0000',
      orderCount: 4,
      statementDate: '2026-10-31',
      dueOn: '2026-11-20',
      matchedCount: 2,
      difference: '12.0000',
    });
    const seen = await linesOf(id);
    expect(seen.of(whole.platformId)).toMatchObject({ matched: 'AUTO', order: whole.number, difference: '0.0000' });
    expect(seen.of(dearer.platformId)).toMatchObject({ orderAmount: '558.0000', difference: '12.0000' });
    expect(seen.of(handId)).toMatchObject({ matched: 'NONE', amount: '480.0000', refund: '20.0000', difference: null });
    expect(seen.totals).toMatchObject({ amount: '2940.0000', orderAmount: '2418.0000', confirmed: '2960.0000' });
    expect(sum(seen.records.map((row) => row.amount))).toBe('2940');
    const sheets = { body: { filter: { bill: id } } };
    expect((await clerk.call(repayments.list, sheets)).records).toMatchObject([
      { amount: '100.5000', method: '支付宝' },
    ]);
    expect((await clerk.call(refunds.list, sheets)).records).toMatchObject([{ orderId: handId, amount: '20.0000' }]);
    expect((await clerk.call(topups.list, sheets)).totals).toEqual({ amount: '3.2000' });

    // What nobody could find is put right by hand.
    const line = (orderId: string) => seen.of(orderId)?.id ?? '';
    const early = await clerk.send(confirmBill, { body: { id } });
    expect(early.msg).toBe('账单当前为「部分匹配」，不能确认账单');
    const assign = (order: string) => clerk.send(assignLines, { body: { ids: [line(handId)], order } });
    expect((await assign('PO0000')).msg).toBe('没有采购单【PO0000】');
    const draft = await draftOrder(buyers, [{ sku: 'BOX', qty: 1 }]);
    expect((await assign(draft.number)).msg).toContain('尚未下单');
    expect((await assign(byHand.number)).data).toEqual({ changed: 1 });
    expect((await linesOf(id)).of(handId)).toMatchObject({ matched: 'HAND', difference: '-20.0000' });
    await clerk.call(releaseLines, { body: { ids: [line(handId)] } });
    expect((await linesOf(id)).of(handId)).toMatchObject({ matched: 'NONE', order: null, orderAmount: null });
    await assign(byHand.number);
    const leave = (note: string) => clerk.send(releaseLines, { body: { ids: [line(ownId)], out: true, note } });
    expect((await leave('')).msg).toBe('请填写无需付款的说明');
    await leave('样品，已报销');
    expect((await detail(id)).document).toMatchObject({ state: 'matched', matchedCount: 4, difference: '-8.0000' });
    expect(await clerk.call(matchBill, { body: { id } })).toMatchObject({ found: 0, left: 0, state: 'matched' });

    const differing = { bill: id, differs: true };
    const { records } = await clerk.call(listBillOrders, { body: { filter: differing } });
    expect(records.map((row) => row.orderId).sort()).toEqual([dearer.platformId, handId].sort());
    const file = await clerk.send(exportBillOrders, { body: { filter: differing } });
    const [sheet] = await readSheets(file.raw);
    expect(sheet?.rows.map((row) => row[0]?.text)).toEqual(['订单号', ...records.map((row) => row.orderId)]);
    expect(sheet?.rows[1]?.[0]?.numeric).toBe(false);

    expect((await clerk.send(settleBill, { body: { id } })).msg).toContain('确认后才能生成付款');
    expect((await clerk.send(confirmBill, { body: { id } })).msg).toBe('2 笔订单与采购单相差共 -8.00，请填写差异原因');
    await clerk.call(confirmBill, { body: { id, reason: '运费与退款' } });
    expect((await assign(byHand.number)).msg).toContain('不能修改匹配');

    // Two people press at once: every order is asked for once. The one that is billed for too much is not.
    const both = await Promise.all([1, 2].map(() => clerk.send(settleBill, { body: { id } })));
    expect(both.map((one) => one.data?.requests ?? 0).sort()).toEqual([0, 2]);
    const done = both.find((one) => one.code === 201)?.data;
    expect(done).toMatchObject({ amount: '2340' });
    expect(done?.skipped).toEqual([{ order: dearer.number, reason: '账单 570.00 超过采购单剩余可请款 558.00' }]);
    const payments = async () => (await clerk.call(listBillPayments, { body: { filter: { bill: id } } })).records;
    const made = await payments();
    expect(made.map((row) => [row.order, row.orderId, row.amount, row.state, row.counts]).sort()).toEqual(
      [
        [whole.number, whole.platformId, '1860.0000', 'submitted', true],
        [byHand.number, handId, '480.0000', 'submitted', true],
      ].sort(),
    );
    const requestId = made.find((row) => row.orderId === handId)?.requestId ?? '';
    const request = await clerk.call(requestData, { params: { id: requestId } });
    expect(request.document).toMatchObject({
      kind: 'SETTLEMENT',
      method: 'PLATFORM_TERM',
      subject: byHand.number,
      dueOn: '2026-11-20',
    });
    expect((await detailOf(buyers, byHand.id)).payments).toMatchObject([{ amount: '480.0000', kind: '对账结算' }]);
    const back = { id, action: 'reopen', reason: '看错了' } as const;
    expect((await clerk.send(moveBill, { body: back })).msg).toContain('请先作废请款单');

    // A request of a bill is not changed, it is made void; then its lines are free again.
    await clerk.call(requestSteps.withdraw, { body: { id: requestId } });
    const changed = await clerk.send(saveRequest, {
      body: {
        id: requestId,
        kind: 'SETTLEMENT',
        party: { kind: 'SUPPLIER', id: buyers.supplier },
        lines: [{ title: '少付', amount: '1' }],
      },
    });
    expect(changed.msg).toBe('由平台账单生成的请款单不能修改，请作废后在账单重新生成');
    await clerk.call(requestSteps.cancel, { body: { id: requestId, reason: '重做' } });
    expect(await clerk.call(settleBill, { body: { id } })).toMatchObject({ requests: 1, amount: '480' });
    expect((await payments()).filter((row) => row.orderId === handId).map((row) => row.counts)).toEqual([true, false]);
  });

  it('is settled with its last payment and opened by a reversal; an order may come back in a later bill', async () => {
    const order = await cups(200);
    const month = (book: Omit<Book, 'head'>, amount: string, day: string) =>
      send(clerk, { ...book, head: headOf(ACCOUNT, amount, book.orders.length, day) });
    const first = await month({ orders: [orderRow(order.platformId, '1860')] }, '1860', '2026-08-31');
    const id = first.data.bill?.id ?? '';
    await clerk.call(confirmBill, { body: { id } });
    await clerk.call(settleBill, { body: { id } });
    const [row] = (await linesOf(id)).records;
    expect(row).toMatchObject({ requestState: 'submitted' });
    await pay(row?.requestId ?? '');
    expect((await detail(id)).document).toMatchObject({ state: 'settled', paid: '1860.0000' });
    expect((await detailOf(buyers, order.id)).money).toMatchObject({ paid: '1860', left: '0.00' });
    const twice = await clerk.send(settleBill, { body: { id } });
    expect(twice.msg).toContain('账单当前为「已结清」');

    // Sixty yuan are given back in the next month: nothing of the order is left to compare with, nothing is to be paid.
    const next = await month({ orders: [orderRow(order.platformId, '-', '60')] }, '-60', '2026-09-30');
    const later = next.data.bill?.id ?? '';
    expect((await linesOf(later)).records).toMatchObject([
      { amount: '-60.0000', orderAmount: '0.0000', difference: '-60.0000' },
    ]);
    await clerk.call(confirmBill, { body: { id: later, reason: '退货退款' } });
    expect((await detail(later)).document.state).toBe('settled');

    await buyers.owner.call(requestSteps.reverse, { body: { id: row?.requestId ?? '', reason: '付错账户' } });
    expect((await detail(id)).document).toMatchObject({ state: 'confirmed', paid: '0', requested: '0' });
    await clerk.call(settleBill, { body: { id } });
    const [again] = (await linesOf(id)).records;
    await pay(again?.requestId ?? '');
    expect((await detail(id)).document.state).toBe('settled');
  });

  it('a debt is paid by the bill or by a settlement with the supplier, never by both', async () => {
    const order = await cups(200);
    await receive(buyers, order.id, 'CUP', 200);
    const book = { head: headOf(ACCOUNT, '1860', 1, '2026-07-31'), orders: [orderRow(order.platformId, '1860')] };
    const id = (await send(clerk, book)).data.bill?.id ?? '';
    await clerk.call(confirmBill, { body: { id } });
    await clerk.call(settleBill, { body: { id } });
    const [row] = (await linesOf(id)).records;
    const requestId = row?.requestId ?? '';
    const { lines } = await clerk.call(requestData, { params: { id: requestId } });
    // The debt is due in two parts, as the supplier's terms have it; both are named.
    expect(lines.map(({ amount, payableOpen }) => [amount, payableOpen])).toEqual([
      ['558.0000', '558.0000'],
      ['1302.0000', '1302.0000'],
    ]);

    const today = worldClock().today();
    const form = { supplierId: buyers.supplier, from: today, to: today };
    const { id: settlement } = await buyers.owner.call(addSettlement, { body: form });
    const { document } = await buyers.owner.call(settlementData, { params: { id: settlement } });
    const stated = new Decimal(document.closing ?? 0).neg().toFixed(2);
    await buyers.owner.call(confirmSettlement, { body: { id: settlement, stated } });
    const ask = () => buyers.owner.send(moveSettlement, { body: { id: settlement, action: 'request' } });
    expect((await ask()).msg).toBe('账期内的应付都已在请款中');
    await clerk.call(requestSteps.withdraw, { body: { id: requestId } });
    await clerk.call(requestSteps.cancel, { body: { id: requestId, reason: '改为对账结算' } });
    expect((await ask()).code).toBe(201);
    const refused = `没有可以请款的订单：${order.number} 账单 1860.00 超过采购单剩余可请款 0.00`;
    expect((await clerk.send(settleBill, { body: { id } })).msg).toBe(refused);
    const settled = await buyers.owner.call(settlementData, { params: { id: settlement } });
    await pay(settled.document.requestId ?? '');
    expect((await clerk.send(settleBill, { body: { id } })).msg).toBe(refused);
  });

  it('a void bill can be uploaded again; the template has the four sheets', async () => {
    const book: Book = { head: headOf('另一账号', '10', 1), orders: [orderRow('2987654321012345600', '10')] };
    const { bytes, data } = await send(clerk, book);
    const id = data.bill?.id ?? '';
    expect((await detail(id)).document.state).toBe('uploaded');
    expect((await clerk.send(moveBill, { body: { id, action: 'cancel' } })).msg).toBe('请填写原因');
    await clerk.call(moveBill, { body: { id, action: 'cancel', reason: '账号选错' } });
    const once = (await again(clerk, bytes)).data;
    expect(once).toMatchObject({ written: true, bill: { repeated: false } });
    expect(once.bill?.id).not.toBe(id);
    const { raw } = await clerk.send(billTemplate, {});
    expect((await readSheets(raw)).map((sheet) => sheet.title)).toEqual([
      '账单明细',
      '还款记录',
      '退款记录',
      '充退记录',
    ]);
  });

  it('other companies see nothing of it, and who may not upload or ask for money does neither', async () => {
    const book: Book = { head: headOf('共用账号', '10', 1), orders: [orderRow('2987654321012345601', '10')] };
    const { bytes, data } = await send(clerk, book);
    const id = data.bill?.id ?? '';
    const line = (await linesOf(id)).records[0]?.id ?? '';
    const stranger = await world.owner('另一家');
    expect((await stranger.call(listBills, { body: {} })).total).toBe(0);
    expect((await stranger.call(listBillOrders, { body: { filter: { bill: id } } })).records).toEqual([]);
    expect((await stranger.send(billData, { params: { id } })).code).toBe(404);
    expect((await stranger.send(matchBill, { body: { id } })).code).toBe(404);
    expect((await stranger.send(releaseLines, { body: { ids: [line] } })).code).toBe(404);
    expect((await stranger.send(settleBill, { body: { id } })).code).toBe(404);
    // The same workbook is a bill of its own there.
    expect((await again(stranger, bytes)).data).toMatchObject({ written: true, bill: { repeated: false } });

    const reader = await world.member(buyers.owner, ['fin:statement:view']);
    expect((await again(reader, bytes)).status).toBe(403);
    expect((await reader.send(matchBill, { body: { id } })).code).toBe(403);
    expect((await reader.send(settleBill, { body: { id } })).code).toBe(403);
    expect((await reader.call(billData, { params: { id } })).actions).toEqual([]);
    const nobody = await world.member(buyers.owner, ['fin:payreq:apply']);
    expect((await nobody.send(listBills, { body: {} })).code).toBe(403);
  });
});
