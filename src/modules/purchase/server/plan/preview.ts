import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { SupplyShown as Supply } from '#modules/product/contract/parts.ts';
import { localProducts, quantityWarnings, suppliesOfAll, tierFor } from '#modules/product/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { amountOf } from '../../contract/money.ts';
import type { PlannedLine, PlannedOrder } from '../../contract/plan.ts';
import { explodeNeeds, gathered, type Need } from './explosion.ts';

/** Open needs, locked until the transaction ends where orders are made of them. */
async function needsOf(ctx: Ctx, ids: readonly string[] | undefined, lock: boolean): Promise<Need[]> {
  let query = ctx.db
    .selectFrom('purchase.plan_line')
    .select([
      'id as planLine',
      'product_id as product',
      'warehouse_id as warehouse',
      'supplier_id as supplier',
      'qty',
      'need_by as needBy',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(2000);
  if (ids) query = query.where('id', '=', sql<string>`ANY (${[...ids]}::uuid[])`);
  if (lock) query = query.forUpdate();
  return (await query.execute()).map((row) => ({ ...row, usedFor: [] }));
}

function roundedUp(qty: number, supply: Supply | undefined): number {
  if (!supply) return qty;
  return Math.ceil(Math.max(qty, supply.moq) / supply.orderMultiple) * supply.orderMultiple;
}

interface Bought {
  need: Need;
  supply: Supply | undefined;
  supplierId: string | null;
}

/** From whom each need is bought; what is planned and what is a part of bundles comes on one line of one order. */
async function boughtFrom(ctx: Ctx, needs: readonly Need[]): Promise<Bought[]> {
  const all = await suppliesOfAll(
    ctx,
    needs.map((need) => need.product),
  );
  const sources = new Map<string | null, Need[]>();
  for (const need of needs) {
    const supplier = need.supplier ?? all.get(need.product)?.find((one) => one.isDefault)?.supplierId ?? null;
    sources.set(supplier, [...(sources.get(supplier) ?? []), need]);
  }
  return [...sources].flatMap(([supplierId, mine]) =>
    gathered(mine).map((need) => ({
      need,
      supplierId,
      supply: all.get(need.product)?.find((one) => one.supplierId === supplierId),
    })),
  );
}

/**
 * The orders that come of the plan: one for each supplier and warehouse, at the tier of each product's pieces, and the
 * bundles that are put together in each warehouse, whose missing parts are bought. Needs without a supplier or without a
 * price stay together and say why nothing can come of them.
 */
export async function plannedOrders(
  ctx: Ctx,
  input: { ids?: readonly string[] | undefined; rounded: boolean },
  lock = false,
): Promise<PlannedOrder[]> {
  const { make, buy } = await explodeNeeds(ctx, await needsOf(ctx, input.ids, lock));
  const bought = await boughtFrom(ctx, buy);
  const products = await localProducts(
    ctx,
    [...make, ...buy].map((need) => need.product),
  );
  const places = await warehouses(ctx);
  const names = await supplierStates(ctx);
  const groups = new Map<string, Bought[]>();
  for (const one of bought) {
    const key = `${one.supplierId ?? ''} ${one.need.warehouse} ${one.supply?.prices?.currency ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const orders = [...groups.values()].flatMap((group): PlannedOrder[] => {
    const [first] = group;
    if (!first) return [];
    const currency = first.supply?.prices?.currency ?? 'CNY';
    const lines = group.map(({ need, supply }) =>
      lineOf(need, supply, currency, input.rounded, products.get(need.product)?.cell),
    );
    const supplier = first.supplierId === null ? undefined : names.get(first.supplierId);
    const blocked = obstacle(supplier, lines);
    return [
      {
        way: 'BUY',
        supplierId: first.supplierId,
        supplier: supplier?.name ?? '未指定供应商',
        warehouseId: first.need.warehouse,
        warehouse: places.get(first.need.warehouse)?.name ?? '',
        currency,
        qty: lines.reduce((total, line) => total + line.qty, 0),
        amount: sum(lines.map((line) => line.amount ?? '0')),
        ...(blocked === undefined ? {} : { blocked }),
        lines,
      },
    ];
  });
  return [...orders, ...madeIn(make, products, places)];
}

/** What is put together in each warehouse; no price: the parts are bought for themselves. */
function madeIn(
  make: readonly Need[],
  products: ReadonlyMap<string, { cell: PlannedLine['product'] }>,
  places: ReadonlyMap<string, { name: string }>,
): PlannedOrder[] {
  return [...new Set(make.map((need) => need.warehouse))].map((warehouse) => {
    const lines = make
      .filter((need) => need.warehouse === warehouse)
      .map((need) => lineOf(need, undefined, 'CNY', false, products.get(need.product)?.cell));
    return {
      way: 'MAKE',
      supplierId: null,
      supplier: '组装',
      warehouseId: warehouse,
      warehouse: places.get(warehouse)?.name ?? '',
      currency: 'CNY',
      qty: lines.reduce((total, line) => total + line.qty, 0),
      amount: null,
      lines: lines.map((line) => ({ ...line, warnings: '' })),
    };
  });
}

function lineOf(
  need: Need,
  supply: Supply | undefined,
  currency: string,
  rounded: boolean,
  product = { name: '—', code: '—' },
): PlannedLine {
  const roundedQty = roundedUp(need.qty, supply);
  const qty = rounded ? roundedQty : need.qty;
  const unitPrice = supply?.prices ? (tierFor(supply.prices.tiers, qty)?.unitPrice ?? null) : null;
  return {
    id: need.planLine ?? need.product,
    planLineId: need.planLine,
    productId: need.product,
    product,
    qty,
    roundedQty,
    unitPrice,
    amount: unitPrice === null ? null : amountOf(qty, unitPrice, currency),
    currency,
    needBy: need.needBy,
    usedFor: need.usedFor.join('、'),
    warnings: supply ? quantityWarnings(qty, supply.moq, supply.orderMultiple).join('；') : '该供应商不供应此商品',
  };
}

function obstacle(
  supplier: { orderable: boolean } | undefined,
  lines: readonly { unitPrice: string | null; product: { code: string } }[],
): string | undefined {
  if (!supplier) return '请先在产品中设置默认供应商，或为规划指定供应商';
  if (!supplier.orderable) return '供应商已停用或评级过低，不能下单';
  const free = lines.find((line) => line.unitPrice === null || new Decimal(line.unitPrice).isZero());
  return free ? `SKU【${free.product.code}】没有有效报价` : undefined;
}

async function supplierStates(ctx: Ctx): Promise<Map<string, { name: string; orderable: boolean }>> {
  const rows = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['id', 'short_name as name', 'state', 'grade'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { name: row.name, orderable: row.state === 'active' && row.grade !== 'D' }]),
  );
}
