import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import type { TableProblem } from '../../../contract/imports.ts';
import { addPicture, MAX_BYTES, type Picture, readPicture } from '../../catalogue/media.ts';
import type { Attachments } from '../kind.ts';
import { type SheetPicture, sheetPictures } from './workbook.ts';

/** Column of `import_row` with the id of the picture that its cell shows. */
export const PICTURE = 'picture';
/** Heading of that column, in the import and in the export with pictures. */
export const PICTURES = '图片';
/** Pictures of one file: each is decoded, one after the other, while somebody waits. */
export const MAX_PICTURES = 500;

interface Placed {
  line: number;
  picture: SheetPicture;
}

/** Pictures with the rows that they belong to, top down; `lost` is how many lie on no row that is imported. */
async function placed(ctx: Ctx, file: Buffer): Promise<{ found: Placed[]; lost: number }> {
  const pictures = sheetPictures(file);
  if (pictures.length === 0) return { found: [], lost: 0 };
  const { rows } = await sql<{ line: number; id: string | null }>`
    SELECT line_no AS line, ${sql.ref(PICTURE)} AS id FROM pg_temp.import_row`.execute(ctx.db);
  const lines = new Set(rows.map(({ line }) => line));
  const byId = new Map(pictures.flatMap((picture) => (picture.id ? [[picture.id, picture]] : [])));
  const over = pictures.flatMap((picture) => {
    const { line } = picture;
    return line !== null && lines.has(line) ? [{ line, picture }] : [];
  });
  const inside = rows.flatMap(({ line, id }) => {
    const picture = id ? byId.get(id) : undefined;
    return picture ? [{ line, picture }] : [];
  });
  const found = [...over, ...inside].sort((a, b) => a.line - b.line);
  // A picture of the heading is a logo, not somebody's product.
  const below = pictures.filter(({ line }) => line !== null && line > 1).length;
  return { found, lost: below - over.length };
}

const problem = (line: number | null, reason: string, suggestion: string): TableProblem => ({
  line,
  key: '',
  field: null,
  column: PICTURES,
  value: '',
  reason,
  suggestion,
});

/** Unpacks and decodes one picture. @throws AppError B0750 to B0752 */
async function opened({ picture }: Placed): Promise<Picture> {
  return readPicture(picture.bytes(MAX_BYTES));
}

async function check(ctx: Ctx, file: Buffer) {
  const { found, lost } = await placed(ctx, file);
  if (found.length > MAX_PICTURES) {
    const reason = `一个文件最多导入 ${MAX_PICTURES} 张图片，此文件有 ${found.length} 张`;
    return { problems: [problem(null, reason, '请拆分为多个文件')], summary: '' };
  }
  const problems: TableProblem[] = [];
  for (const one of found) {
    try {
      await opened(one);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(problem(one.line, error.message, '请替换或删除此行的图片'));
    }
  }
  const rest = lost > 0 ? `（另有 ${lost} 张不在数据行上，不会导入）` : '';
  return { problems, summary: found.length + lost > 0 ? `，${found.length} 张图片${rest}` : '' };
}

/** The first picture of a row becomes the main one of its product; the same bytes again change nothing. */
async function write(ctx: Ctx, file: Buffer): Promise<number> {
  const { found } = await placed(ctx, file);
  const { rows } = await sql<{ line: number; id: string }>`
    SELECT line_no AS line, id FROM pg_temp.import_id`.execute(ctx.db);
  const products = new Map(rows.map(({ line, id }) => [line, id]));
  const begun = new Set<number>();
  let added = 0;
  for (const one of found) {
    const product = products.get(one.line);
    if (!product) continue;
    const role = begun.has(one.line) ? 'detail' : 'main';
    begun.add(one.line);
    const { isNew } = await addPicture(ctx, product, await opened(one), role);
    if (isNew) added += 1;
  }
  return added;
}

/** Pictures in the sheet of products: over their rows, or in their cells as WPS keeps them. */
export const productPictures: Attachments = { check, write };
