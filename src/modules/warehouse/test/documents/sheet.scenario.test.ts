import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeSheet } from '#kit/server/excel/write.ts';
import { createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type Person, urlOf, type World } from '#test/support/world.ts';
import type { ReadLines } from '../../contract/documents/calls.ts';
import { exchangeCalls } from '../../contract/documents/exchange.ts';
import { inboundCalls } from '../../contract/documents/inbound.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { stocktakeCalls } from '../../contract/documents/stocktake.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C']);
  await stocked(world, house, 'A', 7, '1');
});
afterAll(() => world.close());

async function sheet(head: string[], rows: (string | number)[][]): Promise<Buffer> {
  const out = new PassThrough();
  const parts: Buffer[] = [];
  out.on('data', (part: Buffer) => parts.push(part));
  async function* source() {
    for (const row of rows) yield Object.fromEntries(head.map((title, index) => [title, row[index] ?? null]));
  }
  const columns = head.map((title) => ({
    title,
    kind: 'text' as const,
    value: (row: Record<string, unknown>) => row[title] as string | number | null,
  }));
  await writeSheet(out, { format: 'xlsx', sheet: 'Sheet1', columns }, source());
  return Buffer.concat(parts);
}

async function upload(person: Person, endpoint: typeof inboundCalls.upload, file: Buffer) {
  const edge = '----sheet';
  const payload = Buffer.concat([
    Buffer.from(`--${edge}\r\nContent-Disposition: form-data; name="warehouseId"\r\n\r\n${house.main}\r\n`),
    Buffer.from(
      `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="lines.xlsx"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    file,
    Buffer.from(`\r\n--${edge}--\r\n`),
  ]);
  const response = await world.app.inject({
    method: 'POST',
    url: urlOf(endpoint, {}),
    headers: { jsessionid: person.session, 'content-type': `multipart/form-data; boundary=${edge}` },
    payload,
  });
  return response.json<{ code: number; msg: string; data: ReadLines }>();
}

describe('lines from a sheet', () => {
  it('come in as a whole, with stock and cost beside them', async () => {
    const file = await sheet(
      ['SKU', '数量', '批次', '效期', '单价', '备注'],
      [
        ['a', 5, 'L1', '2030-05-01', '2.5', '加急'],
        ['B', 6, '', '', '', ''],
      ],
    );
    const { code, data } = await upload(house.clerk, inboundCalls.upload, file);
    expect(code).toBe(201);
    expect(data.problems).toEqual([]);
    expect(data.lines).toMatchObject([
      { productId: productOf(house, 'A'), qty: 5, lotNo: 'L1', expiresAt: '2030-05-01', unitCost: '2.5', available: 7 },
      { productId: productOf(house, 'B'), qty: 6, lotNo: '', unitCost: null, available: 0 },
    ]);
    const { data: withheld } = await upload(
      await world.member(house.owner, ['erp:inv:view', 'erp:wh:in:add']),
      inboundCalls.upload,
      file,
    );
    expect(withheld.lines.every((line) => !('unitCost' in line))).toBe(true);
  });

  it('one bad row and none is taken; each says what is wrong', async () => {
    const file = await sheet(
      ['SKU', '数量', '效期', '库位'],
      [
        ['A', 5, '', ''],
        ['NOPE', 0, '2030-13-01', 'Z-99'],
        ['', 1, '', ''],
        ['a', 2, '', ''],
      ],
    );
    const { data } = await upload(house.clerk, inboundCalls.upload, file);
    expect(data.lines).toEqual([]);
    expect(data.problems.map((problem) => `第 ${problem.line} 行：${problem.reason}`)).toEqual([
      '第 3 行：产品不存在',
      '第 3 行：数量必须为正整数',
      '第 3 行：效期格式应为 年-月-日',
      '第 3 行：所选仓库没有该库位',
      '第 4 行：SKU不能为空',
      '第 5 行：不能重复添加SKU（与第2行重复）',
    ]);
  });

  it('a swap for itself, a count below 0, a sheet without its columns, no sheet at all', async () => {
    const swap = await upload(
      house.clerk,
      exchangeCalls.upload as never,
      await sheet(['SKU', '调入SKU', '数量'], [['A', 'a', 1]]),
    );
    expect(swap.data.problems.map((problem) => problem.reason)).toEqual(['调出SKU与调入SKU不能相同']);
    const count = await upload(
      house.clerk,
      stocktakeCalls.upload as never,
      await sheet(
        ['SKU', '盘点数'],
        [
          ['A', 0],
          ['B', -1],
        ],
      ),
    );
    expect(count.data.problems.map((problem) => [problem.line, problem.reason])).toEqual([
      [3, '盘点数须为不小于0的整数'],
    ]);
    const wrong = await upload(house.clerk, outboundCalls.upload as never, await sheet(['编码', '数量'], [['A', 1]]));
    expect(wrong.msg).toBe('表格缺少列：SKU');
    expect((await upload(house.clerk, inboundCalls.upload, Buffer.from('no sheet'))).msg).toContain('不是有效的 Excel');
  });

  it('what is exported goes in again, and the list exports what its filter finds', async () => {
    const saved = await house.clerk.call(inboundCalls.save, {
      body: {
        warehouseId: house.main,
        lines: [
          {
            productId: productOf(house, 'A'),
            qty: 5,
            unitCost: '2.5',
            lotNo: 'L9',
            expiresAt: '2030-05-01',
            reason: '=1+1',
          },
          { productId: productOf(house, 'C'), qty: 1 },
        ],
      },
    });
    const out = await house.owner.send(inboundCalls.lines, { params: { id: saved.id } });
    const again = await upload(house.clerk, inboundCalls.upload, out.raw);
    expect(again.data.problems).toEqual([]);
    expect(again.data.lines).toMatchObject([{ qty: 5, unitCost: '2.5000', lotNo: 'L9' }, { qty: 1 }]);
    const list = await house.owner.send(inboundCalls.export, {
      body: { filter: { keyword: saved.number }, format: 'xlsx' },
    });
    const [head, ...rows] = await readSheet(list.raw);
    expect(head?.slice(0, 3)).toEqual(['单号', '入库类型', '状态']);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.[0]).toBe(saved.number);
    const template = await readSheet((await house.clerk.send(inboundCalls.template, {})).raw);
    expect(template[0]).toEqual(['SKU', '数量', '批次', '效期', '库位', '单价', '备注']);
  });
});
