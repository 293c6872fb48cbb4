import ExcelJS from '@protobi/exceljs';
import { type SheetColumn, sheetValue } from './write.ts';

export interface SheetImage {
  bytes: Buffer;
  mediaType: 'image/png' | 'image/jpeg';
  /** Points; the picture is shown in this shape. */
  width: number;
  height: number;
}

export interface PictureRow {
  cells: Record<string, unknown>;
  /** Side by side in the first column; the bytes go into the file as they are. */
  pictures: readonly SheetImage[];
}

/** Height of a row with a picture, in points of the screen; a row is set in points of print, 3/4 of it. */
const SIDE = 72;
const GAP = 4;

/** A picture's size in its cell: as large as the row allows, in its own shape. */
function shown({ width, height }: SheetImage): { width: number; height: number } {
  const scale = (SIDE - 2 * GAP) / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * One worksheet with pictures in its first column, as XLSX. It is made in memory, pictures and all, so the caller bounds
 * their number and size before.
 */
export async function pictureSheet(
  spec: { sheet: string; heading: string; columns: readonly SheetColumn[] },
  rows: AsyncIterable<PictureRow>,
): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet(spec.sheet.slice(0, 28), { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = [
    { header: spec.heading },
    ...spec.columns.map(({ title, width }) => ({ header: title, width: width ?? 16 })),
  ];
  let most = 1;
  for await (const { cells, pictures } of rows) {
    const row = sheet.addRow([null, ...spec.columns.map(({ value, kind }) => sheetValue(value(cells), kind))]);
    row.alignment = { vertical: 'middle' };
    if (pictures.length > 0) row.height = (SIDE * 3) / 4;
    most = Math.max(most, pictures.length);
    for (const [index, picture] of pictures.entries()) {
      const extension = picture.mediaType === 'image/png' ? 'png' : 'jpeg';
      // The types of the library mean the buffer of another environment.
      const buffer = picture.bytes as unknown as ExcelJS.Buffer;
      const id = workbook.addImage({ buffer, extension });
      const at = index * SIDE + GAP;
      sheet.addImage(id, {
        tl: {
          nativeCol: 0,
          nativeColOff: at * 9525,
          nativeRow: row.number - 1,
          nativeRowOff: GAP * 9525,
        } as ExcelJS.Anchor,
        ext: shown(picture),
        editAs: 'oneCell',
      });
    }
  }
  sheet.getColumn(1).width = (most * SIDE + GAP) / 7;
  return Buffer.from(await workbook.xlsx.writeBuffer());
}
