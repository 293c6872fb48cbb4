import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemPrincipal } from '#kit/server/runtime.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addDict, removeDict, saveDict } from '../contract/dictionaries.ts';
import { sysProgress } from '../contract/jobs.ts';
import {
  exportOperlog,
  listOperlog,
  operlogDetail,
  operlogOptions,
  operlogSeal,
  verifyOperlog,
} from '../contract/operlog.ts';
import { breakOf, linksOf, type Sealed } from '../server/operlog/chain.ts';
import { verify } from '../server/operlog/seal.ts';
import { sealHandler } from '../server/operlog/verify-task.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  await world.work();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  admin.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Waits for a task of somebody's. */
async function finished(person: Person, key: string) {
  return vi.waitFor(
    async () => {
      const progress = await person.call(sysProgress, { query: { key } });
      expect(['done', 'failed', 'cancelled']).toContain(progress.state);
      return progress;
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
}

describe('what was done', () => {
  let owner: Person;
  let dict: string;
  beforeAll(async () => {
    owner = await world.owner();
    dict = await owner.call(addDict, { body: { name: '等级', code: 'grade' } });
    await owner.call(saveDict, { params: { id: dict }, body: { name: '客户等级', status: 'disabled' } });
    await owner.call(removeDict, { params: { id: dict } });
  });

  test('is listed newest first, in words', async () => {
    const { records, total } = await owner.call(listOperlog, { body: { filter: { resourceId: dict } } });
    expect(total).toBe(3);
    expect(records.map((row) => [row.action, row.resourceTitle, row.actorName])).toEqual([
      ['删除数据字典', '数据字典', '管理员'],
      ['修改数据字典', '数据字典', '管理员'],
      ['新增数据字典', '数据字典', '管理员'],
    ]);
    expect(records[1]?.summary).toBe('字典名称：等级 → 客户等级；状态：启用 → 停用');
  });

  test('one entry tells every field before and after, with the names of the contract', async () => {
    const { records } = await owner.call(listOperlog, { body: { filter: { search: '修改数据字典' } } });
    const detail = await owner.call(operlogDetail, { params: { id: records[0]?.id ?? '' } });
    expect(detail.changes).toEqual([
      { field: 'name', title: '字典名称', before: '等级', after: '客户等级' },
      { field: 'status', title: '状态', before: '启用', after: '停用' },
    ]);
  });

  test('is found by person, object and day', async () => {
    const count = async (filter: object) => (await owner.call(listOperlog, { body: { filter } })).total;
    const options = await owner.call(operlogOptions, {});
    expect(options.actors).toEqual([{ value: owner.userId, label: '管理员' }]);
    expect(options.resources).toContainEqual({ value: 'system.dict', label: '数据字典' });
    expect(await count({ actors: [owner.userId], resource: ['system.dict'] })).toBe(3);
    expect(await count({ actors: [randomUUID()] })).toBe(0);
    const today = worldClock().today();
    expect(await count({ resource: ['system.dict'], at: { from: today, to: today } })).toBe(3);
    expect(await count({ at: { to: '2020-01-01' } })).toBe(0);
  });

  test('a span of time is a span of the key', async () => {
    const { rows } = await admin.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM kit.audit a WHERE company_id = '${owner.companyId}'
        AND id >= system.id_at('2026-01-01') AND id < system.id_at('2026-02-01') ORDER BY id DESC LIMIT 20`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan.*audit_pkey/);
    expect(plan).toMatch(/Index Cond: .*id >= /);
  });

  test('is taken along as a file, which is itself an entry', async () => {
    const file = await owner.send(exportOperlog, { body: { filter: { resourceId: dict }, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('字典名称：等级 → 客户等级');
    // The entry is there once the file has ended, which its reader may know a moment earlier.
    const told = async () => (await owner.call(listOperlog, { body: { filter: { search: '导出操作日志' } } })).total;
    await expect.poll(told).toBe(1);
  });

  test('others see nothing of it, and without the right nobody does', async () => {
    const other = await world.owner();
    expect((await other.call(listOperlog, { body: { filter: { resourceId: dict } } })).total).toBe(0);
    const { records } = await owner.call(listOperlog, { body: {} });
    expect((await other.send(operlogDetail, { params: { id: records[0]?.id ?? '' } })).status).toBe(404);
    const member = await world.member(owner, ['sys:log:view']);
    expect((await member.send(exportOperlog, { body: { filter: {} } })).status).toBe(403);
    expect((await member.send(listOperlog, { body: { sort: 'ip' } })).code).toBe(400);
    const nobody = await world.member(owner, []);
    for (const endpoint of [operlogSeal, verifyOperlog, operlogOptions]) {
      expect((await nobody.send(endpoint, {})).status).toBe(403);
    }
  });
});

describe('whether somebody touched it', () => {
  let owner: Person;
  beforeEach(async () => {
    owner = await world.owner();
    for (let n = 0; n < 5; n += 1) {
      await owner.call(addDict, { body: { name: `字典${n}`, code: `code_${n}` } });
    }
    // Rows that are just being written are sealed with the next batch.
    await world.advance(1100);
  });
  const rows = async () =>
    (
      await admin.query<{ id: string }>('SELECT id FROM kit.audit WHERE company_id = $1 ORDER BY id', [owner.companyId])
    ).rows.map((row) => row.id);
  const check = async () => {
    const { state, detail } = await finished(owner, await owner.call(verifyOperlog, {}));
    expect([state, detail]).toEqual(['done', expect.any(String)]);
    return owner.call(operlogSeal, {});
  };

  test('untouched it is whole, however often it is sealed', async () => {
    expect((await owner.call(operlogSeal, {})).state).toBe('unchecked');
    const first = await check();
    expect(first).toMatchObject({ state: 'whole', problem: null });
    expect(first.sealed).toBeGreaterThanOrEqual(5);
    await owner.call(addDict, { body: { name: '又一个', code: 'another' } });
    await world.advance(1100);
    const second = await check();
    expect(second.state).toBe('whole');
    expect(second.sealed).toBeGreaterThan(first.sealed);
    expect(second.fingerprint).not.toBe(first.fingerprint);
  });

  test('a changed, a deleted and an inserted row are named', async () => {
    await check();
    const [, second, third] = await rows();
    await admin.query(`UPDATE kit.audit SET after = '{"name":"别的"}' WHERE id = $1`, [second]);
    expect(await check()).toMatchObject({ state: 'broken', auditId: second, problem: '该条日志的内容被改动' });
    await admin.query(`DELETE FROM kit.audit WHERE id = $1`, [second]);
    expect(await check()).toMatchObject({ state: 'broken', auditId: second, problem: '该条日志已被删除' });
    const forged = `${third?.slice(0, -12)}000000000000`;
    await admin.query(
      `INSERT INTO kit.audit (company_id, id, action, resource) VALUES ($1, $2, '伪造', 'system.dict')`,
      [owner.companyId, forged],
    );
    expect(await check()).toMatchObject({ state: 'broken', auditId: forged, problem: '该条日志是封存之后插入的' });
    expect((await owner.call(operlogSeal, {})).state).toBe('broken');
  });

  test('a seal that was touched or taken away is noticed as well', async () => {
    await check();
    const key = [owner.companyId];
    await admin.query(
      `UPDATE system.audit_seal SET links = set_byte(links, 0, (get_byte(links, 0) + 1) % 256) WHERE company_id = $1`,
      key,
    );
    expect((await check()).state).toBe('broken');
    await admin.query('DELETE FROM system.audit_seal WHERE company_id = $1', key);
    for (let n = 0; n < 2; n += 1) {
      expect(await check()).toMatchObject({ state: 'broken', sealed: 0, problem: '末尾的封存记录被删除' });
    }
  });

  test('rows that are being written while the seal is made are left for the next one', async () => {
    const slow = await world.runtime.connections.pool.connect();
    await slow.query(`BEGIN; SET LOCAL app.company_id = '${owner.companyId}';
      SET LOCAL app.clock_shift = '${world.clock.shiftMs} milliseconds'`);
    await slow.query(`INSERT INTO kit.audit (company_id, action, resource) VALUES ('${owner.companyId}', '慢', 'x')`);
    await owner.call(addDict, { body: { name: '快', code: 'quick' } });
    // Since when a transaction is open is told by the machine's clock, which no story moves: a second has to go by.
    await sleep(1100);
    const before = await check();
    await slow.query('COMMIT');
    slow.release();
    await world.advance(1100);
    const after = await check();
    expect([before.state, after.state]).toEqual(['whole', 'whole']);
    expect(after.sealed - before.sealed).toBeGreaterThanOrEqual(2);
  });
});

describe('a check of a long log', () => {
  test('advances in steps, and two at once both find it whole', async () => {
    const owner = await world.owner();
    await admin.query(
      `INSERT INTO kit.audit (company_id, at, action, resource)
       SELECT $1, kit.now(), '批量', 'system.dict' FROM generate_series(1, 23000)`,
      [owner.companyId],
    );
    await world.advance(1100);
    const principal = systemPrincipal(owner.companyId);
    expect(await verify(world.runtime, principal)).toBeUndefined();
    const steps: [number, number][] = [];
    const [one, other] = await Promise.all([
      verify(world.runtime, principal, async (...step) => void steps.push(step)),
      verify(world.runtime, principal),
    ]);
    expect([one, other]).toEqual([undefined, undefined]);
    const all = steps[0]?.[1] ?? 0;
    expect(all).toBeGreaterThanOrEqual(23_000);
    expect(steps.map(([checked]) => checked)).toEqual([10_000, 20_000, all]);
  });

  test('comes every night by itself, and says what it found', async () => {
    const owner = await world.owner();
    await owner.call(addDict, { body: { name: '夜', code: 'night' } });
    await world.advance(1100);
    const firing = { companyId: owner.companyId, fireTime: worldClock().now().toISOString() };
    expect(await sealHandler.run(world.runtime, firing)).toMatch(/^完整，共\d+条$/);
    await admin.query(`UPDATE kit.audit SET action = '别的' WHERE company_id = $1`, [owner.companyId]);
    expect(await sealHandler.run(world.runtime, firing)).toBe('该条日志的内容被改动');
    expect((await owner.call(operlogSeal, {})).state).toBe('broken');
  });
});

test('any single change breaks a chain, and nothing else does', () => {
  const key = randomBytes(32);
  const row = fc.record({ id: fc.uuid(), digest: fc.uint8Array({ minLength: 32, maxLength: 32 }) });
  const rowsOf = fc.uniqueArray(row, { minLength: 1, maxLength: 20, selector: (each) => each.id });
  fc.assert(
    fc.property(rowsOf, fc.nat(), fc.constantFrom('none', 'change', 'drop'), (raw, at, deed) => {
      const rows: Sealed[] = raw.map(({ id, digest }) => ({ id, digest: Buffer.from(digest) }));
      const before = Buffer.alloc(0);
      const seal = { no: 1, ids: rows.map((each) => each.id), links: linksOf(key, before, rows), before };
      const index = at % rows.length;
      const touched = rows.flatMap((each, n) => {
        if (n !== index || deed === 'none') return [each];
        return deed === 'drop' ? [] : [{ ...each, digest: Buffer.from(each.digest.map((byte) => byte ^ 1)) }];
      });
      const found = breakOf(key, seal, before, touched);
      expect(found?.id).toBe(deed === 'none' ? undefined : rows[index]?.id);
      expect(breakOf(randomBytes(32), seal, before, rows)).toBeDefined();
    }),
    { numRuns: 100 },
  );
});
