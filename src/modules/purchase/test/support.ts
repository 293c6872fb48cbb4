import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/contract.ts';
import type { Person, World } from '#test/support/world.ts';
import { orderDetail, orderSteps, saveOrder } from '../contract/order-calls.ts';
import { receiveGoods } from '../contract/receipt.ts';

/** A company that buys: warehouses of each quality, products, one supplier, and people who may do one thing each. */
export interface Buyers {
  owner: Person;
  /** Writes orders and places them. */
  buyer: Person;
  /** Approves, closes, voids. */
  chief: Person;
  /** Receives and inspects. */
  keeper: Person;
  products: Map<string, string>;
  supplier: string;
  main: string;
  qc: string;
  defective: string;
}

const codes = (...actions: string[]) => actions.map((action) => `erp:purchase:order:${action}`);
const SEES = ['erp:purchase:field:price', ...codes('view')];

/** Another warehouse of the company, with a place to put goods down. */
export async function warehouse(ctx: Ctx, code: string, name: string, quality: string): Promise<string> {
  const id = randomUUID();
  await sql`INSERT INTO warehouse.warehouse (company_id, id, code, name, kind, quality)
    VALUES (${ctx.companyId}, ${id}, ${code}, ${name}, 'LOCAL', ${quality})`.execute(ctx.db);
  await sql`INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
    VALUES (${ctx.companyId}, ${id}, ${id}, '暂存', '暂存', 'STAGING')`.execute(ctx.db);
  return id;
}

export async function createSupplier(owner: Person, shortName: string, more: object = {}): Promise<string> {
  const { id } = await owner.call(saveSupplier, { body: { shortName, ...more } });
  await owner.call(moveSupplier, { body: { id, action: 'activate' } });
  return id;
}

export async function createBuyers(world: World, skus: readonly string[]): Promise<Buyers> {
  const owner = await world.owner();
  const supplier = await createSupplier(owner, '永康锐达', {
    terms: [
      { share: '0.3', anchor: 'order', days: 0 },
      { share: '0.7', anchor: 'receipt', days: 30 },
    ],
  });
  const buyer = await world.member(owner, [...SEES, ...codes('edit', 'submit', 'place', 'export')]);
  const chief = await world.member(owner, [...SEES, ...codes('approve', 'closeLine', 'void', 'reverse')]);
  const keeper = await world.member(owner, codes('view', 'receive'));
  return world.as(owner, async (ctx) => {
    await learnProducts(
      ctx,
      skus.map((sku) => ({ sku, name: `产品${sku}` })),
    );
    const { rows } = await sql<{ id: string; sku: string }>`
      SELECT id, sku FROM product.local_product WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return {
      owner,
      buyer,
      chief,
      keeper,
      supplier,
      products: new Map(rows.map((row) => [row.sku, row.id])),
      main: await warehouse(ctx, 'SZ', '深圳仓', 'GOOD'),
      qc: await warehouse(ctx, 'QC', '质检仓', 'QC'),
      defective: await warehouse(ctx, 'DF', '次品仓', 'DEFECTIVE'),
    };
  });
}

export function productOf(buyers: Buyers, sku: string): string {
  const id = buyers.products.get(sku);
  if (!id) throw new Error(`no product ${sku}`);
  return id;
}

export interface Wanted {
  sku: string;
  qty: number;
  unitPrice?: string;
  gift?: boolean;
  receiveTolerance?: string;
}

/** An order that waits to be submitted. */
export function draftOrder(buyers: Buyers, lines: readonly Wanted[], head: object = {}) {
  return buyers.buyer.call(saveOrder, {
    body: {
      supplierId: buyers.supplier,
      warehouseId: buyers.main,
      ...head,
      lines: lines.map(({ sku, ...line }) => ({ productId: productOf(buyers, sku), unitPrice: '1', ...line })),
    },
  });
}

/** An order that went out to the supplier. */
export async function placedOrder(buyers: Buyers, lines: readonly Wanted[], head: object = {}) {
  const saved = await draftOrder(buyers, lines, head);
  await buyers.buyer.call(orderSteps.submit, { body: { id: saved.id } });
  await buyers.chief.call(orderSteps.approve, { body: { id: saved.id } });
  await buyers.buyer.call(orderSteps.place, { body: { id: saved.id } });
  return saved;
}

export const detailOf = (buyers: Buyers, id: string) => buyers.owner.call(orderDetail, { params: { id } });

export async function lineOf(buyers: Buyers, id: string, sku: string, gift = false) {
  const { lines } = await detailOf(buyers, id);
  const line = lines.find((one) => one.product.code === sku && one.gift === gift);
  if (!line) throw new Error(`no line ${sku}`);
  return line;
}

export async function receive(buyers: Buyers, id: string, sku: string, qty: number, inspect = false) {
  const line = await lineOf(buyers, id, sku);
  const done = await buyers.keeper.call(receiveGoods, { body: { id, lines: [{ lineId: line.id, qty, inspect }] } });
  return { ...done, receiptId: done.receiptId ?? '' };
}

/** Pieces of a product by status, in all warehouses. */
export function balances(world: World, buyers: Buyers, sku: string): Promise<Record<string, number>> {
  return world.as(buyers.owner, async (ctx) => {
    const { rows } = await sql<{ status: string; qty: number }>`
      SELECT status, sum(qty)::int AS qty FROM warehouse.stock_balance
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(buyers, sku)} AND qty <> 0 AND status <> 'OUTSIDE'
       GROUP BY 1 ORDER BY 1`.execute(ctx.db);
    return Object.fromEntries(rows.map((row) => [row.status, row.qty]));
  });
}

/** What the stock of a product is worth, CNY. */
export function stockValue(world: World, buyers: Buyers, sku: string): Promise<string> {
  return world.as(buyers.owner, async (ctx) => {
    const { rows } = await sql<{ value: string }>`
      SELECT coalesce(sum(amount_remaining), 0)::text AS value FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(buyers, sku)} AND open`.execute(ctx.db);
    return new Decimal(rows[0]?.value ?? 0).toFixed(2);
  });
}
