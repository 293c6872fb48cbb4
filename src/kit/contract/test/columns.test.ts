import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf, metaOf, titleAt } from '../columns.ts';
import { actionsOf, documentType } from '../document.ts';
import { endpoint } from '../endpoint.ts';
import { Decimal, Id, Money, OptionalText, Quantity, States, Text } from '../field.ts';
import { PageQuery } from '../page.ts';

const Row = z.object({
  id: Id,
  name: z.string().meta({ title: '名称', width: 120 }),
  cost: Money.nullable().meta({ title: '成本', currency: 'USD', permission: 'erp:purchase:field:price' }),
  note: z.string().optional().meta({ title: '备注', optional: true }),
  plain: z.string(),
  count: Quantity.meta({ title: '数量', good: 'up' }),
});

describe('columns of a row', () => {
  test('stand in the order of their declaration; a field without a title is none', () => {
    expect(columnsOf(Row).map((column) => column.key)).toEqual(['id', 'name', 'cost', 'note', 'count']);
  });

  test('know their kind, width, currency, right and whether they may be empty', () => {
    const [id, name, cost, note, count] = columnsOf(Row);
    expect(id).toEqual({ key: 'id', title: '编号', kind: 'text', nullable: false, hidden: true });
    expect(name).toEqual({ key: 'name', title: '名称', kind: 'text', width: 120, nullable: false });
    expect(cost).toEqual({
      key: 'cost',
      title: '成本',
      kind: 'money',
      currency: 'USD',
      permission: 'erp:purchase:field:price',
      nullable: true,
    });
    expect(note).toMatchObject({ nullable: true, optional: true });
    expect(count).toMatchObject({ kind: 'integer', good: 'up' });
  });

  test('what is said outside a wrapper wins over what is said inside', () => {
    const inner = z.string().meta({ title: '内', kind: 'code' });
    expect(metaOf(inner.nullable().meta({ title: '外' }))).toMatchObject({ title: '外', kind: 'code' });
    expect(metaOf(inner.optional())).toMatchObject({ title: '内', kind: 'code' });
    expect(metaOf(inner.default('x').nullable())).toMatchObject({ title: '内' });
  });
});

describe('the title of a field at a path', () => {
  const Form = z.object({
    name: Text(10, '名称'),
    lines: z.array(z.object({ price: Money.optional().meta({ title: '单价' }) })).meta({ title: '明细' }),
    inner: z.object({ deep: z.string().nullable() }).optional(),
  });

  test('is found through lists, objects and wrappers', () => {
    expect(titleAt(Form, ['name'])).toBe('名称');
    expect(titleAt(Form, ['lines'])).toBe('明细');
    expect(titleAt(Form, ['lines', 3, 'price'])).toBe('单价');
  });

  test('falls back to the last key, and to the whole where there is none', () => {
    expect(titleAt(Form, ['inner', 'deep'])).toBe('deep');
    expect(titleAt(Form, ['nowhere', 'at', 'all'])).toBe('all');
    expect(titleAt(Form, [])).toBe('请求内容');
    expect(titleAt(undefined, ['x'])).toBe('x');
  });
});

describe('fields', () => {
  test('a decimal is a text of digits and nothing else', () => {
    for (const good of ['0', '-1281.65', '999999999999999999.0123456789'])
      expect(Money.safeParse(good).success).toBe(true);
    for (const bad of ['', '1,000', '1e5', '+1', '.5', '1.', 'NaN', ' 1', '0x1', '１', 5, null]) {
      expect(Decimal.safeParse(bad).success, String(bad)).toBe(false);
    }
  });

  test('a text is trimmed before it is measured', () => {
    expect(Text(3, '名称').parse('  abc ')).toBe('abc');
    expect(Text(3, '名称').safeParse('   ').error?.issues[0]?.message).toBe('名称不能为空');
    expect(Text(3, '名称').safeParse('abcd').error?.issues[0]?.message).toBe('名称不能超过3个字符');
    expect(OptionalText(3, '备注').parse(undefined)).toBeUndefined();
  });
});

describe('the query of a page', () => {
  const Query = PageQuery(z.object({ name: z.string() }));

  test('begins at one with twenty rows', () => {
    expect(Query.parse({})).toEqual({ currentpage: 1, pagesize: 20, filter: {} });
    expect(Query.parse(undefined)).toEqual({ currentpage: 1, pagesize: 20, filter: {} });
  });

  test('understands the other spelling, and numbers as text', () => {
    expect(Query.parse({ page: '3', limit: '50' })).toMatchObject({ currentpage: 3, pagesize: 50 });
    expect(Query.parse({ page: 3, currentpage: 4 })).toMatchObject({ currentpage: 4 });
  });

  test.each([[0], [-1], [1.5], [101], ['x'], [Number.NaN]])('refuses %s rows a page', (pagesize) => {
    expect(Query.safeParse({ pagesize }).success).toBe(false);
  });
});

test('a GET reads and everything else writes, unless it says otherwise', () => {
  const base = { title: 't', path: '/x', permission: 'login', reply: z.null() } as const;
  expect(endpoint({ ...base, method: 'GET' }).access).toBe('read');
  expect(endpoint({ ...base, method: 'DELETE' }).access).toBe('write');
  expect(endpoint({ ...base, method: 'POST', access: 'read' }).access).toBe('read');
});

test('a document offers the actions of its state to those who may take them', () => {
  const def = documentType({
    name: 'note',
    title: '便签',
    number: 'N{seq:3}',
    detail: '/notes',
    states: { draft: { title: '草稿', tone: 'off' }, done: { title: '完成', tone: 'done' } },
    initial: 'draft',
    transitions: {
      finish: { title: '完成', from: ['draft'], to: 'done', permission: 'erp:note:submit', primary: true },
      reopen: { title: '重开', from: ['done'], to: 'draft', permission: 'erp:note:unapprove', reason: true },
      age: { title: '过期', from: ['draft'], to: 'done', permission: 'erp:note:submit', internal: true },
    },
  });
  expect(actionsOf(def, 'draft', new Set(['erp:note:submit'])).map((action) => action.name)).toEqual(['finish']);
  expect(actionsOf(def, 'done', new Set(['erp:note:unapprove']))).toMatchObject([
    { name: 'reopen', reason: true, primary: false },
  ]);
  expect(actionsOf(def, 'draft', new Set())).toEqual([]);
  expect(States({ a: { title: '甲', tone: 'off' } }).options).toEqual(['a']);
});
