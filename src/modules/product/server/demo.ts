import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { BrandForm, CategoryForm } from '../contract/catalogue.ts';
import { saveBomVersion } from './catalogue/bom.ts';
import { saveBrandRow } from './catalogue/brands.ts';
import { saveCategoryRow } from './catalogue/categories.ts';
import { saveProductRow } from './catalogue/save.ts';
import { KINDS } from './demo-kinds.ts';

const BRANDS: Record<string, string> = { NQ: 'Northquay', LP: 'Lumipaw' };
const COLOURS: Record<string, string> = {
  BK: '黑色',
  BL: '蓝色',
  GN: '绿色',
  GY: '灰色',
  PK: '粉色',
  RD: '红色',
  WH: '白色',
};

/** First level, then its second level with the customs code of most goods in it. */
const CATEGORIES: Record<string, Record<string, string>> = {
  餐厨: { 水具: '9617009000', 厨房小件: '3924100000' },
  居家: { 收纳: '3924900000', 灯具: '9405210000', 园艺: '3924900000' },
  出行: { 箱包: '4202220000', 户外: '9513000000' },
  宠物: { 宠物日用: '4201000000', 宠物玩具: '9503006000' },
  个护数码: { 个人护理: '8509809000', 数码配件: '8544422100' },
};

async function makeCategories(ctx: Ctx): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [sort, [name, children]] of Object.entries(CATEGORIES).entries()) {
    const parentId = await saveCategoryRow(ctx, CategoryForm.parse({ name, sort }));
    for (const [place, [child, hsCode]] of Object.entries(children).entries()) {
      ids.set(child, await saveCategoryRow(ctx, CategoryForm.parse({ name: child, parentId, hsCode, sort: place })));
    }
  }
  return ids;
}

async function makeBrands(ctx: Ctx): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [prefix, name] of Object.entries(BRANDS)) {
    ids.set(prefix, await saveBrandRow(ctx, BrandForm.parse({ name, trademarkNo: '', remark: '' })));
  }
  return ids;
}

/** Fills in what a listing does not tell of its product. */
async function fillIn(ctx: Ctx, id: string, sku: string, brands: Map<string, string>, categories: Map<string, string>) {
  const [prefix = '', middle = '', , colour = ''] = sku.split('-');
  const kind = KINDS[middle];
  if (!kind) return;
  const [length, width, height] = kind.size;
  const specification = COLOURS[colour] ?? '';
  await saveProductRow(ctx, {
    id,
    sku,
    name: [kind.name, specification].filter(Boolean).join(' '),
    specification,
    brandId: brands.get(prefix) ?? null,
    categoryId: categories.get(kind.category) ?? null,
    qcLevel: kind.battery ? 'full' : 'sample',
    hazards: kind.battery ? ['battery'] : [],
    dimensions: [{ role: 'packed', length, width, height, weight: kind.weight, unitsPerCarton: kind.perCarton }],
    ...(kind.cost === undefined ? {} : { unitCost: kind.cost }),
  });
}

/** What goods are packed in, and a kit of two of them. */
async function makePacking(ctx: Ctx, products: readonly { id: string; sku: string }[]): Promise<void> {
  const consumable = { kind: 'consumable' as const, unit: '个' };
  await saveProductRow(ctx, { ...consumable, sku: 'HC-OPP-30', name: 'OPP袋 30×40cm', unitCost: '0.12' });
  await saveProductRow(ctx, { ...consumable, sku: 'HC-BUBBLE', name: '气泡袋 20×25cm', unitCost: '0.35' });
  await saveProductRow(ctx, {
    ...consumable,
    sku: 'HC-LABEL',
    name: '热敏标签纸 50×30mm',
    unit: '张',
    unitCost: '0.03',
  });
  for (const [sku, name, length, width, height, cost] of [
    ['XZ-60-40-40', '五层纸箱 60×40×40cm', '60', '40', '40', '7.8'],
    ['XZ-50-40-35', '五层纸箱 50×40×35cm', '50', '40', '35', '6.2'],
  ] as const) {
    const box = { innerLength: length, innerWidth: width, innerHeight: height, loadWeight: '22' };
    await saveProductRow(ctx, { kind: 'package', unit: '个', sku, name, unitCost: cost, box });
  }
  const find = (start: string) => products.find(({ sku }) => sku.startsWith(start))?.id;
  const parts = [find('LP-PBW-'), find('LP-PBR-')].filter((id) => id !== undefined);
  if (parts.length < 2) return;
  const kit = await saveProductRow(ctx, { sku: 'LP-PETSET-2', name: '宠物日用套装（碗＋梳）', unit: '套' });
  const lines = parts.map((componentId) => ({ componentId, qtyPer: '1', scrapShare: '0' }));
  await saveBomVersion(ctx, { productId: kit.id, lines });
}

/**
 * Gives the products that came with the demo's listings Chinese names, brands, categories, measures and, most of them,
 * costs; adds packing material and a kit.
 */
export async function demoProducts(ctx: Ctx): Promise<void> {
  const brands = await makeBrands(ctx);
  const categories = await makeCategories(ctx);
  const { rows: products } = await sql<{ id: string; sku: string }>`
    SELECT id, sku FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND NOT is_spelling ORDER BY sku`.execute(ctx.db);
  for (const { id, sku } of products) await fillIn(ctx, id, sku, brands, categories);
  await makePacking(ctx, products);
}
