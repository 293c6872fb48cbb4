import type { Ctx } from '#kit/server/context.ts';
import { findProducts } from '#modules/product/server/index.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/server/index.ts';
import { availableOf, warehouses } from '#modules/warehouse/server/index.ts';
import { OrderInput } from '../contract/order.ts';
import { ProcessInput } from '../contract/process.ts';
import { buyAbroad } from './demo-abroad.ts';
import { saveInvoice } from './invoice/save.ts';
import { act } from './order/act.ts';
import { closeLines } from './order/close.ts';
import { loaded } from './order/load.ts';
import { saveOrder } from './order/save.ts';
import { addPlanLines } from './plan/lines.ts';
import { actProcess } from './process/act.ts';
import { output } from './process/output.ts';
import { saveProcess } from './process/save.ts';
import { inspect } from './receipt/inspect.ts';
import { lockedReceipt } from './receipt/load.ts';
import { receive } from './receipt/receive.ts';
import { actReturn } from './return/act.ts';
import { createReturn } from './return/save.ts';
import { putSetting, settingOf } from './setting.ts';

const SUPPLIERS = [
  { shortName: '永康锐达五金', fullName: '永康市锐达五金制品有限公司', contact: '卢经理', terms: ['0.3', '0.7'] },
  { shortName: '义乌恒泰日用', fullName: '义乌市恒泰日用品有限公司', contact: '方小姐', terms: ['1'] },
  { shortName: '东莞硅宝橡塑', fullName: '东莞市硅宝橡塑科技有限公司', contact: '黄工', terms: ['0.5', '0.5'] },
];

async function makeSuppliers(ctx: Ctx): Promise<string[]> {
  const ids: string[] = [];
  for (const { terms, contact, ...names } of SUPPLIERS) {
    const [deposit, ...rest] = terms;
    const stages = [
      { share: deposit ?? '1', anchor: 'order' as const, days: 0 },
      ...rest.map((share) => ({ share, anchor: 'receipt' as const, days: 30 })),
    ];
    const { id } = await saveSupplier(ctx, {
      ...names,
      currency: 'CNY',
      invoiceType: 'special',
      invoiceRate: '0.13',
      terms: stages,
      contacts: [{ name: contact, role: '业务', phone: '', email: '', wechat: '' }],
    });
    await moveSupplier(ctx, { id, action: 'activate' });
    ids.push(id);
  }
  return ids;
}

interface Place {
  main: string;
  qc: string;
  defective: string;
}

async function placesOf(ctx: Ctx): Promise<Place | undefined> {
  const all = [...(await warehouses(ctx)).values()].filter((one) => one.kind === 'LOCAL' && !one.disabled);
  const of = (quality: string) => all.find((one) => one.quality === quality)?.id;
  const [main, qc, defective] = [of('GOOD'), of('QC'), of('DEFECTIVE')];
  return main && qc && defective ? { main, qc, defective } : undefined;
}

/** How far each order of the demo has come. */
const STORIES = [
  'draft',
  'pending',
  'pending',
  'approved',
  'ordered',
  'partial',
  'inspecting',
  'returned',
  'closed',
] as const;
type Story = (typeof STORIES)[number];

async function order(
  ctx: Ctx,
  place: Place,
  supplier: string,
  products: readonly string[],
  n: number,
): Promise<string> {
  const lines = products.map((productId, index) => ({
    productId,
    qty: 200 + ((n * 130 + index * 70) % 900),
    unitPrice: (6 + ((n * 17 + index * 29) % 60) / 4).toFixed(2),
    taxRate: '0.13',
  }));
  const expectedOn = ctx.clock.dayAhead(n * 5 - 12);
  const input = OrderInput.parse({
    supplierId: supplier,
    warehouseId: place.main,
    invoiceType: 'special',
    expectedOn,
    freight: n % 3 === 0 ? '360' : '0',
    lines,
  });
  return (await saveOrder(ctx, input)).id;
}

/** Some of an order's pieces come; answers the receipt. */
async function arrive(ctx: Ctx, id: string, place: Place, percent: number, inspected: boolean): Promise<string> {
  const { lines } = await loaded(ctx, id);
  const came = lines.map((line) => ({
    lineId: line.id,
    qty: Math.max(1, Math.floor((line.qty * percent) / 100)),
    inspect: inspected,
  }));
  const { receiptId } = await receive(ctx, { id, inspectAt: place.qc, trackingNo: '', remark: '', lines: came });
  if (receiptId === null) throw new Error('nothing was taken in');
  return receiptId;
}

async function findBad(ctx: Ctx, receiptId: string, place: Place): Promise<void> {
  const { lines } = await lockedReceipt(ctx, receiptId);
  const found = lines.map((line) => {
    const rejected = Math.min(line.inspecting, 12);
    return { lineId: line.id, passed: line.inspecting - rejected, special: 0, rejected, reason: '表面划伤' };
  });
  await inspect(ctx, { id: receiptId, defectiveAt: place.defective, lines: found });
}

