import { sql } from 'kysely';
import { AppError, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { addPicture, bytesOf, MAX_BYTES, type Picture, readPicture } from './media.ts';
import { readZip } from './zip.ts';

const MAX_ZIP = 100 * 1024 * 1024;
const MAX_FILES = 500;

interface Found {
  file: string;
  productId: string;
  picture: Picture;
  role: 'main' | 'detail';
}

/** `红色杯_2.JPG` is the second picture of 红色杯; a SKU may itself end like that, so the whole name is tried first. */
export function namesOf(path: string): { sku: string; rest: string | undefined } {
  const name = path.split('/').at(-1) ?? '';
  const sku = name.replace(/\.(jpe?g|png)$/i, '');
  return { sku, rest: /^(.+)_\d{1,2}$/.exec(sku)?.[1] };
}

function productOf(known: ReadonlyMap<string, string>, path: string) {
  const { sku, rest } = namesOf(path);
  const whole = known.get(sku.trim().toLowerCase());
  if (whole) return { id: whole, role: 'main' as const };
  const part = rest && known.get(rest.trim().toLowerCase());
  return part ? { id: part, role: 'detail' as const } : undefined;
}

async function read(entries: readonly { path: string; bytes: Buffer }[], known: ReadonlyMap<string, string>) {
  const found: Found[] = [];
  const problems: { file: string; reason: string }[] = [];
  for (const { path, bytes } of entries) {
    const product = productOf(known, path);
    if (!product) {
      problems.push({ file: path, reason: '没有这个SKU的产品' });
      continue;
    }
    try {
      const picture = await readPicture(bytes);
      found.push({ file: path, productId: product.id, picture, role: product.role });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push({ file: path, reason: error.message });
    }
  }
  return { found, problems };
}

/** Takes a ZIP of pictures called by SKU: all of them, or none and the reason of each that cannot be taken. */
export async function takePhotos(open: OpenCtx) {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const entries = readZip(await bytesOf(upload.stream, MAX_ZIP), { maxFiles: MAX_FILES, maxBytes: MAX_BYTES });
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const keys = entries.flatMap(({ path }) => {
        const { sku, rest } = namesOf(path);
        return [sku, rest ?? ''].map((text) => text.trim().toLowerCase());
      });
      const { rows } = await sql<{ id: string; key: string }>`
        SELECT id, sku_key AS key FROM product.local_product
         WHERE company_id = ${ctx.companyId} AND NOT is_spelling AND sku_key = ANY (${keys}::text[])
         ORDER BY id FOR UPDATE`.execute(ctx.db);
      const { found, problems } = await read(entries, new Map(rows.map((row) => [row.key, row.id])));
      if (problems.length > 0) return { added: 0, known: 0, problems };
      let added = 0;
      for (const { productId, picture, role } of found) {
        const { isNew } = await addPicture(ctx, productId, picture, role);
        if (isNew) added += 1;
      }
      return { added, known: found.length - added, problems };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
