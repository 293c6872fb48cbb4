import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListedCall, type RawRequest, sendListed } from '#test/support/calls.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addDict, addItem, pageDicts } from '../contract/dictionaries.ts';
import { saveVersionWithName } from '../contract.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const unknown = randomUUID();
const missing = { at: { id: unknown }, status: 404, code: 404 };
const dict = { name: '等级{n}', code: 'grade_{n}' };
const item = { dictCode: 'currency', name: '测试币', value: 'X{n}' };
const columns = [{ ffield: 'number', findex: 0, isShow: true, width: 120 }];
const tooWide = [{ ffield: 'number', findex: 0, isShow: true, width: 801 }];
const refused = { status: 400, code: 400 };
const row = { sort: 0, status: 'active' };

/** A fresh row for a call that needs one, so that each call stands alone. */
let serial = 0;
const ids = {
  dict: () => {
    serial += 1;
    return owner.call(addDict, { body: { name: `字典${serial}`, code: `code_${serial}` } });
  },
  item: () => {
    serial += 1;
    return owner.call(addItem, { body: { dictCode: 'currency', name: `项${serial}`, value: `V${serial}` } });
  },
  version: () => {
    serial += 1;
    const body = { queryname: 'order/list', versionname: `方案${serial}`, fieldlist: columns };
    return owner.call(saveVersionWithName, { body });
  },
};
type Needs = keyof typeof ids;
type Row = ListedCall & { needs?: Needs };

const base = '/admin/api/v1';

const DICTIONARIES: Row[] = [
  { call: `GET ${base}/dicts/page`, good: { rest: '?page=1&limit=5' }, bad: { rest: '?page=x', ...refused } },
  { call: `GET ${base}/dict-items`, good: { rest: '?dictCode=currency' }, bad: { rest: '?dictCode=', ...refused } },
  { call: `GET ${base}/dicts/{id}`, needs: 'dict', good: {}, bad: missing },
  {
    call: `PUT ${base}/dicts/{id}`,
    needs: 'dict',
    good: { body: { name: '新名', ...row } },
    bad: { body: { name: '' }, at: { id: unknown }, ...refused },
  },
  { call: `DELETE ${base}/dicts/{id}`, needs: 'dict', good: {}, bad: missing },
  { call: `POST ${base}/dicts`, good: { body: dict }, bad: { body: { ...dict, code: '1' }, ...refused } },
  {
    call: `GET ${base}/dict-items/page`,
    good: { rest: '?dictCode=currency&page=1&limit=2' },
    bad: { rest: '?dictCode=currency&limit=0', ...refused },
  },
  {
    call: `GET ${base}/dict-items/select_list/{code}`,
    at: { code: 'currency' },
    good: {},
    holds: expect.arrayContaining([{ value: 'USD', label: '美元', listClass: '' }]),
    bad: { at: { code: 'no_such_code' }, status: 404, code: 404 },
  },
  { call: `GET ${base}/dict-items/{id}`, needs: 'item', good: {}, bad: missing },
  {
    call: `PUT ${base}/dict-items/{id}`,
    needs: 'item',
    good: { body: { name: '改名', value: 'Z{n}', ...row } },
    bad: { body: { name: '改名', value: '' }, at: { id: unknown }, ...refused },
  },
  { call: `DELETE ${base}/dict-items/{id}`, needs: 'item', good: {}, bad: missing },
  {
    call: `POST ${base}/dict-items`,
    good: { body: item },
    bad: { body: { ...item, itemType: 'number' }, status: 200, code: 400 },
  },
];

const fields = `${base}/sysQueryField`;
const QUERY_FIELDS: Row[] = [
  {
    call: `GET ${fields}/getMyVersionFieldByUser`,
    good: { rest: '?queryname=order/list' },
    bad: { rest: '?queryname=', ...refused },
  },
  {
    call: `GET ${fields}/deleteMyVersionField`,
    needs: 'version',
    good: { rest: '?versionid={id}' },
    bad: { rest: `?versionid=${unknown}`, status: 404, code: 404 },
  },
  {
    call: `GET ${fields}/loadfield`,
    good: { rest: '?queryname=system/operlog' },
    bad: { rest: '?queryname=no/such', status: 404, code: 404 },
  },
  {
    call: `GET ${fields}/getVersionFieldByUserQueryName`,
    good: { rest: '?queryname=order/list' },
    bad: { rest: '', ...refused },
  },
  {
    call: `GET ${fields}/getVersionFieldById`,
    needs: 'version',
    good: { rest: '?id={id}' },
    bad: { rest: '?id=1', ...refused },
  },
  {
    call: `POST ${fields}/saveMyVersionFieldWithName`,
    good: { body: { queryname: 'order/list', versionname: '名', fieldlist: columns } },
    bad: { body: { queryname: 'order/list', versionname: '', fieldlist: columns }, ...refused },
  },
  {
    call: `POST ${fields}/saveMyVersionField/{id}`,
    needs: 'version',
    good: { body: columns },
    bad: { body: tooWide, at: { id: 'order/list' }, ...refused },
  },
];

/** The good request of a row with what it needs made anew: it may change or delete it. "{n}" is another each time. */
async function goodOf({ needs, at, good }: Row) {
  const id = needs ? await ids[needs]() : '';
  serial += 1;
  const text = JSON.stringify(good).replaceAll('{id}', id).replaceAll('{n}', String(serial));
  return { ...(JSON.parse(text) as RawRequest), at: { ...at, id } };
}

test('the lists name every call once', () => {
  const names = [...DICTIONARIES, ...QUERY_FIELDS].map(({ call }) => call);
  expect(new Set(names).size).toBe(names.length);
  expect([DICTIONARIES.length, QUERY_FIELDS.length]).toEqual([12, 7]);
});

describe.each([...DICTIONARIES, ...QUERY_FIELDS])('$call', (row) => {
  test.each(['', '/api'] as const)(
    'grants what is right and refuses what is wrong, with the prefix "%s"',
    async (prefix) => {
      const good = await goodOf(row);
      const granted = await sendListed(world, owner.session, row.call, good, prefix);
      expect([granted.status, granted.answer.code, granted.answer.msg]).toEqual([200, 201, '操作成功']);
      if (row.holds !== undefined) expect(granted.answer.data).toEqual(row.holds);
      const no = await sendListed(world, owner.session, row.call, row.bad, prefix);
      expect([no.status, no.answer.code]).toEqual([row.bad.status, row.bad.code]);
      expect(no.answer.msg).toMatch(/\p{Script=Han}/u);
      const stranger = await sendListed(world, undefined, row.call, good, prefix);
      expect([stranger.status, stranger.answer.code]).toEqual([401, 401]);
    },
  );
});

test('what the calls wrote is there', async () => {
  const { records } = await owner.call(pageDicts, { query: { name: 'grade_', limit: 100 } });
  expect(records.map((one) => one.name.slice(0, 2))).toEqual(['等级', '等级']);
});
