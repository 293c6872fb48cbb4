import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { decimal, type ImportColumn, sku } from '../columns.ts';
import type { ImportDef } from '../kind.ts';
import { rowsOf } from '../rows.ts';
import { doubled, productJoin, unknownSku } from './shared.ts';

const columns: ImportColumn[] = [
  { key: 'sku', title: 'SKU', aliases: ['本地sku'], required: true, read: sku, sample: 'KD-CUP-01' },
  { key: 'consumable', title: '辅料SKU', required: true, read: sku, sample: 'FL-TAPE' },
  {
    key: 'qty_per',
    title: '单件用量',
    aliases: ['用量'],
    required: true,
    read: decimal(4, { max: 99_999_999 }),
    sample: '0.02',
  },
];

/** Products of the file take exactly the consumables that it names. */
async function write(ctx: Ctx): Promise<number> {
  const gone = await sql`
    DELETE FROM product.consumable_use AS u
     WHERE u.company_id = ${ctx.companyId}
       AND u.product_id IN (SELECT p.id FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'p')})
       AND NOT EXISTS (SELECT FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'p')} ${productJoin(ctx, 'consumable', 'c')}
                        WHERE p.id = u.product_id AND c.id = u.consumable_id)`.execute(ctx.db);
  const put = await sql`
    INSERT INTO product.consumable_use AS u (company_id, product_id, consumable_id, qty_per)
    SELECT ${ctx.companyId}, p.id, c.id, r.qty_per::numeric
      FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'p')} ${productJoin(ctx, 'consumable', 'c')}
    ON CONFLICT (company_id, product_id, consumable_id) DO UPDATE SET qty_per = excluded.qty_per
     WHERE u.qty_per <> excluded.qty_per`.execute(ctx.db);
  return Number(gone.numAffectedRows ?? 0n) + Number(put.numAffectedRows ?? 0n);
}

export const consumableImport: ImportDef = {
  title: '辅料关系',
  columns,
  problems: (ctx) => sql`
    ${unknownSku(ctx, 'sku')} UNION ALL ${unknownSku(ctx, 'consumable', ['consumable', 'package'])}
    UNION ALL ${doubled(['sku', 'consumable'], 'consumable')}
    UNION ALL SELECT line_no, 'consumable', '辅料不能是产品自身', '请检查SKU' FROM pg_temp.import_row WHERE lower(sku) = lower(consumable)`,
  write,
  current: (ctx) =>
    rowsOf(
      ctx,
      sql`SELECT p.sku, c.sku AS consumable, trim_scale(u.qty_per)::text AS qty_per FROM product.consumable_use AS u
            JOIN product.local_product AS p ON p.company_id = u.company_id AND p.id = u.product_id
            JOIN product.local_product AS c ON c.company_id = u.company_id AND c.id = u.consumable_id
           WHERE u.company_id = ${ctx.companyId} ORDER BY p.sku, c.sku`,
    ),
};
