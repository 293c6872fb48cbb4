import { Readable } from 'node:stream';
import type { Principal } from '#kit/server/context.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import { checkFile, commitFile } from './imports/engine.ts';

/** What each set of products is packed with, as rows of the table 辅料关系. */
const USES = [
  ['HC-OPP-30', '1'],
  ['HC-LABEL', '2'],
] as const;

/** SKUs of the demo's goods; none where somebody has imported before. */
async function skusOf(runtime: Runtime, principal: Principal): Promise<string[]> {
  return inTenant(runtime, principal, async (ctx) => {
    const known = await ctx.db
      .selectFrom('product.table_import')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .limit(1)
      .executeTakeFirst();
    const packing = await ctx.db
      .selectFrom('product.local_product')
      .select('sku')
      .where('company_id', '=', ctx.companyId)
      .where(
        'sku',
        'in',
        USES.map(([sku]) => sku),
      )
      .execute();
    if (known || packing.length < USES.length) return [];
    const rows = await ctx.db
      .selectFrom('product.local_product')
      .select('sku')
      .where('company_id', '=', ctx.companyId)
      .where('kind', '=', 'goods')
      .where('is_spelling', '=', false)
      .where('name', '<>', '')
      .orderBy('sku')
      .limit(24)
      .execute();
    return rows.map((row) => row.sku);
  });
}

/**
 * Two imported tables for the demo company, once its products are there: one written, one that waits. Does nothing where
 * anything was imported already.
 */
export async function demoImports(runtime: Runtime, principal: Principal): Promise<void> {
  const skus = await skusOf(runtime, principal);
  const files = [
    { name: '辅料用量-第一批.csv', skus: skus.slice(0, 12), write: true },
    { name: '辅料用量-第二批.csv', skus: skus.slice(12), write: false },
  ];
  for (const file of files.filter((one) => one.skus.length > 0)) {
    const rows = file.skus.flatMap((sku) => USES.map(([material, qty]) => `${sku},${material},${qty}`));
    const stream = Readable.from([Buffer.from(['SKU,辅料SKU,单件用量', ...rows].join('\n'))]);
    const upload = { fileName: file.name, mediaType: 'text/csv', stream };
    const request = { ip: '', userAgent: '', requestId: 'demo', session: undefined, cookies: {} };
    const open = { runtime, principal, upload: async () => upload, ...request };
    const { id } = await checkFile(open, 'consumable');
    if (file.write && id) await inTenant(runtime, principal, (ctx) => commitFile(ctx, id));
  }
}
