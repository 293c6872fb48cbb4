import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveStore } from '#modules/marketplace/contract/stores.ts';
import { saveVersionWithName } from '#modules/system/contract.ts';
import {
  type Filled,
  type ForeignKey,
  fillTables,
  fingerprint,
  foreignKeysOf,
  quoted,
  type Table,
  tablesOf,
} from './catalogue.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { adminOf } from './walk.ts';

/** Tables that are no tenant's, and why. */
const NO_TENANT: Record<string, string> = {
  'kit.migration': 'what this database has been brought to',
  'kit.stored': 'the functions, triggers and views that stand in this database',
  'kit.worker': 'live worker processes; they work for all companies',
  'kit.outbox': 'messages that could not be sent, also to people of no company; only the system reads them',
  'identity.login_log': 'attempts on accounts that may belong to nobody; a company reads its own rows by policy',
  'identity.external_state': 'lives five minutes, before anybody is known; hashes, and who came back from a provider',
  'identity.sso_flow': 'lives ten minutes, before anybody is known; hashes and a sealed text',
  'identity.captcha_challenge': 'lives two minutes, before anybody is known',
  'identity.captcha_pass': 'lives three minutes, before anybody is known',
  'identity.captcha_client': 'calls of an address in the last minutes, before anybody is known',
  'identity.verify_code': 'codes of phones and mailboxes that may belong to nobody; keys and codes as hashes only',
  'marketplace.slot_class': "the workers' time is shared by all companies; the rows hold no business data",
  'marketplace.application_secret': "the installation's own application; the secret is sealed",
  'marketplace.rate_bucket': "the marketplace's limits hold per application and seller; the rows hold no business data",
};

/** Tenant tables whose primary key does not begin with the company, and why. */
const OTHER_KEY: Record<string, string> = {
  'marketplace.oauth_state': 'found by its nonce alone, when the browser comes back from the consent page',
};

/** Unique indexes across companies, and why. */
const ACROSS: Record<string, string> = {
  'identity.member_account': 'log-in knows the account only',
  'identity.external_identity_oidc': 'one person of a provider is one member, whatever his company',
  'identity.sso_domain_domain': 'a mail domain stands for the people of one company',
  'identity.session_token': 'a request brings the session only',
  'marketplace.oauth_state_pkey': 'see above',
  'marketplace.seller_account_owner': 'a seller account works for one company at a time',
  'marketplace.ads_profile_owner': 'an advertising profile works for one company at a time',
};

/** These and no others may be read by transactions of no company: log-in, schedulers, cleaners. */
const OPEN_TO_SYSTEM = [
  'approval.task',
  'identity.account_bind',
  'identity.closure',
  'identity.company',
  'identity.external_identity',
  'identity.known_device',
  'identity.login_log',
  'identity.member',
  'identity.menu_overlay',
  'identity.mfa',
  'identity.mfa_challenge',
  'identity.mfa_recovery',
  'identity.oauth_client',
  'identity.oauth_grant',
  'identity.oauth_key',
  'identity.oauth_record',
  'identity.security_policy',
  'identity.session',
  'identity.sso_domain',
  'identity.sso_session',
  'kit.file',
  'kit.idempotency',
  'kit.outbox',
  'kit.task',
  'listing.offer_book_past',
  'listing.offer_seen_day',
  'marketplace.ads_connection',
  'marketplace.ads_profile',
  'marketplace.api_call',
  'marketplace.call_hour',
  'marketplace.feed',
  'marketplace.notification',
  'marketplace.oauth_state',
  'marketplace.report_request',
  'marketplace.seller_account',
  'marketplace.subscription',
  'marketplace.sync_backfill',
  'marketplace.sync_cursor',
  'marketplace.sync_run',
  'marketplace.sync_turn',
  'marketplace.upload_undo',
  'marketplace.write',
  'message.counter',
  'message.delivery',
  'message.inbox',
  'message.message',
  'repricing.rule',
  'salesreport.subscription',
  'shipping.inbound',
  'system.schedule',
  'system.schedule_run',
  'system.task_line',
  'vat.invoice',
  'vat.site',
];

/** Rows of the operator's own company in these are everybody's to read, and nobody's but the operator's to change. */
const SHARED = ['finance.day_rate', 'system.dict', 'system.dict_item', 'system.holiday', 'system.platform'];
const PLATFORM = '00000000-0000-0000-0000-000000000000';

/** Reference data that every company reads and only migrations or operators write: no company_id, no INSERT right. */
const REFERENCE: Record<string, string> = {};

const MARKER = '乙公司机密';

