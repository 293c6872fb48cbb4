import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import ExcelJS from '@protobi/exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { spool } from '../server/upload/spool.ts';
import { E1, encode, settlementV2File, V2_NAMES } from './fixtures/build.ts';
import { DE, manualStore, send, traces, US } from './fixtures/upload.ts';

let world: World;
let owner: Person;
let shop: string;
let spoolDir: string;
const usual = process.env.TMPDIR;

beforeAll(async () => {
  // Uploads wait in the temporary directory: one of its own shows what they leave there.
  spoolDir = await mkdtemp(join(tmpdir(), 'spool-'));
  process.env.TMPDIR = spoolDir;
  world = await createWorld();
  owner = await world.owner();
  shop = await manualStore(owner, '手工店', US);
});
afterAll(async () => {
  await world.close();
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  await rm(spoolDir, { recursive: true, force: true });
});

describe('a file that is refused', () => {
  const settlement = encode(settlementV2File('10.79', E1));
  const book = async () => {
    const file = new ExcelJS.Workbook();
    file
      .addWorksheet('a')
      .addRows([['order id', 'date', 'qty'], ...Array.from({ length: 300 }, (_, n) => [`A-${n}`, '2026-01-15', n])]);
    return Buffer.from(await file.xlsx.writeBuffer());
  };
  const cases: [string, () => Promise<Uint8Array> | Uint8Array, { requesttype?: string }, RegExp, object?][] = [
    ['is empty', () => new Uint8Array(0), {}, /文件为空/],
    ['is a picture', () => Buffer.from('\u0089PNG\r\n\u001a\n0000', 'latin1'), {}, /图片不能导入/],
    ['is a web page', () => encode('<html><body>登录</body></html>'), {}, /网页或 XML/],
    ['is another report', () => encode('average-quantity\tend-quantity\tmonth\n'), {}, /这是FBA月度库存历史/],
    ['is some other table', () => encode('name,colour,size\nA,red,1\nB,blue,2\n'), {}, /不是已知的亚马逊报表/],
    [
      'lacks a column',
      () =>
        encode(settlementV2File('10.79', E1, { columns: V2_NAMES.filter((name) => name !== 'amount-description') })),
      {},
      /缺少 amount-description/,
    ],
    [
      'is not what was said',
      () => settlement,
      { requesttype: 'GET_MERCHANT_LISTINGS_ALL_DATA' },
      /选择的是「.+」，文件是「.*结算/,
    ],
    ['is of a type that does not exist', () => settlement, { requesttype: 'GET_WHATEVER' }, /暂不支持的报表类型/],
    ['is a report called an order list', () => settlement, { requesttype: 'ORDER_LIST' }, /请选择该报表类型上传/],
    ['is a cent off', () => encode(settlementV2File('10.80', E1)), {}, /0\.01/],
    ['is cut in the middle of a line', () => settlement.subarray(0, settlement.length - 40), {}, /最后一行|合计|列/],
    ['is a truncated gzip', () => gzipSync(settlement).subarray(0, -20), {}, /gzip 校验失败/],
    [
      'is a damaged gzip',
      () => {
        const bytes = gzipSync(settlement);
        bytes[bytes.length - 6] = (bytes.at(-6) ?? 0) ^ 0xff;
        return bytes;
      },
      {},
      /gzip 校验失败/,
    ],
    ['is a bomb', () => gzipSync(Buffer.alloc(64 * 1024 * 1024)), {}, /100 倍/],
    [
      'is a truncated workbook',
      async () => (await book()).subarray(0, -200),
      { requesttype: 'ORDER_LIST' },
      /Excel 压缩包校验失败/,
    ],
    [
      'has a wrong number',
      () => encode(settlementV2File('10.79', E1).replace('\t49.98\t', '\t49,9,8\t')),
      {},
      /第 \d+ 行，列 amount/,
      { column: 'amount' },
    ],
  ];
  it.each(cases)('because it %s leaves nothing behind', async (_, bytes, fields, words, more) => {
    const before = await traces(world, owner);
    const answer = await send(world, owner, await bytes(), { amazonauthid: shop, ...fields });
    expect([answer.status, answer.code]).toEqual([200, 400]);
    expect(answer.msg).toMatch(words);
    if (more) expect(answer.data).toMatchObject(more);
    expect(await traces(world, owner)).toEqual(before);
    expect(await readdir(spoolDir)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^upload-/)]));
  });

  it('is read no further than the limit', async () => {
    let asked = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          asked += 1;
          yield Buffer.alloc(1024);
        }
      })(),
    );
    await expect(spool(endless, 100 * 1024)).rejects.toMatchObject({ name: 'FileRefused', message: /文件过大/ });
    expect(asked).toBeLessThan(400);
    expect((await readdir(spoolDir)).filter((name) => name.startsWith('upload-'))).toEqual([]);
  });

  it('may also be no file at all, or one for nobody', async () => {
    const { statusCode, body: text } = await world.app.inject({
      method: 'POST',
      url: '/amazon/api/v1/report/uploadReportFile',
      headers: { jsessionid: owner.session, 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([statusCode, JSON.parse(text).code]).toEqual([200, 400]);
    expect(await send(world, owner, settlement, { amazonauthid: 'x' })).toMatchObject({
      status: 400,
      msg: /请选择店铺/,
    });
    expect(await send(world, owner, settlement, { amazonauthid: `${DE}-${shop}` })).toMatchObject({
      code: 400,
      msg: /没有启用所选站点/,
    });
    expect(await send(world, owner, settlement, { amazonauthid: crypto.randomUUID() })).toMatchObject({ status: 404 });
  });
});
