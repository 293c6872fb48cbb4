import { Readable } from 'node:stream';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { mergeCompanies } from '#modules/identity/server/merge/task.ts';
import { eraseDue } from '#modules/identity/server/self/closure.ts';
import { eraseCompany } from '#modules/identity/server/self/erasure.ts';
import { fillTables, fingerprint, quoted, type Table, tablesOf } from './catalogue.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { adminOf } from './walk.ts';

/** Tables whose rows stay with an erased company, and why. */
const STAY: Record<string, string> = {
  'kit.audit': 'the operation log is kept as the law asks for; changed rows would break its chain',
  'system.audit_seal': 'seals over it',
  'system.audit_check': 'results of checking them',
  'identity.login_log': 'logs of attempts, kept for the time of all such logs',
  'identity.company': 'a row without a name',
};

let world: World;
let admin: pg.Pool;
let tables: Table[];
let other: Person;
let prints: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  tables = (await tablesOf(admin)).filter(
    (table) => !table.isPartition && table.columns.some(({ name }) => name === 'company_id'),
  );
  other = await world.owner('留下的公司');
  await fillTables(admin, other.companyId, '留下');
  // A closure that is due would make one of its people go.
  await admin.query('DELETE FROM identity.closure');
  prints = await fingerprint(admin, other.companyId);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

async function countsOf(companyId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await admin.query(`SELECT count(*)::int AS n FROM ${quoted(name)} WHERE company_id = $1`, [
      companyId,
    ]);
    if (rows[0].n > 0) counts.set(name, rows[0].n);
  }
  return counts;
}

const leftOf = async (companyId: string) => [...(await countsOf(companyId)).keys()].filter((name) => !(name in STAY));

/** A company with rows in all tables and a file, whose owner wanted it gone eight days ago. */
async function closedCompany(name: string): Promise<Person> {
  const person = await world.owner(name);
  await fillTables(admin, person.companyId, name);
  await admin.query('DELETE FROM identity.closure WHERE company_id = $1', [person.companyId]);
  await admin.query(
    `INSERT INTO identity.closure (company_id, member_id, whole_company, effective_at) VALUES ($1, $2, true, kit.now() - interval '1 day')`,
    [person.companyId, person.userId],
  );
  return person;
}

const store = (person: Person, text: string) =>
  world.runtime.files.put(person.companyId, Readable.from([Buffer.from(text)]));

const statusOf = async (person: Pick<Person, 'companyId'>) =>
  (await admin.query('SELECT name, status FROM identity.company WHERE company_id = $1', [person.companyId])).rows[0];

test('nothing of an erased company is left in any table but its log; its neighbour loses nothing', async () => {
  const gone = await closedCompany('注销公司');
  const mine = await store(gone, '账单');
  const theirs = await store(other, '账单');
  const had = await countsOf(gone.companyId);
  // Without rows there would be nothing to see.
  expect(had.size).toBeGreaterThan(tables.length * 0.9);
  await eraseDue(world.runtime);
  expect(await leftOf(gone.companyId)).toEqual([]);
  const left = await countsOf(gone.companyId);
  for (const name of ['kit.audit', 'identity.login_log']) {
    expect(left.get(name) ?? 0, name).toBeGreaterThanOrEqual(had.get(name) ?? 1);
  }
  expect(await statusOf(gone)).toEqual({ name: '已注销公司', status: 'erased' });
  expect(await world.runtime.files.has(gone.companyId, mine.sha256)).toBe(false);
  expect(await world.runtime.files.has(other.companyId, theirs.sha256)).toBe(true);
  expect(await fingerprint(admin, other.companyId)).toEqual(prints);
  expect(await eraseDue(world.runtime)).toBe(0);
});

test('an erasure that dies in the middle goes on where it stopped, and what came in meanwhile goes too', async () => {
  const gone = await closedCompany('中断公司');
  const mine = await store(gone, '对账单');
  // More than two batches of one table.
  await admin.query(
    `INSERT INTO kit.timeline (company_id, document_type, document_id, kind, title)
     SELECT $1, 'x', gen_random_uuid(), 'note', 'x' FROM generate_series(1, 20001)`,
    [gone.companyId],
  );
  const before = (await countsOf(gone.companyId)).size;
  // The connections die under the worker once it has taken away some tables.
  const { tenant } = world.runtime.connections;
  let calls = 0;
  world.runtime.connections.tenant = (...args: Parameters<typeof tenant>) => {
    calls += 1;
    if (calls > 90) throw new Error('killed');
    return tenant.apply(world.runtime.connections, args) as never;
  };
  await expect(eraseDue(world.runtime)).rejects.toThrow('companies are left to be erased');
  world.runtime.connections.tenant = tenant;
  const half = await leftOf(gone.companyId);
  expect(half.length).toBeGreaterThan(0);
  expect(half.length).toBeLessThan(before - 20);
  expect((await statusOf(gone)).status).toBe('closing');
  // A straggler writes into a table that had been emptied.
  await admin.query("INSERT INTO kit.sequence (company_id, prefix, last) VALUES ($1, 'XX', 1)", [gone.companyId]);
  expect(await eraseDue(world.runtime)).toBe(1);
  expect(await leftOf(gone.companyId)).toEqual([]);
  expect((await statusOf(gone)).status).toBe('erased');
  expect(await world.runtime.files.has(gone.companyId, mine.sha256)).toBe(false);
  expect(await fingerprint(admin, other.companyId)).toEqual(prints);
});

test('what a company had taken in goes with it', async () => {
  const [first, second] = [await world.owner('被并公司'), await world.owner('并入公司')];
  await world.member(first, []);
  await mergeCompanies(world.runtime, systemPrincipal(first.companyId), second.companyId);
  expect(await leftOf(first.companyId)).toContain('identity.member');
  await admin.query(
    `INSERT INTO identity.closure (company_id, member_id, whole_company, effective_at) VALUES ($1, $2, true, kit.now())`,
    [second.companyId, second.userId],
  );
  expect(await eraseDue(world.runtime)).toBe(2);
  for (const each of [first, second]) {
    expect(await leftOf(each.companyId)).toEqual([]);
    expect(await statusOf(each)).toEqual({ name: '已注销公司', status: 'erased' });
  }
});

test('no row of a company that stays can be erased, nor a row of any log', async () => {
  await expect(eraseCompany(world.runtime, other.companyId)).rejects.toThrow('the company is not being erased');
  const inOther = inTenant(world.runtime, systemPrincipal(other.companyId), ({ client }) =>
    client.query("SELECT identity.erase_rows('kit.audit', NULL)"),
  );
  await expect(inOther).rejects.toThrow('the log stays');
  expect(await fingerprint(admin, other.companyId)).toEqual(prints);
});