let world: World;
let admin: pg.Pool;
let tables: Table[];
let keys: ForeignKey[];
let ours: Person;
let theirs: Person;
let filled: Filled;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  tables = await tablesOf(admin);
  keys = await foreignKeysOf(admin);
  ours = await world.owner('甲公司');
  theirs = await world.owner('乙公司');
  for (const person of [ours, theirs]) {
    await person.call(saveStore, { body: { name: '同名店铺' } });
    await person.call(saveVersionWithName, {
      body: { queryname: 'q', versionname: '同名方案', fieldlist: [{ ffield: 'a', findex: 0, isShow: true }] },
    });
  }
  filled = await fillTables(admin, theirs.companyId, MARKER);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const isTenants = (name: string) => !(name in NO_TENANT || name in REFERENCE);
const tenants = () => tables.filter((table) => isTenants(table.name));

describe('the catalogue', () => {
  test('the allow lists name nothing that is gone', () => {
    const names = new Set(tables.map((table) => table.name));
    const listed = [NO_TENANT, OTHER_KEY, REFERENCE].flatMap((list) => Object.keys(list));
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
    expect(tenants().length).toBeGreaterThan(15);
  });

  test('every tenant table has the company, forced row-level security and a policy on it', async () => {
    const { rows } = await admin.query<{ table: string; using: string; check: string | null }>(
      `SELECT schemaname || '.' || tablename AS "table", qual AS using, with_check AS check FROM pg_policies
        WHERE policyname = 'company'`,
    );
    const policies = new Map(rows.map((row) => [row.table, row]));
    const wrong = tenants().filter((table) => {
      const column = table.columns.find((entry) => entry.name === 'company_id');
      const policy = policies.get(table.name);
      const bound = /company_id = .*kit\.company\(\)/;
      if (table.isPartition) return column === undefined;
      return !(
        column?.notNull &&
        column.type === 'uuid' &&
        table.rls &&
        table.forced &&
        bound.test(policy?.using ?? '') &&
        bound.test(policy?.check ?? '')
      );
    });
    expect(wrong.map((table) => table.name)).toEqual([]);
  });

  test('a partition cannot be reached past its parent', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c
        WHERE c.relispartition AND c.relkind = 'r' AND has_table_privilege('erp_app', c.oid, 'SELECT')
          AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });

  test('no other policy opens a tenant table to anything but the system itself', async () => {
    const policies = await admin.query<{ name: string; qual: string; cmd: string }>(
      `SELECT schemaname || '.' || tablename || '.' || policyname AS name, qual, cmd FROM pg_policies
        WHERE policyname <> 'company' AND permissive = 'PERMISSIVE'`,
    );
    const shared = policies.rows.filter((row) => row.name.endsWith('.platform'));
    expect(shared.map((row) => row.name.replace(/\.platform$/, '')).sort()).toEqual(SHARED);
    for (const { cmd, qual } of shared) expect([cmd, qual]).toEqual(['SELECT', `(company_id = '${PLATFORM}'::uuid)`]);
    const rows = policies.rows.filter((row) => !shared.includes(row));
    const wrong = rows.filter((row) => !/current_setting\('app\.scope'::text, true\).*= 'system'::text/.test(row.qual));
    expect(wrong).toEqual([]);
    expect(rows.map((row) => row.name.replace(/\.system$/, '')).sort()).toEqual(OPEN_TO_SYSTEM);
  });

  test('the primary key begins with the company', () => {
    const wrong = tenants().filter((table) => table.key[0] !== 'company_id' && !(table.name in OTHER_KEY));
    expect(wrong.map((table) => `${table.name} (${table.key.join(', ')})`)).toEqual([]);
  });

  test('every foreign key begins with the company on both sides', () => {
    const wrong = keys.filter((key) => key.columns[0] !== 'company_id' || key.targetColumns[0] !== 'company_id');
    const named = wrong.filter((key) => !(key.target in REFERENCE));
    expect(named.map((key) => `${key.table}.${key.name}`)).toEqual([]);
    expect(keys.length).toBeGreaterThan(8);
  });

  test('every unique index begins with the company', async () => {
    const { rows } = await admin.query<{ name: string; table: string; first: string | null }>(`
      SELECT n.nspname || '.' || i.relname AS name, n.nspname || '.' || t.relname AS "table", a.attname AS first
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
        JOIN pg_namespace n ON n.oid = t.relnamespace
        LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] AND x.indkey[0] > 0
       WHERE x.indisunique`);
    const mine = rows.filter((row) => tenants().some((table) => table.name === row.table));
    const across = mine.filter((row) => row.first !== 'company_id').map((row) => row.name);
    expect(across.sort()).toEqual(Object.keys(ACROSS).sort());
  });
});

