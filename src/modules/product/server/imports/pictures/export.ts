import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type PictureRow, pictureSheet, type SheetImage } from '#kit/server/excel/pictures.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { bytesOf, MAX_BYTES } from '../../catalogue/media.ts';
import { currentProducts, productColumns } from '../kinds/product.ts';
import { MAX_PICTURES, PICTURE, PICTURES } from './attach.ts';

/** What the import reads back; both ends hold the file in memory. */
const MAX_TOTAL = 40 * 1024 * 1024;

interface Stored {
  product: string;
  sha256: string;
  mediaType: SheetImage['mediaType'];
  width: number;
  height: number;
  size: number;
}

/** Pictures of products, the main one of each first. @throws refused B0751 where they are more than a file may hold */
async function picturesOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Stored[]>> {
  const { rows } = await sql<Stored>`
    SELECT m.product_id AS product, m.sha256, f.media_type AS "mediaType", m.width, m.height, f.size::int AS size
      FROM product.media AS m JOIN kit.file AS f ON f.company_id = m.company_id AND f.id = m.file_id
     WHERE m.company_id = ${ctx.companyId} AND m.product_id = ANY (${[...ids]}::uuid[])
     ORDER BY m.product_id, m.role <> 'main', m.sort, m.id`.execute(ctx.db);
  const total = rows.reduce((sum, { size }) => sum + size, 0);
  if (rows.length > MAX_PICTURES)
    throw refused(`含图片最多导出 ${MAX_PICTURES} 张图片，所选产品有 ${rows.length} 张，请减少产品`, 'B0751');
  if (total > MAX_TOTAL) {
    const megabytes = Math.ceil(total / 1024 / 1024);
    throw refused(`图片合计 ${megabytes} MB，超过一个文件的 ${MAX_TOTAL / 1024 / 1024} MB，请减少产品`, 'B0751');
  }
  return Map.groupBy(rows, ({ product }) => product);
}

async function* rowsWith(ctx: Ctx, products: readonly { id: string }[], pictures: ReadonlyMap<string, Stored[]>) {
  for (const cells of products) {
    const own: SheetImage[] = [];
    for (const { sha256, ...picture } of pictures.get(cells.id) ?? []) {
      own.push({ ...picture, bytes: await bytesOf(ctx.runtime.files.open(ctx.companyId, sha256), MAX_BYTES) });
    }
    yield { cells, pictures: own } satisfies PictureRow;
  }
}

/**
 * Products with their pictures as a workbook that the import of products takes back: the pictures are those stored, not
 * smaller ones, so that nothing is lost on the way.
 * @throws notFound where the company has none of them, refused B0751 where they are too many
 */
export async function picturedFile(ctx: Ctx, ids: readonly string[]): Promise<FileReply> {
  // All rows first: the cursor and the files would otherwise wait for each other.
  const products = await Array.fromAsync(currentProducts(ctx, ids) as AsyncIterable<{ id: string }>);
  if (products.length === 0) throw notFound('所选产品不存在或已删除');
  const pictures = await picturesOf(ctx, ids);
  const columns = productColumns.filter(({ key }) => key !== PICTURE);
  const spec = {
    sheet: '产品',
    heading: PICTURES,
    columns: columns.map(({ key, title }) => ({
      title,
      kind: 'text' as const,
      value: (row: Record<string, unknown>) => (row[key] as string | number | null) ?? null,
    })),
  };
  const file = await pictureSheet(spec, rowsWith(ctx, products, pictures));
  await audit(ctx, { action: '导出产品（含图片）', resource: 'product', after: { products: products.length } });
  return new FileReply('产品（含图片）.xlsx', MEDIA_TYPES.xlsx, file);
}
