import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { placesSelect } from '#modules/warehouse/server/index.ts';
import { Disposition, type GroupBy } from '../../contract/fields.ts';
import { stageTitle } from './at.ts';

const POOLS: Readonly<Record<string, string>> = { EU: '欧洲' };

interface Named {
  id: string;
  name: string;
}

async function named(ctx: Ctx, table: 'product.brand' | 'product.category'): Promise<Map<string, string>> {
  const { rows } = await sql<Named>`
    SELECT id, name FROM ${sql.table(table)} WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Says what the values of groups are called; `Namer(by, key)`. Products are named where they are read. */
export type Namer = (by: GroupBy, key: string) => string;

/** Reads the names of everything that lines are grouped by, but for products. */
export async function namer(ctx: Ctx): Promise<Namer> {
  const stores = await storeNames(ctx);
  const { rows } = await sql<Named>`SELECT id, name FROM (${placesSelect(ctx)}) AS w`.execute(ctx.db);
  const warehouses = new Map(rows.map(({ id, name }) => [id, name]));
  const brands = await named(ctx, 'product.brand');
  const categories = await named(ctx, 'product.category');
  const place = (key: string) => {
    const [id = '', pool] = key.split(':');
    if (pool === undefined) return warehouses.get(id) ?? '—';
    return `${stores.get(id) ?? '—'} ${POOLS[pool] ?? pool} FBA`;
  };
  return (by, key) => {
    switch (by) {
      case 'STAGE':
        return stageTitle(key);
      case 'PLACE':
        return place(key);
      case 'STORE':
        return key === '' ? '自有仓库' : (stores.get(key) ?? '—');
      case 'BRAND':
        return brands.get(key) ?? '无品牌';
      case 'CATEGORY':
        return categories.get(key) ?? '未分类';
      case 'DISPOSITION':
        return key === '' ? '可用' : (Disposition.meta()?.states?.[key]?.title ?? key);
      case 'MSKU':
        return key === '' ? '—' : key;
      case 'PRODUCT':
        return key.startsWith('?') ? key.slice(1) : key;
    }
  };
}

/** Accounts, brands and categories to filter by. */
export async function choices(ctx: Ctx) {
  const of = (map: ReadonlyMap<string, string>) =>
    [...map].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label, 'zh'));
  return {
    accounts: of(await storeNames(ctx)),
    brands: of(await named(ctx, 'product.brand')),
    categories: of(await named(ctx, 'product.category')),
  };
}
