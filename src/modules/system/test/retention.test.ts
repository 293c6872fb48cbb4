import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { adminOf } from '#test/walk.ts';
import { listOperlog, operlogSeal } from '../contract/operlog.ts';
import { forgetOperations, retentionHandler } from '../server/operlog/retention.ts';
import { verify } from '../server/operlog/seal.ts';

let world: World;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Rows of the log from so many days ago on, a second apart. */
const write = (days: number, count: number, company = owner.companyId) =>
  admin.query(
    `INSERT INTO kit.audit (company_id, id, at, action, resource)
     SELECT $1, (left(system.id_at(t)::text, 13) || substr(gen_random_uuid()::text, 14, 1) || right(gen_random_uuid()::text, 22))::uuid,
            t, '旧事', 'system.dict'
       FROM generate_series(1, $3::int) AS n, LATERAL (SELECT kit.now() - make_interval(days => $2) + make_interval(secs => n) AS t) AS at`,
    [company, days, count],
  );
const count = async (company = owner.companyId) => {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM kit.audit WHERE company_id = $1 AND action = '旧事'`,
    [company],
  );
  return rows[0]?.n;
};
const check = async () => {
  await verify(world.runtime, systemPrincipal(owner.companyId));
  const { state, problem, sealed } = await owner.call(operlogSeal, {});
  return { state, problem, sealed };
};
const forget = () => forgetOperations(world.runtime, { id: owner.companyId, nightly: true });

beforeEach(async () => {
  owner = await world.owner();
  await write(800, 2200);
  await write(700, 100);
  await world.advance(1100);
  expect((await check()).state).toBe('whole');
});

describe('the operation log after two years', () => {
  test('loses whole seals of old rows, and what is left is still whole', async () => {
    const before = (await owner.call(operlogSeal, {})).sealed;
    expect(await forget()).toBe(2000);
    // The third seal holds younger rows too: it stays until all of it is old.
    expect(await count()).toBe(300);
    expect(await check()).toEqual({ state: 'whole', problem: null, sealed: before - 2000 });
    expect(await forget()).toBe(0);
    const { total } = await owner.call(listOperlog, { body: { filter: {} } });
    expect(total).toBe(before - 2000);
    // The chain goes on.
    await write(0, 3);
    await world.advance(4200);
    expect(await check()).toMatchObject({ state: 'whole', sealed: before - 2000 + 3 });
  });

  test('keeps what somebody touched, however old it is', async () => {
    await admin.query(
      `UPDATE kit.audit SET action = '别的' WHERE id = (
         SELECT id FROM kit.audit WHERE company_id = $1 ORDER BY id OFFSET 1499 LIMIT 1)`,
      [owner.companyId],
    );
    expect(await forget()).toBe(1000);
    expect(await forget()).toBe(0);
    expect(await check()).toMatchObject({ state: 'broken', problem: '该条日志的内容被改动' });
  });

  test.each([
    ['a row before the beginning', () => write(900, 1), '该条日志是封存之后插入的'],
    [
      'a beginning that was moved',
      () =>
        admin.query(
          `WITH gone AS (DELETE FROM system.audit_seal WHERE company_id = $1 AND purged_to IS NOT NULL RETURNING proof),
                next AS (UPDATE system.audit_seal SET ids = '{}', links = substring(links FROM length(links) - 31),
                                purged_to = ids[cardinality(ids)], purged = 2000, proof = (SELECT proof FROM gone)
                          WHERE company_id = $1 AND no = 3 RETURNING purged_to)
           DELETE FROM kit.audit WHERE company_id = $1 AND id <= (SELECT purged_to FROM next)`,
          [owner.companyId],
        ),
      '第3段封存记录被改动',
    ],
    [
      'a beginning that is gone',
      () =>
        admin.query('DELETE FROM system.audit_seal WHERE company_id = $1 AND purged_to IS NOT NULL', [owner.companyId]),
      '缺少第1段封存记录',
    ],
  ])('%s is noticed', async (_what, touch, problem) => {
    await forget();
    await touch();
    expect(await check()).toMatchObject({ state: 'broken', problem });
    expect(await forget()).toBe(0);
  });

  test('the product itself cannot take out anything younger', async () => {
    await forget();
    const take = inTenant(world.runtime, systemPrincipal(owner.companyId), (ctx) =>
      ctx.client.query(`SELECT system.purge_audit(3, 1, '')`),
    );
    await expect(take).rejects.toThrow('the log stays for 24 months');
    const plain = inTenant(world.runtime, systemPrincipal(owner.companyId), (ctx) =>
      ctx.client.query('DELETE FROM kit.audit'),
    );
    await expect(plain).rejects.toThrow('permission denied');
  });

  test('goes by itself, that of a closed company too', async () => {
    const closed = await world.owner('关门');
    await write(800, 1500, closed.companyId);
    await write(700, 5, closed.companyId);
    await admin.query(`UPDATE identity.company SET status = 'erased' WHERE company_id = $1`, [closed.companyId]);
    const said = await retentionHandler.run(world.runtime, { companyId: '', fireTime: '' });
    expect(said).toMatch(/^删除\d+条$/);
    expect([await count(), await count(closed.companyId)]).toEqual([300, 505]);
  });
});
