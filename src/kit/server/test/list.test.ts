import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Id, Money } from '#kit/contract/field.ts';
import type { PageRequest } from '#kit/contract/page.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { exportColumns } from '../list/export.ts';
import { type ListDef, page, streamed } from '../list/page.ts';

const Row = z.object({
  id: Id,
  name: z.string().meta({ title: '名称' }),
  rank: z.int().nullable().meta({ title: '名次', kind: 'integer' }),
  cost: Money.meta({ title: '成本', currency: 'USD', permission: 'erp:test:field:cost' }),
  note: z.string().meta({ title: '备注', optional: true }),
});

interface Entry {
  id: string;
  name: string;
  rank: number | null;
  cost: string;
  note: string;
}

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

/** A list over `count` made-up rows: every tenth has no rank, and only ten names exist, so that ties abound. */
function listOf(count: number, more: Partial<ListDef<Entry, Entry>> = {}) {
  return (ctx: Ctx): ListDef<Entry, Entry> => {
    const source = sql<Entry>`(
      SELECT lpad(n::text, 6, '0') AS id, 'N' || n % 10 AS name, CASE WHEN n % 10 <> 0 THEN n % 7 END AS rank,
             (n * 1.0001)::numeric(18, 4)::text AS cost, 'x' AS note
        FROM generate_series(1, ${sql.lit(count)}) AS n)`.as('e');
    const query = ctx.db.selectFrom(source).selectAll() as unknown as ListDef<Entry, Entry>['query'];
    return {
      row: Row,
      query,
      sort: { name: 'name', rank: 'rank', cost: 'cost::numeric' },
      order: [['id', 'asc']],
      key: 'id',
      ...more,
    };
  };
}

const ask = (request: Partial<PageRequest> = {}): PageRequest => ({
  currentpage: 1,
  pagesize: 20,
  filter: {},
  ...request,
});

function read(count: number, request: Partial<PageRequest> = {}, more: Partial<ListDef<Entry, Entry>> = {}) {
  return world.as(owner, (ctx) => page(ctx, ask(request), listOf(count, more)(ctx)));
}

const without = (ctx: Ctx): Ctx => ({ ...ctx, permissions: new Set<string>() });

