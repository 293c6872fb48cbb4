import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  ALWAYS,
  checkCostImport,
  commitCostImport,
  costHistory,
  costTemplate,
  countCosts,
  exportCosts,
  type ImportCheck,
  listCostImports,
  listCosts,
  removeCost,
  reverseCostImport,
  saveCost,
} from '../contract.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Sends a file the way a browser does. */
async function upload(
  person: Person,
  endpoint: Endpoint,
  name: string,
  content: string | Buffer,
  fields: Record<string, string> = {},
): Promise<Envelope<ImportCheck>> {
  const boundary = 'x-boundary-x';
  const before = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `${before.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${encodeURIComponent(name)}"\r\ncontent-type: text/csv\r\n\r\n`;
  const response = await world.app.inject({
    method: 'POST',
    url: `/api${endpoint.path}`,
    headers: { jsessionid: person.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return response.json();
}

const check = (content: string | Buffer, person = owner) => upload(person, checkCostImport, 'costs.csv', content);
const costs = async () => {
  const { records } = await owner.call(listCosts, { body: {} });
  return Object.fromEntries(records.map((row) => [row.sku, row.unitCost === null ? null : Number(row.unitCost)]));
};

describe('a cost entered by hand', () => {
  it('holds from always at first, is corrected in place, and changes from a day on when one is given', async () => {
    owner = await world.owner();
    const first = await owner.call(saveCost, { body: { sku: 'KD-1', unitCost: '12.5', name: '水杯' } });
    expect(first).toMatchObject({
      sku: 'KD-1',
      unitCost: '12.5000',
      validFrom: ALWAYS,
      state: 'known',
      origin: '手工录入',
    });
    await owner.call(saveCost, { body: { sku: 'KD-1', unitCost: '13' } });
    await owner.call(saveCost, { body: { sku: 'KD-1', unitCost: '14', validFrom: '2026-02-01' } });
    const history = await owner.call(costHistory, { body: { sku: 'KD-1' } });
    expect(history.map((row) => [row.validFrom, row.validTo, row.unitCost])).toEqual([
      ['2026-02-01', null, '14.0000'],
      [ALWAYS, '2026-01-31', '13.0000'],
    ]);
    await owner.call(removeCost, { body: { sku: 'KD-1', validFrom: '2026-02-01' } });
    expect(await costs()).toEqual({ 'KD-1': 13 });
    expect((await owner.send(removeCost, { body: { sku: 'KD-1', validFrom: '2026-02-01' } })).code).toBe(400);
  });

  it.each(['0', '0.00', '-1', '1.23456', 'abc', '1e5', ''])('refuses %s', async (unitCost) => {
    const answer = await owner.send(saveCost, { body: { sku: 'KD-1', unitCost } });
    expect([answer.status, answer.code]).toEqual([400, 400]);
  });

  it('leaves a trace of who changed what', async () => {
    const entries = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ before: unknown; after: unknown }>`
        SELECT before, after FROM kit.audit WHERE company_id = ${ctx.companyId} AND resource_id = 'KD-1' ORDER BY id`.execute(
        ctx.db,
      );
      return rows;
    });
    expect(entries[1]).toMatchObject({ before: { unitCost: '12.5000' }, after: { unitCost: '13' } });
  });
});

