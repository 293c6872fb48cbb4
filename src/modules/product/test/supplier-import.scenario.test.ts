import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSuppliers, supplierDetail } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { commitTable, exportTable, listTableImports } from '../contract/imports.ts';
import { printProductLabels } from '../contract/parts.ts';
import { check, product } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

async function put(content: string) {
  const { data } = await check(world, owner, 'supplier', content);
  expect(data.problems).toEqual([]);
  return owner.call(commitTable, { params: { id: data.id ?? '' } });
}
const HEAD = '简称,编码,结算条款,发票类型,税率,联系人,电话,开户行,户名,收款账号\n';
const idOf = async (search: string) => {
  const [row] = (await owner.call(listSuppliers, { body: { filter: { search } } })).records;
  return row?.id ?? '';
};

describe('suppliers from a sheet', () => {
  it('are entered with terms and contact; empty cells leave what stands; the same file again changes nothing', async () => {
    const file = `${HEAD}华瑞,HR,"下单后 30%，到货后30天 70%",专用发票,13%,王敏,13800000000,,,\n金诺,,,,,,,,,\n`;
    expect(await put(file)).toMatchObject({ rows: 2, changed: 2 });
    expect(await put(file)).toMatchObject({ changed: 0 });
    const id = await idOf('HR');
    expect(await owner.call(supplierDetail, { body: { id } })).toMatchObject({
      state: 'pending',
      invoiceType: 'special',
      invoiceRate: '0.1300',
      terms: [
        { anchor: 'order', days: 0, share: '0.3' },
        { anchor: 'receipt', days: 30, share: '0.7' },
      ],
    });
    expect(await put('简称,编码,电话\n华瑞五金,HR,13900000000\n')).toMatchObject({ changed: 1 });
    expect(await owner.call(supplierDetail, { body: { id } })).toMatchObject({
      shortName: '华瑞五金',
      contacts: [{ name: '王敏', phone: '13900000000' }],
      terms: [{ share: '0.3' }, { share: '0.7' }],
    });
  });

  it('are refused with a reason for each row', async () => {
    const { data } = await check(
      world,
      owner,
      'supplier',
      `${HEAD},X1,,,,,,,,\n甲,,下单后 40%,,,,,,,\n乙,,先付一半,,,,,,,\n丙,,,,,,,招行,,6222000011112222\n华瑞五金,Z9,,,,,,,,\n丁,,,,,,,,,\n丁,,,,,,,,,\n`,
    );
    expect(data.problems.map((one) => [one.line, one.reason])).toEqual([
      [2, '简称不能为空'],
      [3, '结算条款各阶段比例合计须为100%'],
      [4, '结算条款看不懂'],
      [5, '开户行、户名和账号须同时填写'],
      [6, '简称已被其他供应商使用'],
      [8, '与第 7 行重复'],
    ]);
  });

  it('ask for bank details as a form does, by right only, and nowhere does the account stand in the clear', async () => {
    const file = `${HEAD}银诺,YN,,,,,,招商银行,银诺公司,6222000011112222\n`;
    const { data } = await check(world, owner, 'supplier', file);
    const clear = await world.as(owner, (ctx) =>
      sql`SELECT 1 FROM product.table_import_line WHERE cells::text LIKE '%11112222%'`.execute(ctx.db),
    );
    expect(clear.rows).toEqual([]);
    await owner.call(commitTable, { params: { id: data.id ?? '' } });
    const id = await idOf('YN');
    expect(await owner.call(supplierDetail, { body: { id } })).toMatchObject({
      bank: null,
      bankChange: { state: 'pending', tail: '2222' },
    });
    const member = await world.member(owner, ['erp:product:import', 'erp:supplier:edit']);
    const without = await check(world, member, 'supplier', file);
    expect(without.data.problems.map((one) => one.reason)).toEqual(['没有修改收款账户的权限']);
    const importer = await world.member(owner, ['erp:product:import']);
    expect((await check(world, importer, 'supplier', file)).code).toBe(403);
    expect((await importer.send(exportTable, { params: { kind: 'supplier' } })).status).toBe(403);
    const sheet = await owner.send(exportTable, { params: { kind: 'supplier' } });
    expect(sheet.raw.subarray(0, 2).toString()).toBe('PK');
  });

  it('stand in the record of imports', async () => {
    const { records } = await owner.call(listTableImports, { body: { filter: { kind: 'supplier', state: 'posted' } } });
    expect(records.map((row) => [row.rows, row.changed])).toEqual([
      [1, 1],
      [1, 1],
      [2, 0],
      [2, 2],
    ]);
  });
});

describe('labels of products', () => {
  it('are a PDF with a page for each copy of each product', async () => {
    const ids = [await product(owner, 'LB-1', { barcode: '6901234567892' }), await product(owner, 'LB-中文')];
    const pdf = (await owner.send(printProductLabels, { body: { ids, copies: 3 } })).raw.toString('latin1');
    expect(pdf.startsWith('%PDF')).toBe(true);
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(6);
    const many = await owner.send(printProductLabels, {
      body: { ids: [...ids, ...Array.from({ length: 10 }, () => ids[0] ?? '')], copies: 500 },
    });
    expect(many.status).toBe(200);
  });
});