describe('pages', () => {
  test('do not overlap and leave nothing out, even when all sort values are alike', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let currentpage = 1; currentpage <= 5; currentpage += 1) {
        const { records, total } = await read(97, { currentpage, sort: 'name', order });
        expect(total).toBe(97);
        seen.push(...records.map((row) => row.id));
      }
      expect(new Set(seen).size).toBe(97);
    }
  });

  test('come in the declared order unless another is asked for; the tie goes by the key in the same direction', async () => {
    expect((await read(30)).records[0]?.id).toBe('000001');
    const down = await read(30, { sort: 'name', order: 'desc' });
    expect(down.records.slice(0, 3).map((row) => row.id)).toEqual(['000029', '000019', '000009']);
  });

  test('rows without a value come last, up and down', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const { records } = await read(30, { sort: 'rank', order, pagesize: 100 });
      expect(records.slice(-3).map((row) => row.rank)).toEqual([null, null, null]);
    }
  });

  test.each(['id', 'note', 'company_id', 'name; DROP TABLE kit.audit', '__proto__', 'constructor', 'toString'])(
    'cannot be sorted by %s',
    async (sort) => {
      await expect(read(5, { sort })).rejects.toMatchObject({ code: 400, data: { code: 'B0030' } });
    },
  );

  test('rows that are found and counted in one reading are the same, on every page and in every order', async () => {
    for (const count of [0, 7, 20, 97]) {
      for (const sort of [undefined, 'name', 'rank', 'cost']) {
        for (const order of ['asc', 'desc'] as const) {
          for (let currentpage = 1; currentpage <= 6; currentpage += 1) {
            const request = { currentpage, order, ...(sort ? { sort } : {}) };
            expect(await read(count, request, { once: true })).toEqual(await read(count, request));
          }
        }
      }
    }
    expect((await read(50, {}, { once: true, countLimit: 30 })).total).toBe(31);
  });

  test('a page past the end is empty and still knows the total', async () => {
    expect(await read(30, { currentpage: 9 })).toEqual({ records: [], total: 30 });
    expect(await read(0)).toEqual({ records: [], total: 0 });
    expect((await read(40, { currentpage: 2 })).total).toBe(40);
  });

  test('counting stops where it no longer helps', async () => {
    expect((await read(500, {}, { countLimit: 100 })).total).toBe(101);
    expect((await read(100, {}, { countLimit: 100 })).total).toBe(100);
    await expect(read(500, { currentpage: 50 }, { countLimit: 100 })).rejects.toMatchObject({
      data: { code: 'B0031' },
    });
  });

  test('a count that is known is taken, and one that a short page tells is not asked for', async () => {
    let asked = 0;
    const count = async () => {
      asked += 1;
      return 500;
    };
    expect((await read(500, {}, { count, countLimit: 100 })).total).toBe(500);
    expect((await read(7, {}, { count })).total).toBe(7);
    expect(asked).toBe(1);
  });

  test('what rows only show is joined to the page alone and leaves its order as it was', async () => {
    await world.as(owner, async (ctx) => {
      const plain = listOf(200)(ctx);
      // Joined backwards, so that the rows come out of the join in another order than they go in.
      const around: ListDef<Entry, Entry>['around'] = (rows) =>
        ctx.db
          .selectFrom(
            sql<Entry>`(SELECT f.id, f.name, f.rank, f.cost, 'joined' AS note
                          FROM (${rows}) AS f ORDER BY f.id DESC)`.as('e'),
          )
          .selectAll() as unknown as ListDef<Entry, Entry>['query'];
      for (const request of [ask({ currentpage: 3 }), ask({ sort: 'name', order: 'desc', currentpage: 2 })]) {
        const before = await page(ctx, request, plain);
        const after = await page(ctx, request, { ...plain, around });
        expect(after.records.map((row) => row.note)).toEqual(Array.from({ length: 20 }, () => 'joined'));
        expect({ ...after, records: after.records.map((row) => row.id) }).toEqual({
          ...before,
          records: before.records.map((row) => row.id),
        });
      }
      const rows = await Array.fromAsync(streamed(ctx, {}, { ...plain, around }));
      expect(rows.map((row) => row.id)).toEqual([...rows].map((row) => row.id).sort());
      expect(rows.every((row) => row.note === 'joined')).toBe(true);
    });
  });

  test('totals cover the whole filter and freshness is told', async () => {
    const asOf = '2026-07-18T10:00:00.000Z';
    const answer = await read(500, {}, { totals: async () => ({ cost: '12.50', rank: 7 }), asOf: async () => asOf });
    expect(answer).toMatchObject({ totals: { cost: '12.50', rank: 7 }, asOf });
    expect(await read(5)).not.toHaveProperty('totals');
  });
});

describe('what somebody may not see', () => {
  test('is in no row, in no total, in no order and in no export', async () => {
    await world.as(owner, async (full) => {
      const ctx = without(full);
      const def = listOf(30, { totals: async () => ({ cost: '1', rank: 2 }) })(ctx);
      const answer = await page(ctx, ask(), def);
      expect(JSON.stringify(answer)).not.toContain('cost');
      expect(answer.totals).toEqual({ rank: 2 });
      await expect(page(ctx, ask({ sort: 'cost' }), def)).rejects.toThrow(AppError);
      expect(() => streamed(ctx, { sort: 'cost' }, def)).toThrow(AppError);
      const rows = await Array.fromAsync(streamed(ctx, {}, def));
      expect(rows).toHaveLength(30);
      expect(rows.some((row) => 'cost' in row)).toBe(false);
      expect(exportColumns(ctx, Row, ['name', 'cost', 'id']).map((column) => column.key)).toEqual(['name']);
      expect((await page(full, ask({ sort: 'cost' }), def)).records[0]).toHaveProperty('cost');
    });
  });

  test('an export has the columns asked for in that order, else all that a grid shows at first', async () => {
    await world.as(owner, async (ctx) => {
      expect(exportColumns(ctx, Row, ['note', 'name', 'nothing']).map((c) => c.key)).toEqual(['note', 'name']);
      expect(exportColumns(ctx, Row, undefined).map((c) => c.key)).toEqual(['name', 'rank', 'cost']);
    });
  });
});
