import type { z } from 'zod';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import type { ProductTabData } from '../../contract/material.ts';
import { localProducts } from '../lookup.ts';

/** A table on the product's page that another module fills: its rows and, by their schema, its columns. */
export interface ProductTab {
  key: string;
  /** 「成本层」 */
  title: string;
  permission: string;
  /** Columns are its titled fields; a field `path` is the page that the first of them opens. */
  row: z.ZodObject;
  /** The newest rows of a product, at most `limit`. */
  rows(ctx: Ctx, product: { id: string; sku: string }, limit: number): Promise<readonly object[]>;
}

export const productTabs = extensionPoint<ProductTab>('product.tabs');

/** A page shows the newest of them; the whole lists are screens of their own. */
const MOST = 100;

/** The tables of other modules about a product, those and those columns that the caller may see. @throws notFound */
export async function tabsOf(ctx: Ctx, id: string): Promise<ProductTabData[]> {
  const product = (await localProducts(ctx, [id])).get(id);
  if (!product) throw notFound('产品不存在或已删除');
  const tabs: ProductTabData[] = [];
  for (const { key, title, permission, row, rows } of extensionsOf(ctx.runtime.modules, productTabs)) {
    if (!can(ctx, permission)) continue;
    const columns = exportColumns(ctx, row, undefined);
    // A field without a column is not for this caller, or not for a table.
    const kept = [...columns.map((column) => column.key), 'id', 'path', 'currency'];
    const found = await rows(ctx, product, MOST);
    tabs.push({
      key,
      title,
      columns: columns.map((column) => ({ ...column })),
      rows: found.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => kept.includes(name)))),
    });
  }
  return tabs;
}