describe('costs from a file', () => {
  it('a file with bad rows says of each one where, why and what would do, and nothing stays', async () => {
    owner = await world.owner();
    await owner.call(saveCost, { body: { sku: 'KD-BWB-500-BL', unitCost: '10' } });
    const { data } = await check(
      [
        'SKU,品名,采购单价(CNY),生效日期',
        'GOOD-1,好,12.50,2026-01-01',
        ',没有编号,1.00,',
        'BAD-1,,0,',
        'BAD-2,,12.345678,',
        'BAD-3,,abc,2026-02-30',
        'kd-bwb-500-bl,,9.00,',
        'GOOD-1,又一次,13.00,2026/1/1',
      ].join('\r\n'),
    );
    expect(data).toMatchObject({ id: null, rows: 7, good: 1, bad: 6 });
    expect(data.problems.map((one) => [one.line, one.column, one.reason])).toEqual([
      [3, 'SKU', 'SKU 为空'],
      [4, '采购单价(CNY)', '采购单价不能为 0'],
      [5, '采购单价(CNY)', '采购单价最多 4 位小数'],
      [6, '采购单价(CNY)', '请输入正确的金额'],
      [6, '生效日期', '生效日期无效'],
      [7, 'SKU', '与已有 SKU「KD-BWB-500-BL」只差大小写或空格'],
      [8, 'SKU', '与第 2 行重复'],
    ]);
    expect(data.problems.every((one) => one.suggestion !== '')).toBe(true);
    expect(await costs()).toEqual({ 'KD-BWB-500-BL': 10 });
    expect(await owner.call(listCostImports, {})).toEqual([]);
  });

  it('a good file is shown first, then written whole, and can be taken back', async () => {
    const file = 'sku\t采购成本\r\nKD-BWB-500-BL\t￥１２．５０\r\nNEW-1\t"1,234.5"\r\n'.replaceAll('"', '');
    const { data } = await check(file);
    expect(data.number).toMatch(/^CI\d{6}0001$/);
    expect(data).toMatchObject({ rows: 2, good: 2, bad: 0, problems: [] });
    expect(data.warnings[0]).toContain('1 个 SKU 尚未出现过');
    expect(data.preview).toMatchObject([
      { sku: 'KD-BWB-500-BL', unitCost: '12.5', previous: '10.0000' },
      { sku: 'NEW-1', unitCost: '1234.5', previous: null },
    ]);
    expect(await costs()).toEqual({ 'KD-BWB-500-BL': 10 });

    const id = data.id ?? '';
    expect(await owner.call(commitCostImport, { params: { id } })).toMatchObject({ rows: 2, changed: 2 });
    expect(await costs()).toEqual({ 'KD-BWB-500-BL': 12.5, 'NEW-1': 1234.5 });
    expect((await owner.send(commitCostImport, { params: { id } })).code).toBe(409);
    const again = await check(file);
    expect(again.data.warnings.join()).toContain(`相同内容的文件已导入（${data.number}）`);

    const body = { reason: '价格表有误' };
    await owner.call(reverseCostImport, { params: { id }, body });
    expect(await costs()).toEqual({ 'KD-BWB-500-BL': 10, 'NEW-1': null });
    expect((await owner.send(reverseCostImport, { params: { id }, body })).code).toBe(409);
    const states = (await owner.call(listCostImports, {})).map((batch) => batch.state);
    expect(states).toEqual(['draft', 'reversed']);
  });

  it('cannot be taken back over what somebody changed since', async () => {
    const { data } = await check('SKU,采购单价\nNEW-1,5\n');
    await owner.call(commitCostImport, { params: { id: data.id ?? '' } });
    await owner.call(saveCost, { body: { sku: 'NEW-1', unitCost: '6' } });
    const answer = await owner.send(reverseCostImport, { params: { id: data.id ?? '' }, body: { reason: '试试' } });
    expect(answer.msg).toContain('以下 SKU 的成本在导入后又被修改，不能撤销：NEW-1');
    expect((await costs())['NEW-1']).toBe(6);
  });

  it('is read from a workbook too: the template filled in', async () => {
    const template = await owner.send(costTemplate, {});
    expect(template.headers['content-type']).toContain('spreadsheetml');
    const empty = await upload(owner, checkCostImport, 'template.xlsx', template.raw);
    expect(empty.data.problems.map((one) => one.reason)).toEqual(['文件没有数据行']);
  });

  it('a file that is no table, or has other columns, is refused in words', async () => {
    const columns = await check('名称,数量\nA,1\n');
    expect(columns.data.problems.map((one) => one.reason)).toEqual(['缺少列「SKU」', '缺少列「采购单价(CNY)」']);
    const binary = await check(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]));
    expect([binary.code, binary.msg.length > 5]).toEqual([400, true]);
    const nothing = await check('');
    expect(nothing.code).toBe(400);
  });
});