async function sendBack(ctx: Ctx, id: string, place: Place): Promise<void> {
  const { lines } = await loaded(ctx, id);
  const made = await createReturn(ctx, {
    orderId: id,
    warehouseId: place.defective,
    way: 'CREDIT',
    reason: '表面划伤',
    trackingNo: '',
    lines: lines.filter((line) => line.rejected > 0).map((line) => ({ lineId: line.id, qty: line.rejected })),
  });
  for (const step of ['submit', 'approve', 'ship'] as const) await actReturn(ctx, step, { id: made.id });
}

/** Takes an order as far as its story tells. */
async function tell(ctx: Ctx, id: string, place: Place, story: Story): Promise<void> {
  if (story === 'draft') return;
  await act(ctx, 'submit', { id });
  if (story === 'pending') return;
  await act(ctx, 'approve', { id });
  if (story === 'approved') return;
  await act(ctx, 'place', { id });
  if (story === 'ordered') return;
  const receipt = await arrive(
    ctx,
    id,
    place,
    story === 'partial' ? 40 : 95,
    story !== 'closed' && story !== 'partial',
  );
  if (story === 'returned') {
    await findBad(ctx, receipt, place);
    await sendBack(ctx, id, place);
  }
  if (story === 'partial') await bill(ctx, id, 20);
  if (story === 'closed') {
    await bill(ctx, id, 0);
    await closeLines(ctx, { id, reason: '供应商尾数不足' });
    await act(ctx, 'complete', { id });
  }
}

/** The supplier's invoice for what came; where `more` it bills pieces that are not here yet, and waits. */
async function bill(ctx: Ctx, id: string, more: number): Promise<void> {
  const { number, lines } = await loaded(ctx, id);
  const billed = lines.filter((line) => !line.gift && line.received - line.returned > 0);
  await saveInvoice(ctx, {
    orderId: id,
    number: `2544${number.replace(/\D/g, '')}`,
    kind: 'special',
    issuedOn: ctx.clock.today(),
    remark: '',
    lines: billed.map((line) => ({
      lineId: line.id,
      qty: line.received - line.returned + more,
      unitPrice: line.unitPrice,
      taxRate: line.taxRate,
    })),
  });
}

/** How far each process order of the demo has come; every other one is made by a processor. */
const PROCESSES = ['draft', 'pending', 'running', 'done'] as const;

/** Process orders of what the closed orders brought: a set of two pieces each. */
async function makeProcesses(ctx: Ctx, place: Place, processor: string, made: readonly string[]): Promise<void> {
  const goods = await findProducts(ctx, { text: '', kinds: ['goods'], limit: 100 });
  const stock = await availableOf(
    ctx,
    place.main,
    goods.map((one) => one.id),
  );
  const parts = goods.filter((one) => (stock.get(one.id)?.available ?? 0) >= 40 && !made.includes(one.id));
  for (const [n, story] of PROCESSES.entries()) {
    const [product, part] = [made[n % made.length], parts[n % parts.length]];
    if (!product || !part) return;
    const outside = n % 2 === 1;
    const input = ProcessInput.parse({
      kind: outside ? 'OUTSOURCE' : 'INHOUSE',
      productId: product,
      qty: 10,
      warehouseId: place.main,
      supplierId: outside ? processor : null,
      feePrice: outside ? '1.8' : '0',
      plannedOn: ctx.clock.dayAhead(n),
      parts: [{ productId: part.id, qty: 20 }],
    });
    const { id } = await saveProcess(ctx, input);
    if (story === 'draft') continue;
    await actProcess(ctx, 'submit', { id });
    if (story === 'pending') continue;
    await actProcess(ctx, 'approve', { id });
    await actProcess(ctx, 'issue', { id });
    await output(ctx, { id, qty: story === 'done' ? 10 : 4, scrapped: 0, remark: '' });
  }
}

/**
 * Suppliers, needs, orders and process orders in every state for the demo company. Answers false, and does nothing, before
 * it has warehouses and products. The caller may do everything.
 */
export async function demoPurchases(ctx: Ctx): Promise<boolean> {
  const place = await placesOf(ctx);
  const products = await findProducts(ctx, { text: '', kinds: ['goods'], limit: 24 });
  if (!place || products.length < 3) return false;
  await putSetting(ctx, { ...(await settingOf(ctx)), changeTolerance: '0.05' });
  const suppliers = await makeSuppliers(ctx);
  for (const [n, story] of STORIES.entries()) {
    const mine = [0, 1, 2]
      .slice(0, 1 + (n % 3))
      .flatMap((index) => products[(n * 2 + index) % products.length]?.id ?? []);
    const id = await order(ctx, place, suppliers[n % suppliers.length] ?? '', [...new Set(mine)], n);
    await tell(ctx, id, place, story);
  }
  const made = products.slice(-2).map((one) => one.id);
  await makeProcesses(ctx, place, suppliers[0] ?? '', made);
  await buyAbroad(
    ctx,
    products.slice(-4, -2).map((one) => one.id),
    place,
  );
  const needs = products.slice(0, 3).map(({ id }, n) => ({
    productId: id,
    warehouseId: place.main,
    qty: 120 + n * 60,
    needBy: ctx.clock.dayAhead(20 + n * 7),
    remark: '',
  }));
  await addPlanLines(ctx, needs);
  return true;
}
