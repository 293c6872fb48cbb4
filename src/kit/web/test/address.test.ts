import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Choice, Day, States } from '../../contract/field.ts';
import { type ListState, readState, writeState } from '../list/address.ts';
import { type FilterValue, filterFields, filterText } from '../list/fields.ts';

const State = States({ pending: { title: '待付款', tone: 'waiting' }, shipped: { title: '已发货', tone: 'done' } });

const Filter = z.object({
  companyId: z.string().meta({ hidden: true }),
  days: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '下单日期', kind: 'date' }),
  settled: z.tuple([Day, Day]).meta({ title: '结算日期', kind: 'date' }),
  state: State,
  channel: z.array(Choice({ FBA: 'FBA', FBM: 'FBM' }, '配送')).meta({ title: '配送' }),
  storeId: z.array(z.string()).meta({ title: '店铺' }),
  sku: z.array(z.string()).meta({ title: 'SKU', kind: 'code' }),
  word: z.string().meta({ title: '关键词' }),
  business: z.boolean().meta({ title: '企业购', optional: true }),
  quantity: z.int().meta({ title: '数量' }),
});

const fields = filterFields(Filter, { storeId: [{ value: '1', label: '启航-US' }] });
const empty: ListState = { filter: {}, sort: undefined, page: 1, size: 20 };
const read = (query: string, defaults: FilterValue = {}) => readState(new URLSearchParams(query), fields, defaults);
const write = (state: Partial<ListState>, defaults: FilterValue = {}, query = '') =>
  writeState(new URLSearchParams(query), { ...empty, ...state }, fields, defaults).toString();

test('the control of a filter follows from its schema', () => {
  expect(fields.map(({ key, control }) => `${key} ${control}`)).toEqual([
    'days dateRange',
    'settled dateRange',
    'state select',
    'channel multi',
    'storeId multi',
    'sku search',
    'word search',
    'business boolean',
    'quantity number',
  ]);
});

test('a list without filters has a bare address', () => {
  expect(write({})).toBe('');
  expect(read('')).toEqual(empty);
});

test('what else stands in the address stays there', () => {
  const query = write({ page: 3 }, {}, 'title=订单列表&path=%2Forders&f.word=old');
  expect(new URLSearchParams(query).get('title')).toBe('订单列表');
  expect(query).toContain('page=3');
  expect(query).not.toContain('old');
});

test('a default holds until it is changed or cleared, and a cleared one stays cleared after a reload', () => {
  const defaults = { state: 'pending' };
  expect(read('', defaults).filter).toEqual({ state: 'pending' });
  expect(write({ filter: { state: 'pending' } }, defaults)).toBe('');
  const cleared = write({ filter: {} }, defaults);
  expect(cleared).toBe('f.state=');
  expect(read(cleared, defaults).filter).toEqual({});
});

test('nonsense in an address is left out', () => {
  const state = read('page=-4&size=7&sort=amount&f.quantity=many&f.unknown=1&f.companyId=42');
  expect(state).toEqual(empty);
});

test('an open range keeps its open end; half a pair is none', () => {
  expect(read('f.days=2026-07-01~').filter).toEqual({ days: { from: '2026-07-01' } });
  expect(read('f.settled=2026-07-01~').filter).toEqual({});
});

test('every state comes back from its address', () => {
  const day = fc
    .integer({ min: 0, max: 3000 })
    .map((n) => new Date(Date.UTC(2022, 0, 1 + n)).toISOString().slice(0, 10));
  const text = fc.string({ minLength: 1, maxLength: 12 }).filter((value) => value.trim() !== '');
  const filter = fc.record(
    {
      days: fc.record({ from: day, to: day }),
      settled: fc.tuple(day, day),
      state: fc.constantFrom('pending', 'shipped'),
      channel: fc.uniqueArray(fc.constantFrom('FBA', 'FBM'), { minLength: 1 }),
      storeId: fc.array(text, { minLength: 1, maxLength: 4 }),
      sku: fc.array(text, { minLength: 1, maxLength: 4 }),
      word: text,
      business: fc.boolean(),
      quantity: fc.integer(),
    },
    { requiredKeys: [] },
  );
  const state = fc.record({
    filter,
    sort: fc.option(
      fc.record({ key: fc.constantFrom('amount', 'days'), order: fc.constantFrom('asc' as const, 'desc' as const) }),
      { nil: undefined },
    ),
    page: fc.integer({ min: 1, max: 500 }),
    size: fc.constantFrom(10, 20, 50, 100),
  });
  fc.assert(
    fc.property(state, filter, (wanted, defaults) => {
      const query = writeState(new URLSearchParams('title=x'), wanted, fields, defaults).toString();
      expect(readState(new URLSearchParams(query), fields, defaults)).toEqual(wanted);
    }),
  );
});

test('filters in words', () => {
  const field = (key: string) => {
    const found = fields.find((each) => each.key === key);
    if (!found) throw new Error(key);
    return found;
  };
  expect(filterText(field('state'), 'pending')).toBe('待付款');
  expect(filterText(field('storeId'), ['1', '9'])).toBe('启航-US、9');
  expect(filterText(field('sku'), ['a', 'b', 'c', 'd'])).toBe('a、b 等 4 项');
  expect(filterText(field('days'), { from: '2026-07-01' })).toBe('2026-07-01 至 …');
});
