import { allocate, currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { importTaxes } from '../../contract/money.ts';
import type { Finding, OrderCheck, OrderInput } from '../../contract/order.ts';
import { unmeasuredWords } from '../measured.ts';
import { settingOf } from '../setting.ts';
import { amountsOf } from './amounts.ts';
import { kindsFor, lastPrices, offersOf, quantityFindings, riseOf } from './goods.ts';
import { lineKey } from './line-key.ts';
import { type SupplierFacts, supplierOf, type TermStage } from './suppliers.ts';

const ANCHORS: Record<string, string> = {
  order: '下单后',
  before_shipment: '发货前',
  receipt: '到货后',
  invoice: '收票后',
  monthly: '月结',
};
const percent = (share: Decimal.Value) => `${new Decimal(share).times(100).toDecimalPlaces(2).toFixed()}%`;

/** Name of a stage, e.g. 「下单后 30%」. */
export function stageTitle({ anchor, days, share }: TermStage): string {
  return `${ANCHORS[anchor] ?? anchor}${days > 0 ? `${days}天` : ''} ${percent(share)}`;
}

/** The total by stages of payment, to the smallest unit; all of it at once where nothing was agreed. */
export function stageAmounts(terms: readonly TermStage[], total: string, currency: string) {
  if (terms.length === 0) return [{ title: '货款', amount: total }];
  const weights = new Map(terms.map((stage, index) => [String(index), stage.share]));
  const parts = allocate(total, weights, currencyScale(currency));
  return terms.map((stage, index) => ({ title: stageTitle(stage), amount: parts?.get(String(index)) ?? '0' }));
}

function supplierFindings(supplier: SupplierFacts): Finding[] {
  if (supplier.state === 'active' && supplier.grade !== 'D') {
    return supplier.grade === 'C' ? [{ level: 'warning', text: '供应商评级为C' }] : [];
  }
  return [{ level: 'error', text: '供应商已停用或评级过低，不能下单' }];
}

async function lineFindings(ctx: Ctx, input: OrderInput): Promise<Finding[]> {
  const ids = input.lines.map((line) => line.productId);
  const products = await localProducts(ctx, ids);
  const offers = await offersOf(ctx, input.supplierId, ids);
  const quantities = quantityFindings(offers, input.lines);
  const { priceRise } = await settingOf(ctx);
  const last = await lastPrices(ctx, {
    supplier: input.supplierId,
    currency: input.currency,
    products: ids,
    but: input.id,
  });
  const bought = input.lines.filter((line) => !line.gift).map((line) => line.productId);
  const keys = input.lines.map(lineKey);
  return input.lines.flatMap((line, index): Finding[] => {
    const at = index + 1;
    const found: Finding[] = [];
    const product = products.get(line.productId);
    if (!product) return [{ level: 'error', line: at, text: '商品不存在或已删除' }];
    if (!kindsFor(input.type).includes(product.kind))
      found.push({ level: 'error', line: at, text: '商品与采购类型不符' });
    if (product.lifecycle === 'offline') found.push({ level: 'error', line: at, text: '商品已停用' });
    const same = keys.indexOf(keys[index] ?? '');
    if (same < index) {
      found.push({ level: 'error', line: at, text: `与第 ${same + 1} 行的SKU、单价和条件都相同，请合并为一行` });
    }
    if (line.gift) return found;
    if (new Decimal(line.unitPrice).isZero()) found.push({ level: 'error', line: at, text: '单价须大于0' });
    if (same === index && bought.filter((id) => id === line.productId).length > 1) {
      found.push({ level: 'warning', line: at, text: 'SKU有多行，条件不同' });
    }
    const quantity = quantities.get(line.productId);
    for (const text of quantity?.texts ?? []) {
      found.push({ level: 'warning', line: at, text, ...(quantity ? { fix: quantity.fix } : {}) });
    }
    if (!offers.has(line.productId)) found.push({ level: 'hint', line: at, text: '该供应商没有此商品的报价' });
    const rise = riseOf(line.unitPrice, last.get(line.productId));
    if (rise?.gt(priceRise)) {
      found.push({ level: 'warning', line: at, text: `单价较近3次均价上涨${percent(rise)}` });
    }
    return found;
  });
}

/** What customs are expected to take for an order that is being written, its currency. */
function taxesOf(input: OrderInput, lines: readonly { amount: string; charge: string }[]) {
  const each = input.lines.map((line, index) =>
    importTaxes({ ...line, amount: '0', charge: '0', ...lines[index] }, input.currency),
  );
  return { duty: sum(each.map((one) => one.duty)), importVat: sum(each.map((one) => one.importVat)) };
}

/** Totals of an order that is being written, and what stands in its way or should be looked at. */
export async function checkOrder(ctx: Ctx, input: OrderInput): Promise<OrderCheck> {
  const supplier = await supplierOf(ctx, input.supplierId);
  const amounts = await amountsOf(ctx, input, input.lines);
  const { duty, importVat } = taxesOf(input, amounts.lines);
  const taxed = !new Decimal(duty).plus(importVat).isZero();
  const head: Finding[] = [
    ...(input.incoterm === 'DDP' && taxed
      ? [{ level: 'warning' as const, text: 'DDP 的关税和进口VAT由供应商承担，通常不再填写' }]
      : []),
    ...supplierFindings(supplier),
    ...(new Decimal(amounts.total).isNegative()
      ? [{ level: 'error' as const, text: '优惠不能大于货款与费用之和' }]
      : []),
    ...(amounts.unmeasured.length > 0
      ? [{ level: 'error' as const, text: await unmeasuredWords(ctx, amounts.unmeasured, input.feeSplit) }]
      : []),
    ...(input.expectedOn !== null && input.expectedOn < ctx.clock.today()
      ? [{ level: 'warning' as const, text: '要求到货日期已过' }]
      : []),
  ];
  return {
    goods: amounts.goods,
    tax: amounts.tax,
    total: amounts.total,
    duty: taxed ? duty : null,
    importVat: taxed ? importVat : null,
    currency: input.currency,
    stages: stageAmounts(supplier.terms, amounts.total, input.currency),
    findings: [...head, ...(await lineFindings(ctx, input))],
  };
}
