import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Ctx } from '#kit/server/context.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { inboundCalls } from '#modules/warehouse/contract/documents/inbound.ts';
import { post } from '#modules/warehouse/server/index.ts';
import type { Person, World } from './world.ts';
import { worldClock } from './world.ts';

/** A company with warehouses and products, and people who may do one thing each. */
export interface House {
  owner: Person;
  /** Makes documents, approves them, works at the shelves. */
  clerk: Person;
  chief: Person;
  keeper: Person;
  /** Id by SKU. */
  products: Map<string, string>;
  main: string;
  second: string;
  overseas: string;
  qc: string;
  defective: string;
}

const DOCS = ['in', 'out', 'transfer', 'exchange', 'stocktake', 'assembly', 'oversea'];
const VIEW = ['erp:inv:view', 'erp:inv:cost', 'erp:inv:export'];

async function warehouse(ctx: Ctx, code: string, name: string, kind: string, quality: string): Promise<string> {
  const id = randomUUID();
  await sql`INSERT INTO warehouse.warehouse (company_id, id, code, name, kind, quality)
    VALUES (${ctx.companyId}, ${id}, ${code}, ${name}, ${kind}, ${quality})`.execute(ctx.db);
  await sql`INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
    VALUES (${ctx.companyId}, ${id}, ${id}, '暂存', '暂存', 'STAGING')`.execute(ctx.db);
  return id;
}

export async function createHouse(world: World, skus: readonly string[]): Promise<House> {
  const owner = await world.owner();
  const codes = (...actions: string[]) => DOCS.flatMap((doc) => actions.map((action) => `erp:wh:${doc}:${action}`));
  const known = (list: string[]) => list.filter((code) => world.runtime.codes.has(code));
  const clerk = await world.member(owner, [...VIEW, ...known(codes('add'))]);
  const chief = await world.member(owner, [...VIEW, ...known(codes('audit', 'reverse', 'direct'))]);
  const keeper = await world.member(owner, [...VIEW, ...known(codes('receive', 'ship', 'count', 'make'))]);
  return world.as(owner, async (ctx) => {
    await learnProducts(
      ctx,
      skus.map((sku) => ({ sku, name: `产品${sku}` })),
    );
    const { rows } = await sql<{ id: string; sku: string }>`
      SELECT id, sku FROM product.local_product WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return {
      owner,
      clerk,
      chief,
      keeper,
      products: new Map(rows.map((row) => [row.sku, row.id])),
      main: await warehouse(ctx, 'SZ', '深圳仓', 'LOCAL', 'GOOD'),
      second: await warehouse(ctx, 'YW', '义乌仓', 'LOCAL', 'GOOD'),
      overseas: await warehouse(ctx, 'US', '美西仓', 'OVERSEAS', 'GOOD'),
      qc: await warehouse(ctx, 'QC', '质检仓', 'LOCAL', 'QC'),
      defective: await warehouse(ctx, 'DF', '次品仓', 'LOCAL', 'DEFECTIVE'),
    };
  });
}

export function productOf(house: House, sku: string): string {
  const id = house.products.get(sku);
  if (!id) throw new Error(`no product ${sku}`);
  return id;
}

/** Stock that is simply there, at a cost. */
export function stocked(
  world: World,
  house: House,
  sku: string,
  qty: number,
  unit: string,
  place = house.main,
  day?: string,
) {
  return world.as(house.owner, (ctx) =>
    post(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'open', number: 'QC1' },
      moves: [
        {
          product: productOf(house, sku),
          qty,
          from: 'OPENING',
          to: {
            warehouse: place,
            status: place === house.qc ? 'QUARANTINE' : place === house.defective ? 'DEFECTIVE' : 'AVAILABLE',
          },
          cost: { unit, firstDay: day },
        },
      ],
    }),
  );
}

/** Pieces of a product by status in a warehouse. */
export function balances(world: World, house: House, sku: string, place = house.main): Promise<Record<string, number>> {
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ status: string; qty: number }>`
      SELECT status, sum(qty)::int AS qty FROM warehouse.stock_balance
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(house, sku)} AND warehouse_id = ${place} AND qty <> 0
       GROUP BY 1 ORDER BY 1`.execute(ctx.db);
    return Object.fromEntries(rows.map((row) => [row.status, row.qty]));
  });
}

/** Open layers, oldest first, as "pieces@value day". */
export function layers(world: World, house: House, sku: string, place = house.main): Promise<string[]> {
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ text: string }>`
      SELECT qty_remaining || '@' || amount_remaining || ' ' || original_date AS text FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(house, sku)} AND warehouse_id = ${place} AND open
       ORDER BY original_date, id`.execute(ctx.db);
    return rows.map((row) => row.text);
  });
}

export const today = () => worldClock().today();

/** A receipt document that is approved and waits for its pieces. */
export async function approvedInbound(house: House, lines: readonly { sku: string; qty: number; unitCost?: string }[]) {
  const saved = await house.clerk.call(inboundCalls.save, {
    body: {
      warehouseId: house.main,
      partner: '义乌供应商',
      lines: lines.map(({ sku, ...line }) => ({ productId: productOf(house, sku), ...line })),
    },
  });
  await house.clerk.call(inboundCalls.submit, { body: { id: saved.id } });
  await house.chief.call(inboundCalls.approve, { body: { id: saved.id } });
  return saved;
}

/** Moves all that the company posted to the last day of the month before, priced at its end; answers that month, yyyy-MM. */
export async function backToLastMonth(world: World, house: House): Promise<string> {
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  const { rows } = await admin.query<{ month: string }>(
    `WITH m AS (SELECT (date_trunc('month', warehouse.today()) - interval '1 day')::date AS day),
          s AS (UPDATE warehouse.setting SET next_from = date_trunc('month', m.day)::date FROM m WHERE company_id = $1),
          p AS (UPDATE warehouse.stock_posting SET business_date = m.day FROM m WHERE company_id = $1),
          e AS (UPDATE warehouse.stock_entry SET business_date = m.day FROM m WHERE company_id = $1)
     SELECT to_char(day, 'YYYY-MM') AS month FROM m`,
    [house.owner.companyId],
  );
  await admin.end();
  return rows[0]?.month ?? '';
}
