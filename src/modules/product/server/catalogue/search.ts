import { sql } from 'kysely';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { Lifecycle, type Lifecycle as State, VIEW } from '../../contract/fields.ts';

/** Sorts behind every character that a SKU may hold. */
const LAST = '\u{10ffff}';

interface Found {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  lifecycle: string;
  barcode: string | null;
}

/** Local products by the beginning of the SKU or by their whole barcode. */
export const productSearch: SearchProvider = {
  title: '本地产品',
  icon: 'sku',
  permission: VIEW,
  async search(ctx, text, limit) {
    const start = text.toLowerCase();
    const { rows } = await sql<Found>`
      SELECT id, sku, name, image, lifecycle, barcode FROM product.local_product
       WHERE company_id = ${ctx.companyId} AND NOT is_spelling
         AND ((sku_key >= ${start} AND sku_key < ${start + LAST}) OR barcode = ${text})
       ORDER BY sku_key LIMIT ${limit}`.execute(ctx.db);
    return rows.map((row) => ({
      title: row.name || row.sku,
      subtitle: row.sku,
      image: row.image,
      tag: Lifecycle.meta()?.states?.[row.lifecycle as State] ?? { title: row.lifecycle, tone: 'off' as const },
      facts: [
        { label: 'SKU', value: row.sku },
        { label: '条码', value: row.barcode ?? '—' },
      ],
      path: '/material/details',
      query: { id: row.id },
      tabTitle: row.sku,
    }));
  },
};
