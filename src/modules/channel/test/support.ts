import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Reply } from '#kit/contract/endpoint.ts';
import { emit } from '#kit/server/events.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { learnProducts, productIdsBySku, saveBomVersion } from '#modules/product/server/index.ts';
import { salesFolded } from '#modules/sales/server/index.ts';
import { US } from '#test/support/seller.ts';
import { uploadAs } from '#test/support/upload.ts';
import type { Person, World } from '#test/support/world.ts';
import { importOrders } from '../contract/bindings.ts';
import { refreshMarked } from '../server/rollup/refresh.ts';

/** A row of a sheet: platform, shop, order, line, day, country, SKU, pieces, sales, postage, commission, currency. */
export type SheetLine = readonly (string | number)[];

const TITLES = '平台* 店铺* 订单号* 行号 下单日期* 国家* 平台SKU* 数量* 销售额* 邮费 平台佣金 币种*'.split(' ');

export const sheetOf = (rows: readonly SheetLine[]): Promise<Buffer> =>
  writeWorkbook([{ title: '订单', rows: [TITLES, ...rows.map((row) => row.map(String))] }]);

/** Imports a sheet as somebody and answers whatever comes. */
export async function send(world: World, person: Person, rows: readonly SheetLine[], write: 'yes' | 'no' = 'yes') {
  return uploadAs(world, person, importOrders, { write }, { name: '订单.xlsx', bytes: await sheetOf(rows) });
}

/** Imports a sheet that is good, and has the sums follow. */
export async function take(
  world: World,
  person: Person,
  rows: readonly SheetLine[],
): Promise<Reply<typeof importOrders>> {
  const answer = await send(world, person, rows);
  expect(answer.data?.problems ?? answer.msg).toEqual([]);
  await follow(world, person);
  return answer.data;
}

/** What the job does once marks are there. */
export const follow = (world: World, person: Person): Promise<number> => refreshMarked(world.runtime, person.companyId);

/** Products of these SKUs; their ids by SKU. */
export function makeProducts(world: World, person: Person, skus: readonly string[]): Promise<Map<string, string>> {
  return world.as(person, async (ctx) => {
    await learnProducts(
      ctx,
      skus.map((sku) => ({ sku, name: `产品${sku}` })),
    );
    ctx.audited = true;
    return productIdsBySku(ctx, skus);
  });
}

/** Says what a product is made of from a day on. */
export function makeBundle(
  world: World,
  person: Person,
  ids: ReadonlyMap<string, string>,
  sku: string,
  parts: Readonly<Record<string, string>>,
  effectiveFrom: string,
) {
  const idOf = (one: string) => ids.get(one) ?? '';
  const lines = Object.entries(parts).map(([part, qtyPer]) => ({ componentId: idOf(part), qtyPer, scrapShare: '0' }));
  return world.as(person, (ctx) => saveBomVersion(ctx, { productId: idOf(sku), effectiveFrom, lines }));
}

/** What an account sold at Amazon in the US under a SKU on a day, in USD. */
export interface Sold {
  sku: string;
  day: string;
  units: number;
  sales: string;
}

/** Puts days of an account's SKUs as a fold would leave them, and tells of it as that does; `units` 0 is none. */
export function sellAtAmazon(world: World, person: Person, accountId: string, sold: readonly Sold[]): Promise<void> {
  return world.as(person, async (ctx) => {
    ctx.audited = true;
    for (const { sku, day, units, sales } of sold) {
      await sql`
        DELETE FROM sales.sku_day WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND seller_sku = ${sku}
           AND local_date = ${day}::date`.execute(ctx.db);
      if (units === 0) continue;
      await sql`
        INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business,
          currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales, discount,
          shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
        VALUES (${ctx.companyId}, ${accountId}, ${US}, ${day}, ${sku}, '', 'AMAZON', false, 'USD', 1, 1, ${units}, ${units}, 0, 0,
          ${sales}, 0, 5, 0, 0, 0, 0, 0, 0)`.execute(ctx.db);
    }
    await sql`DROP TABLE IF EXISTS pg_temp.fold_mark`.execute(ctx.db);
    await sql`CREATE TEMP TABLE fold_mark (marketplace_id text, local_date date, seller_sku text) ON COMMIT DROP`.execute(
      ctx.db,
    );
    await sql`
      INSERT INTO pg_temp.fold_mark
      SELECT ${US}, * FROM unnest(${sold.map(({ day }) => day)}::date[], ${sold.map(({ sku }) => sku)}::text[])`.execute(
      ctx.db,
    );
    await emit(ctx, salesFolded, { accountId, table: 'fold_mark' });
  });
}

/** All rows of the sums and the windows as text, in one order. */
export function dump(world: World, person: Person): Promise<{ sold: string[]; pace: string[] }> {
  return world.as(person, async (ctx) => {
    const of = async (table: string) => {
      const { rows } = await sql<{ row: string }>`
        SELECT (t.*)::text AS row FROM ${sql.table(table)} AS t WHERE t.company_id = ${ctx.companyId} ORDER BY 1`.execute(
        ctx.db,
      );
      return rows.map(({ row }) => row);
    };
    return { sold: await of('channel.sold_day'), pace: await of('channel.pace') };
  });
}
