import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import type { ClaimPolicy } from '../contract/claims.ts';
import { ALLOCATED, policyCte, WINDOW } from '../server/claims/allocate.ts';
import { policiesOf } from '../server/claims/rules.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

type Move = [day: string, kind: 'LOST' | 'FOUND' | 'PAID', qty: number];

/** Open pieces of each loss, oldest first, and what made the others good. */
function allocate(moves: readonly Move[]): Promise<{ found: number; paid: number; open: number }[]> {
  const rows = moves.map(([day, kind, qty], at) => ({
    side: kind === 'LOST' ? 'L' : 'C',
    kind: kind === 'LOST' ? '' : kind,
    happening: `${day}#${at}`,
    day,
    qty,
  }));
  return world.as(owner, async (ctx) => {
    const found = await sql<{ found: number; paid: number; open: number }>`
      WITH move AS (SELECT 'gross' AS run, 'X1' AS goods, 'FC_LOST' AS type, m.*
                      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
                        AS m(side text, kind text, happening text, day date, qty int)), ${ALLOCATED}
      SELECT found, paid, lost - found - paid AS open FROM allocated ORDER BY happening`.execute(ctx.db);
    return found.rows;
  });
}

/** When a claim of a happening opens and closes. */
function windowOf(type: string, day: string, more: readonly ClaimPolicy[] = [], marketplace = 'US') {
  return world.as(owner, async (ctx) => {
    const policies = [...(await policiesOf(ctx)), ...more];
    const { rows } = await sql<{ opens_on: string; deadline: string }>`
      WITH ${policyCte(policies)}
      SELECT w.opens_on, w.deadline
        FROM (SELECT ${type}::text AS type, ${marketplace}::text AS marketplace_id, ${day}::date AS day) AS f CROSS JOIN ${WINDOW}`.execute(
      ctx.db,
    );
    return rows[0];
  });
}

it('worked example 10: lost 5, found 2, reimbursed 1: two are claimable until 60 days after the loss', async () => {
  expect(
    await allocate([
      ['2026-02-01', 'LOST', 5],
      ['2026-02-10', 'FOUND', 2],
      ['2026-02-12', 'PAID', 1],
    ]),
  ).toEqual([{ found: 2, paid: 1, open: 2 }]);
  expect(await windowOf('FC_LOST', '2026-02-01')).toEqual({ opens_on: '2026-02-01', deadline: '2026-04-02' });
});

it('worked example 11: a refund without a return opens 60 days later and closes after 120', async () => {
  expect(await windowOf('CUSTOMER_REFUND_NO_RETURN', '2026-03-28')).toEqual({
    opens_on: '2026-05-27',
    deadline: '2026-07-26',
  });
});

it('the oldest loss is made good first, and what nobody had lost makes good nothing', async () => {
  expect(
    await allocate([
      ['2026-01-20', 'FOUND', 9],
      ['2026-02-01', 'LOST', 3],
      ['2026-02-05', 'LOST', 4],
      ['2026-02-05', 'PAID', 4],
      ['2026-02-20', 'PAID', 9],
      ['2026-02-21', 'LOST', 2],
    ]),
  ).toEqual([
    { found: 0, paid: 3, open: 0 },
    { found: 0, paid: 4, open: 0 },
    { found: 0, paid: 0, open: 2 },
  ]);
});

it('a newer window counts from its day on, and one of a marketplace before one of all', async () => {
  const policy = (marketplaceId: string, opensAfter: number, closesAfter: number, validFrom: string): ClaimPolicy => ({
    type: 'CUSTOMER_REFUND_NO_RETURN',
    marketplaceId,
    opensAfter,
    closesAfter,
    validFrom,
  });
  const more = [policy('DE', 45, 105, '2026-01-01'), policy('', 30, 90, '2026-03-01')];
  const opens = async (day: string, marketplace: string) =>
    (await windowOf('CUSTOMER_REFUND_NO_RETURN', day, more, marketplace))?.opens_on;
  expect(await opens('2026-02-28', 'US')).toBe('2026-04-29');
  expect(await opens('2026-03-01', 'US')).toBe('2026-03-31');
  expect(await opens('2026-03-01', 'DE')).toBe('2026-04-15');
});
