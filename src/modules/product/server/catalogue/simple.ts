import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { page } from '#kit/server/list/page.ts';
import { ConsumableRow, PackageRow, type ProductFilter } from '../../contract/material.ts';
import { productList, type ShownRow, sizeText, toProductRow } from './list.ts';

type Filter = Pick<ProductFilter, 'lifecycle' | 'skus' | 'name'>;

const NO_TAGS = new Map<string, { name: string }>();

/** One page of consumables with the number of products that take each. */
export async function consumablePage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<ConsumableRow>> {
  const found = await page<ShownRow, ShownRow>(ctx, request, {
    ...productList(ctx, { ...request.filter, kind: ['consumable'] }),
    row: ConsumableRow,
  });
  const { rows } = await sql<{ id: string; n: number }>`
    SELECT consumable_id AS id, count(*) AS n FROM product.consumable_use
     WHERE company_id = ${ctx.companyId} AND consumable_id = ANY (${found.records.map((row) => row.id)}::uuid[])
     GROUP BY consumable_id`.execute(ctx.db);
  const uses = new Map(rows.map((row) => [row.id, row.n]));
  const records = found.records.map((row) => ({
    ...toProductRow(row, NO_TAGS),
    safetyShare: row.safety_share,
    usedBy: uses.get(row.id) ?? 0,
  }));
  return { ...found, records };
}

interface BoxRow {
  id: string;
  innerLength: string | null;
  innerWidth: string | null;
  innerHeight: string | null;
  loadWeight: string | null;
}

/** One page of boxes to pack into, with what fits into each. */
export async function packagePage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<PackageRow>> {
  const found = await page<ShownRow, ShownRow>(ctx, request, {
    ...productList(ctx, { ...request.filter, kind: ['package'] }),
    row: PackageRow,
  });
  const { rows } = await sql<BoxRow>`
    SELECT product_id AS id, inner_length AS "innerLength", inner_width AS "innerWidth", inner_height AS "innerHeight",
           load_weight AS "loadWeight"
      FROM product.box WHERE company_id = ${ctx.companyId} AND product_id = ANY (${found.records.map((row) => row.id)}::uuid[])`.execute(
    ctx.db,
  );
  const boxes = new Map(rows.map((row) => [row.id, row]));
  const records = found.records.map((row) => {
    const box = boxes.get(row.id);
    const { size, weight, ...shown } = toProductRow(row, NO_TAGS);
    return {
      ...shown,
      inner: sizeText(box?.innerLength, box?.innerWidth, box?.innerHeight),
      outer: size,
      loadWeight: box?.loadWeight ?? null,
      ownWeight: weight,
    };
  });
  return { ...found, records };
}