describe('the role of the application', () => {
  test('owns nothing, is no superuser and does not bypass row-level security', async () => {
    const role = await admin.query(
      "SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolcanlogin FROM pg_roles WHERE rolname = 'erp_app'",
    );
    expect(role.rows).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false, rolcanlogin: false },
    ]);
    const owned = await admin.query("SELECT relname FROM pg_class WHERE relowner = 'erp_app'::regrole");
    expect(owned.rows).toEqual([]);
    const member = await admin.query("SELECT roleid::regrole FROM pg_auth_members WHERE member = 'erp_app'::regrole");
    expect(member.rows).toEqual([]);
    expect(tables.filter((table) => table.owner === 'erp_app')).toEqual([]);
  });

  test('may create nothing and may not touch the queue', async () => {
    const { rows } = await admin.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE has_schema_privilege('erp_app', oid, 'CREATE')",
    );
    expect(rows.map((row) => row.name)).toEqual([]);
    await expect(
      world.runtime.connections.system((_db, client) => client.query('SELECT * FROM graphile_worker._private_jobs')),
    ).rejects.toThrow(/permission denied/);
  });

  test('cannot change what was written for ever', async () => {
    for (const table of [
      'kit.audit',
      'kit.timeline',
      'identity.login_log',
      'system.audit_seal',
      'system.audit_check',
    ]) {
      for (const command of [
        `UPDATE ${table} SET company_id = company_id`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
      ]) {
        const attempt = world.runtime.connections.tenant(ours.companyId, (_db, client) => client.query(command));
        await expect(attempt, command).rejects.toThrow(/permission denied/);
      }
    }
  });

  test('without a company every query on a tenant table fails', async () => {
    for (const table of tenants().filter((entry) => !entry.isPartition)) {
      const attempt = world.runtime.connections.pool.query(`SELECT count(*) FROM ${quoted(table.name)}`);
      await expect(attempt, table.name).rejects.toThrow(/app\.company_id|uuid: ""|permission denied/);
    }
  });

  test('a connection that is given back has forgotten its company', async () => {
    await world.runtime.connections.tenant(ours.companyId, (_db, client) => client.query('SELECT 1'));
    for (let i = 0; i < 5; i += 1) {
      const { rows } = await world.runtime.connections.pool.query<{ company: string | null }>(
        "SELECT nullif(current_setting('app.company_id', true), '') AS company",
      );
      expect(rows[0]?.company).toBeNull();
    }
  });

  test('a company id that is none is refused before it reaches the database', async () => {
    for (const id of ['', 'x', "00000000-0000-0000-0000-000000000000'; RESET ROLE; --"]) {
      expect(() => world.runtime.connections.tenant(id, async () => 1)).toThrow('company id');
    }
  });
});

describe('two companies with the same names', () => {
  test('the other one has a row in every tenant table', async () => {
    expect(Object.fromEntries(filled.failed)).toEqual({});
    const prints = await fingerprint(admin, theirs.companyId);
    expect(Object.entries(prints).filter(([name, print]) => isTenants(name) && print.startsWith('0 '))).toEqual([]);
  });

  test('none of its rows is seen, by no table', async () => {
    const seen: string[] = [];
    for (const table of tables.filter((entry) => entry.columns.some((column) => column.name === 'company_id'))) {
      const count = await world.runtime.connections.tenant(ours.companyId, async (_db, client) => {
        if (table.isPartition) return 0;
        const { rows } = await client.query<{ n: number }>(
          `SELECT count(*) AS n FROM ${quoted(table.name)} WHERE company_id IS DISTINCT FROM $1
             AND NOT (company_id = $2 AND $3)`,
          [ours.companyId, PLATFORM, SHARED.includes(table.name)],
        );
        return rows[0]?.n ?? 0;
      });
      if (count > 0) seen.push(table.name);
    }
    expect(seen).toEqual([]);
  });

  test('ours are all there', async () => {
    for (const table of ['marketplace.store', 'system.query_version', 'identity.member']) {
      const all = await admin.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE company_id = $1`, [
        ours.companyId,
      ]);
      const own = await world.runtime.connections.tenant(ours.companyId, (_db, client) =>
        client.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`),
      );
      expect([table, own.rows[0]?.n]).toEqual([table, all.rows[0]?.n]);
      expect(own.rows[0]?.n).toBeGreaterThan(0);
    }
  });

  test('no row can be written into, moved to or deleted from the other company', async () => {
    const before = await fingerprint(admin, theirs.companyId);
    const wrote: string[] = [];
    for (const table of tenants().filter((entry) => !entry.isPartition)) {
      const name = quoted(table.name);
      const attempts = [
        `DELETE FROM ${name} WHERE company_id IN ('${theirs.companyId}', '${PLATFORM}')`,
        `UPDATE ${name} SET company_id = company_id WHERE company_id = '${theirs.companyId}'`,
        `UPDATE ${name} SET company_id = '${theirs.companyId}'`,
        `INSERT INTO ${name} SELECT (jsonb_populate_record(NULL::${name}, '{"company_id":"${theirs.companyId}"}')).*`,
      ];
      for (const attempt of attempts) {
        await world.runtime.connections
          .tenant(ours.companyId, async (_db, client) => {
            const { rowCount } = await client.query(attempt);
            if (rowCount) wrote.push(attempt);
            throw new Error('roll back');
          })
          .catch(() => {});
      }
    }
    expect(wrote).toEqual([]);
    expect(await fingerprint(admin, theirs.companyId)).toEqual(before);
  });
});
