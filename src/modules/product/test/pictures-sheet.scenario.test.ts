import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';
import ExcelJS from '@protobi/exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { commitTable, exportPictures } from '../contract/imports.ts';
import { listProducts, productDetail } from '../contract/material.ts';
import { zipFiles } from '../server/catalogue/zip.ts';
import { check, product } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

/** A picture of one colour. */
function painted(color: string, width = 60, height = 40): Buffer {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = color;
  pen.fillRect(0, 0, width, height);
  return canvas.toBuffer('image/png');
}

/** A ZIP of files as they are. */
function zipped(files: readonly { path: string; bytes: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, tail, name]));
    parts.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

type Lies = { row: number; bytes: Buffer };

/** A workbook as a person makes it: rows of cells, pictures over them. */
async function workbook(rows: readonly (readonly string[])[], pictures: readonly Lies[]): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('产品');
  for (const row of rows) sheet.addRow([...row]);
  for (const { row, bytes } of pictures) {
    const id = book.addImage({ buffer: bytes as unknown as ExcelJS.Buffer, extension: 'png' });
    sheet.addImage(id, { tl: { col: 2.1, row: row - 0.9 }, ext: { width: 40, height: 15 } });
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** The same workbook with pictures kept in cells, as WPS writes them. */
function withCellPictures(file: Buffer, pictures: Readonly<Record<string, Buffer>>): Buffer {
  const names = Object.keys(pictures);
  const image = (id: string, index: number) =>
    `<etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${index + 2}" name="${id}"/></xdr:nvPicPr>` +
    `<xdr:blipFill><a:blip r:embed="rId${index + 1}"/></xdr:blipFill></xdr:pic></etc:cellImage>`;
  const target = (_: string, index: number) =>
    `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/cell${index}.png"/>`;
  return zipped([
    ...zipFiles(file, 100).map(({ path, bytes }) => ({ path, bytes: bytes(10_000_000) })),
    { path: 'xl/cellimages.xml', bytes: Buffer.from(`<etc:cellImages>${names.map(image).join('')}</etc:cellImages>`) },
    {
      path: 'xl/_rels/cellimages.xml.rels',
      bytes: Buffer.from(`<Relationships>${names.map(target).join('')}</Relationships>`),
    },
    ...Object.values(pictures).map((bytes, index) => ({ path: `xl/media/cell${index}.png`, bytes })),
  ]);
}

const take = (file: Buffer) => check(world, owner, 'product', file);
const put = (id: string | null) => owner.call(commitTable, { params: { id: id ?? '' } });
const idOf = async (sku: string) => {
  const { records } = await owner.call(listProducts, { body: { filter: { skus: [sku] } } });
  return records[0]?.id ?? '';
};
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Content of a product's pictures, the main one first. */
async function shown(sku: string): Promise<string[]> {
  const { media } = await owner.call(productDetail, { params: { id: await idOf(sku) } });
  const bytes = await Promise.all(media.map(({ url }) => world.app.inject({ url })));
  return bytes.map(({ rawPayload }) => hash(rawPayload));
}

describe('pictures in the sheet of products', () => {
  const [red, green, blue] = [painted('red'), painted('green'), painted('blue', 30, 90)];

  it('go to the product of their row, the first as its main one; what lies on no row is counted', async () => {
    const rows = [
      ['SKU', '名称', '图片'],
      ['PIC-1', '红杯', ''],
      ['PIC-2', '绿杯', ''],
    ];
    const file = await workbook(rows, [
      { row: 1, bytes: painted('gold') },
      { row: 2, bytes: red },
      { row: 3, bytes: green },
      { row: 3, bytes: blue },
      { row: 9, bytes: painted('grey') },
    ]);
    const { data } = await take(file);
    expect(data).toMatchObject({
      problems: [],
      summary: '将写入 2 行产品，3 张图片（另有 1 张不在数据行上，不会导入）',
    });
    expect(await put(data.id)).toMatchObject({ rows: 2, changed: 5 });
    expect(await shown('PIC-1')).toEqual([hash(red)]);
    expect(await shown('PIC-2')).toEqual([hash(green), hash(blue)]);
    const again = await take(file);
    expect(await put(again.data.id)).toMatchObject({ changed: 0 });
  });

  it('are found in cells too, as WPS keeps them', async () => {
    const cell = (id: string) => `=DISPIMG("${id}",1)`;
    const rows = [
      ['SKU', '名称', '图片'],
      ['PIC-3', '蓝杯', cell('ID_B')],
      ['PIC-4', '白杯', cell('ID_GONE')],
    ];
    const { data } = await take(withCellPictures(await workbook(rows, []), { ID_A: red, ID_B: blue }));
    expect(data).toMatchObject({ problems: [], summary: '将写入 2 行产品，1 张图片' });
    await put(data.id);
    expect(await shown('PIC-3')).toEqual([hash(blue)]);
    expect(await shown('PIC-4')).toEqual([]);
  });

  it('that are none are refused with their row, and nothing is written', async () => {
    const rows = [
      ['SKU', '名称'],
      ['PIC-5', '坏图'],
    ];
    const { data } = await take(await workbook(rows, [{ row: 2, bytes: Buffer.from('no picture at all') }]));
    expect(data).toMatchObject({ id: null });
    expect(data.problems).toMatchObject([{ line: 2, column: '图片', reason: '文件格式不支持，请上传 JPG、PNG 图片' }]);
    expect(await idOf('PIC-5')).toBe('');
  });

  it('leave with their products as they are stored, and come back without a change', async () => {
    const ids = [await idOf('PIC-1'), await idOf('PIC-2'), await product(owner, 'PIC-6')];
    const file = (await owner.send(exportPictures, { body: { ids } })).raw;
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(file as unknown as ExcelJS.Buffer);
    const sheet = book.worksheets[0];
    const lies = sheet?.getImages().map(({ imageId, range }) => {
      const bytes = book.getImage(Number(imageId)).buffer as unknown as Buffer;
      return [sheet.getCell(range.tl.nativeRow + 1, 2).text, hash(Buffer.from(bytes))];
    });
    expect(lies).toEqual([
      ['PIC-1', hash(red)],
      ['PIC-2', hash(green)],
      ['PIC-2', hash(blue)],
    ]);
    expect(sheet?.getRow(1).values).toEqual(expect.arrayContaining(['图片', 'SKU', '名称', '采购成本(CNY)']));
    const { data } = await take(file);
    expect(data).toMatchObject({ problems: [], rows: 3 });
    expect(await put(data.id)).toMatchObject({ changed: 0 });
  });

  it('stay within what a file may hold', async () => {
    const ids = Array.from({ length: 501 }, () => '01a20833-0000-7000-8000-000000000000');
    expect((await owner.send(exportPictures, { body: { ids } })).msg).toContain('含图片一次最多导出 500 个产品');
    const many = Array.from({ length: 501 }, () => ({ row: 2, bytes: red }));
    const { data } = await take(
      await workbook(
        [
          ['SKU', '名称'],
          ['PIC-7', '多图'],
        ],
        many,
      ),
    );
    expect(data.problems).toMatchObject([{ line: null, reason: '一个文件最多导入 500 张图片，此文件有 501 张' }]);
  });
});