describe('bad rows put right in place, or left out', () => {
  it('become a draft with the others; the file stays as it is and the timeline says what changed', async () => {
    owner = await world.owner();
    await owner.call(saveCost, { body: { sku: 'KD-BWB-500-BL', unitCost: '10' } });
    const file = 'SKU,采购单价\nFIX-1,0\nFIX-2,1.234567\nkd-bwb-500-bl,9\nFIX-1,3\n';
    const again = (corrections: object[]) =>
      upload(owner, checkCostImport, 'costs.csv', file, { corrections: JSON.stringify(corrections) });
    const { data: first } = await check(file);
    expect(first.problems.map(({ line, sku, field, fix }) => [line, sku, field, fix])).toEqual([
      [2, 'FIX-1', 'unitCost', null],
      [3, 'FIX-2', 'unitCost', '1.2346'],
      [4, 'kd-bwb-500-bl', 'sku', 'KD-BWB-500-BL'],
    ]);
    const some = [
      { line: 2, values: { unitCost: '2' } },
      { line: 3, values: { unitCost: '1.2346' } },
      { line: 4, drop: true },
    ];
    const { data: second } = await again(some);
    expect(second).toMatchObject({ id: null, rows: 3, dropped: 1 });
    expect(second.problems.map((one) => [one.line, one.reason])).toEqual([[5, '与第 2 行重复']]);
    const { data: third } = await again([...some, { line: 5, values: { sku: 'FIX-3' } }]);
    expect(third).toMatchObject({ rows: 3, good: 3, dropped: 1, problems: [] });
    expect(third.preview.map((row) => [row.sku, row.unitCost])).toEqual([
      ['FIX-1', '2'],
      ['FIX-2', '1.2346'],
      ['FIX-3', '3'],
    ]);
    const body = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ body: string }>`
        SELECT body FROM kit.timeline WHERE document_id = ${third.id} AND title = '就地修改'`.execute(ctx.db);
      return rows[0]?.body;
    });
    expect(body).toBe(
      '第 2 行 采购单价(CNY)：0 → 2；第 3 行 采购单价(CNY)：1.234567 → 1.2346；第 4 行 不导入；第 5 行 SKU：FIX-1 → FIX-3',
    );
    const broken = await upload(owner, checkCostImport, 'costs.csv', file, { corrections: '{' });
    expect([broken.code, broken.msg]).toEqual([400, expect.stringContaining('修改内容格式有误')]);
  });
});

describe('the list', () => {
  it('tells SKUs with a cost from those without, and is exported', async () => {
    owner = await world.owner();
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '1' } });
    const { data } = await check('SKU,采购单价\nB,2\n');
    await owner.call(commitCostImport, { params: { id: data.id ?? '' } });
    await owner.call(reverseCostImport, { params: { id: data.id ?? '' }, body: { reason: '试' } });
    expect(await owner.call(countCosts, { body: {} })).toEqual({ missing: 1, known: 1, all: 2 });
    const missing = await owner.call(listCosts, { body: { filter: { state: 'missing' } } });
    expect(missing.records.map((row) => row.sku)).toEqual(['B']);
    const file = await owner.send(exportCosts, { body: { format: 'csv', columns: ['sku', 'unitCost'] } });
    expect(file.raw.toString('utf8')).toContain('A,1.0000');
  });

  it('shows nothing to others', async () => {
    const { data } = await check('SKU,采购单价\nC,3\n');
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listCosts, { body: {} })).total).toBe(0);
    expect((await outsider.send(commitCostImport, { params: { id: data.id ?? '' } })).status).toBe(404);
    const viewer = await world.member(owner, ['fin:cost:view']);
    expect((await viewer.call(listCosts, { body: {} })).total).toBe(2);
    expect((await viewer.send(saveCost, { body: { sku: 'A', unitCost: '9' } })).status).toBe(403);
    expect((await check('SKU,采购单价\nC,3\n', viewer)).code).toBe(403);
    expect((await viewer.send(commitCostImport, { params: { id: data.id ?? '' } })).status).toBe(403);
    expect((await viewer.send(exportCosts, { body: {} })).status).toBe(403);
  });
});
