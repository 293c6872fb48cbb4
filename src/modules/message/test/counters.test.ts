import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAnnounce, retractAnnounce } from '../contract/announcements.ts';
import { batchReadMessage, pullMessage, updateAllTargets } from '../contract/messages.ts';
import { remind } from '../server/remind.ts';
import { expire, purge } from '../server/tidy.ts';
import { adminOf, badge, tell } from './support.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Unread rows counted one by one, against the kept counters. */
async function differences(companyId: string): Promise<unknown[]> {
  const { rows } = await admin.query(
    `SELECT user_id, ftype, coalesce(c.unread, 0) AS kept, coalesce(i.n, 0) AS counted
       FROM (SELECT user_id, ftype, unread FROM message.counter WHERE company_id = $1) c
       FULL JOIN (SELECT user_id, ftype, count(*) AS n FROM message.inbox
                   WHERE company_id = $1 AND NOT is_read GROUP BY 1, 2) i USING (user_id, ftype)
      WHERE coalesce(c.unread, 0) <> coalesce(i.n, 0)`,
    [companyId],
  );
  return rows;
}

type Step =
  | { do: 'remind' | 'announce' | 'expiring'; of: number }
  | { do: 'pull' | 'all' | 'read' | 'unread'; of: number }
  | { do: 'retract' | 'expire' | 'purge'; of: number };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    ...(['remind', 'announce', 'expiring', 'pull', 'all', 'read', 'unread', 'retract', 'expire', 'purge'] as const),
  ),
  of: fc.nat(1000),
});

async function take(step: Step, owner: Person, people: readonly Person[]): Promise<void> {
  const person = people[step.of % people.length] ?? owner;
  const one = async (sql: string) =>
    (await admin.query<{ id: string }>(sql, [owner.companyId])).rows.at(step.of % 5)?.id;
  switch (step.do) {
    case 'remind': {
      const to = people.slice(0, 1 + (step.of % people.length)).map((each) => each.userId);
      await world.as(owner, (ctx) => remind(ctx, { to, title: '提醒', event: 'test.any' }));
      return;
    }
    case 'expiring':
      await tell(world, person, '会过期', { expiresAt: new Date(worldClock().ms() - 1) });
      return;
    case 'announce':
      await owner.call(addAnnounce, { body: { title: '公告', content: '内容' } });
      return;
    case 'pull':
      await person.call(pullMessage, {});
      return;
    case 'all':
      await person.call(updateAllTargets, { query: step.of % 2 ? {} : { ftype: 1 + (step.of % 3) } });
      return;
    case 'read': {
      const id = await one('SELECT message_id AS id FROM message.inbox WHERE company_id = $1 ORDER BY 1 DESC LIMIT 5');
      // It may be in somebody else's inbox: then nothing happens.
      if (id) await person.send(batchReadMessage, { body: { ids: [id] } });
      return;
    }
    case 'unread':
      await admin.query('UPDATE message.inbox SET is_read = false, read_at = NULL WHERE company_id = $1', [
        owner.companyId,
      ]);
      return;
    case 'retract': {
      const id = await one(
        'SELECT id FROM message.message WHERE company_id = $1 AND ftype = 1 AND ended_at IS NULL ORDER BY 1 DESC LIMIT 5',
      );
      if (id) await owner.call(retractAnnounce, { params: { id } });
      return;
    }
    case 'expire':
      return expire(world.runtime);
    case 'purge':
      await purge(world.runtime, 0);
  }
}

test('whatever happens in whatever order, the counters are what a count says, and never negative', async () => {
  const owner = await world.owner();
  const people = [owner, await world.member(owner, []), await world.member(owner, [])];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const each of steps) {
        await take(each, owner, people);
        expect(await differences(owner.companyId)).toEqual([]);
      }
    }),
    { numRuns: 25, seed: 20_261_121 },
  );
});

test('a counter that was wrong does not go below zero', async () => {
  const owner = await world.owner();
  await tell(world, owner, '一');
  await tell(world, owner, '二');
  await admin.query('UPDATE message.counter SET unread = 1 WHERE company_id = $1', [owner.companyId]);
  await owner.call(updateAllTargets, { query: {} });
  expect(await badge(owner)).toEqual({ sys: 0, nti: 0 });
});

test('what was read half a year ago is deleted; what nobody read stays, however old', async () => {
  const owner = await world.owner();
  const ids = await Promise.all(['旧的', '新读的', '没读的'].map((title) => tell(world, owner, title)));
  const [old, fresh] = ids as [string, string, string];
  await owner.call(batchReadMessage, { body: { ids: [old, fresh] } });
  await admin.query("UPDATE message.inbox SET read_at = kit.now() - interval '181 days' WHERE message_id = $1", [old]);
  await admin.query("UPDATE message.message SET created_at = kit.now() - interval '400 days' WHERE company_id = $1", [
    owner.companyId,
  ]);
  await purge(world.runtime);
  const left = await admin.query<{ title: string }>('SELECT title FROM message.message WHERE company_id = $1', [
    owner.companyId,
  ]);
  expect(new Set(left.rows.map((row) => row.title))).toEqual(new Set(['新读的', '没读的']));
  expect(await badge(owner)).toEqual({ sys: 0, nti: 1 });
});
