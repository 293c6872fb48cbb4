import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { extensionsOf } from '#kit/server/extension.ts';
import { recordFile } from '#kit/server/files.ts';
import { systemPrincipal } from '#kit/server/runtime.ts';
import { exportOperlog, listOperlog, operlogDetail, operlogOptions } from '#modules/system/contract/operlog.ts';
import { schedules } from '#modules/system/server/index.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { MERGE_WARNING, mergeAccount, mergeState } from '../contract/merge.ts';
import { addRole, listRoles } from '../contract/roles.ts';
import { sendSelfCode, updateSelf } from '../contract/self.ts';
import { userInfo } from '../contract/users.ts';
import { parentsFirst, tenantTables } from '../server/merge/catalogue.ts';
import { mergeCompanies } from '../server/merge/task.ts';
import { codeOf } from './outbox.ts';
import { PASSWORD, sessionOf } from './support.ts';

let world: World;
let admin: pg.Client;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const accountOf = (person: Person) => `owner-${person.companyId}@example.com`;

async function product(person: Person, sku: string): Promise<void> {
  await admin.query('INSERT INTO product.local_product (company_id, sku, name) VALUES ($1, $2, $2)', [
    person.companyId,
    sku,
  ]);
}

async function seller(person: Person, sellerId: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `WITH s AS (INSERT INTO marketplace.store (company_id, name) VALUES ($1, '旗舰店') RETURNING id)
     INSERT INTO marketplace.seller_account (company_id, store_id, region, selling_partner_id, application_id, status)
     SELECT $1, id, 'na', $2, 'app', 'manual' FROM s RETURNING id`,
    [person.companyId, sellerId],
  );
  return rows[0]?.id ?? '';
}

/** Rows of a company by table, without empty ones. */
async function rowsOf(companyId: string): Promise<Record<string, number>> {
  const client = await world.runtime.connections.pool.connect();
  const tables = await tenantTables(client).finally(() => client.release());
  const found: Record<string, number> = {};
  for (const { name, quoted } of tables) {
    const { rows } = await admin.query(`SELECT count(*)::int AS n FROM ${quoted} WHERE company_id = $1`, [companyId]);
    if (rows[0].n > 0) found[name] = rows[0].n;
  }
  return found;
}

/** What the nightly check of a company's log against its seals says, which also seals what is new. */
async function sealed(companyId: string): Promise<string> {
  const nightly = extensionsOf(world.runtime.modules, schedules).find(({ key }) => key === 'system.sealAudit');
  if (!nightly) throw new Error('nobody seals the log');
  return (await nightly.run(world.runtime, { companyId, fireTime: worldClock().now().toISOString() })) ?? '';
}

/** Keeps a move waiting in its middle: both companies are frozen by then, and part of the rows is on its way. */
async function holdRow(from: Person): Promise<pg.Client> {
  const blocker = new pg.Client({ connectionString: world.databaseUrl });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM product.local_product WHERE company_id = $1 FOR UPDATE', [from.companyId]);
  return blocker;
}

async function form(from: Person, to: Person, more: object = {}) {
  const key = await from.call(sendSelfCode, { body: { purpose: 'mergeaccount' } });
  const code = await codeOf(world, accountOf(from));
  return {
    account: accountOf(to),
    targetPassword: PASSWORD,
    password: PASSWORD,
    key,
    code,
    company: '迁出公司',
    ...more,
  };
}

describe('asking for it', () => {
  let from: Person;
  let to: Person;
  beforeAll(async () => {
    from = await world.owner('迁出公司');
    to = await world.owner('目标公司');
  });

  test('the warning says that it cannot be taken back', () => {
    expect(MERGE_WARNING).toBe('此操作会把本公司全部数据迁入目标公司且不可撤销，是否继续？');
  });

  test('only an owner may, with everything proven and the name of the company typed', async () => {
    const member = await world.member(from, []);
    const body = await form(from, to);
    expect((await member.send(mergeAccount, { body })).msg).toBe('只有主账号可以迁移公司');
    const tries: [object, string][] = [
      [{ company: '目标公司' }, '请输入公司名称以确认迁移'],
      [{ password: 'Falsch-2026' }, '账号或密码错误'],
      [{ code: '000000' === body.code ? '111111' : '000000' }, '验证码错误或已失效'],
      [{ targetPassword: 'Falsch-2026' }, '账号或密码错误'],
      [{ account: accountOf(from) }, '目标账号属于本公司，无需迁移'],
    ];
    for (const [change, msg] of tries) {
      expect((await from.send(mergeAccount, { body: { ...body, ...change } })).msg).toBe(msg);
    }
    expect((await from.send(mergeAccount, { body: { ...body, account: '' } })).status).toBe(400);
    expect(await from.call(mergeState, {})).toEqual({ state: 'none', error: null });
  });

  test('the target must be an owner', async () => {
    await world.member(to, []);
    const { rows } = await admin.query(
      `SELECT account FROM identity.member WHERE company_id = $1 AND user_type = 'member'`,
      [to.companyId],
    );
    await admin.query('DELETE FROM identity.verify_code');
    const answer = await from.send(mergeAccount, { body: await form(from, to, { account: rows[0].account }) });
    expect(answer.msg).toBe('目标账号必须是其公司的主账号');
  });

  test('the same seller and the same SKUs are listed, and nothing has moved', async () => {
    await seller(from, 'A1SAME');
    await seller(to, 'A1SAME');
    for (const sku of ['SKU-1', 'SKU-2', 'SKU-3']) await product(from, sku);
    for (const sku of ['SKU-2', 'SKU-3', 'SKU-4']) await product(to, sku);
    const before = await rowsOf(from.companyId);
    await admin.query('DELETE FROM identity.verify_code');
    const answer = await from.send(mergeAccount, { body: await form(from, to) });
    expect(answer.msg).toContain('两家公司存在冲突的数据，无法迁移：');
    const { conflicts } = answer.data as unknown as { conflicts: { title: string; value: string }[] };
    // Tables come in the order in which they refer to each other, which any new one may change.
    const words = conflicts.map(({ title, value }) => `${title} ${value}`).sort();
    expect(words).toEqual(['卖家账号 na / A1SAME', '商品SKU SKU-2', '商品SKU SKU-3'].sort());
    const after = await rowsOf(from.companyId);
    expect({ ...after, 'identity.login_log': 0 }).toEqual({ ...before, 'identity.login_log': 0 });
  });
});

test('every table with rows of companies can be moved: it can be read, and put after those that it refers to', async () => {
  const client = await world.runtime.connections.pool.connect();
  const tables = await tenantTables(client).finally(() => client.release());
  expect(tables.length).toBeGreaterThan(60);
  const left = ['identity.member', 'identity.company'];
  const ordered = parentsFirst(tables.filter(({ name }) => !left.includes(name)));
  const place = new Map(ordered.map((table, at) => [table.quoted, at]));
  for (const [at, { quoted, references }] of ordered.entries()) {
    for (const { to } of references) if (to !== quoted) expect(place.get(to) ?? -1).toBeLessThan(at);
  }
  const { rows } = await admin.query(
    `SELECT t FROM unnest($1::text[]) AS t WHERE NOT has_table_privilege('erp_app', t, 'SELECT')`,
    [tables.map(({ quoted }) => quoted)],
  );
  expect(rows).toEqual([]);
});

test('the functions that move guarded rows work in no other transaction', async () => {
  const { companyId } = await world.owner();
  for (const call of [
    `identity.take_away('kit.timeline'::regclass)`,
    `identity.take_away('kit.audit'::regclass)`,
    `identity.put_in('kit.timeline'::regclass, 'moving_1', '{id}', '${companyId}')`,
  ]) {
    const tried = world.runtime.connections.tenant(companyId, (_db, own) => own.query(`SELECT ${call}`));
    await expect(tried).rejects.toThrow(/the log stays|not handing over/);
  }
});

describe('the move', () => {
  let from: Person;
  let to: Person;
  let clerk: Person;
  let fileId: string;
  beforeAll(async () => {
    from = await world.owner('迁出公司');
    to = await world.owner('目标公司');
    clerk = await world.member(from, ['sys:role:view']);
    await product(from, 'MOVED-1');
    await product(to, 'THERE-1');
    await seller(from, `A${randomUUID()}`);
    await seller(to, `A${randomUUID()}`);
    for (const person of [from, to]) await person.call(addRole, { body: { name: '采购', description: '' } });
    // The log of both is under seal before anything moves; rows of the last second are left for the next time.
    for (const { companyId } of [from, to]) {
      await vi.waitFor(async () => expect(await sealed(companyId)).toMatch(/^完整，共[1-9]\d*条$/), {
        timeout: PATIENCE_MS,
        interval: 300,
      });
    }
    const stored = await world.runtime.files.put(from.companyId, Readable.from([Buffer.from('原始报表')]));
    fileId = await world.as(from, (ctx) =>
      recordFile(ctx, stored, { name: 'report.txt', mediaType: 'text/plain', purpose: 'report' }),
    );
    // A table that the application may neither delete from nor, for once, insert into.
    await admin.query(
      `INSERT INTO kit.timeline (company_id, document_type, document_id, kind, title)
      VALUES ($1, 'store', $1, 'note', '一路跟随')`,
      [from.companyId],
    );
    await admin.query('REVOKE INSERT ON kit.timeline FROM erp_app');
    await admin.query(`INSERT INTO kit.sequence (company_id, prefix, last) VALUES ($1, 'PO', 9), ($2, 'PO', 4)`, [
      from.companyId,
      to.companyId,
    ]);
  });

  test('a death in the middle leaves both companies as they were and writable', async () => {
    const before = [await rowsOf(from.companyId), await rowsOf(to.companyId)];
    const blocker = await holdRow(from);
    const principal = { ...systemPrincipal(from.companyId), userId: from.userId };
    const died = expect(mergeCompanies(world.runtime, principal, to.companyId)).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const { rowCount } = await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%pg_temp.moving_%'`,
        );
        expect(rowCount).toBe(1);
      },
      { timeout: PATIENCE_MS, interval: 20 },
    );
    await died;
    await blocker.end();
    expect([await rowsOf(from.companyId), await rowsOf(to.companyId)]).toEqual(before);
    for (const person of [from, to]) await person.call(updateSelf, { body: { name: '仍可保存' } });
  });

  test('while it runs both companies can be read and not written', async () => {
    const blocker = await holdRow(from);
    const start = await form(from, to);
    expect(await from.call(mergeAccount, { body: start })).toMatchObject({ state: '迁移中' });
    await world.work();
    await vi.waitFor(async () => expect((await to.send(updateSelf, { body: { name: '等待' } })).status).toBe(423), {
      timeout: PATIENCE_MS,
      interval: 50,
    });
    for (const person of [from, to, clerk]) {
      const answer = await person.send(updateSelf, { body: { name: '不能保存' } });
      expect([answer.status, answer.code, answer.msg]).toEqual([
        423,
        423,
        '公司数据正在迁移，暂时只能查看，请稍后再试',
      ]);
      expect((await person.call(userInfo, {})).name).not.toBe('不能保存');
    }
    expect((await from.call(mergeState, {})).state).toBe('running');
    // Work of the product itself is held up as well.
    await expect(world.as(to, (ctx) => ctx.db.selectFrom('kit.file').select('id').execute())).rejects.toThrow('迁移');
    await blocker.query('COMMIT');
    await blocker.end();
    await vi.waitFor(async () => expect((await to.send(updateSelf, { body: { name: '管理员' } })).status).toBe(200), {
      timeout: PATIENCE_MS,
      interval: 50,
    });
  });

  test('everything is in the target; the closed company keeps its log, its sessions and names', async () => {
    const left = await rowsOf(from.companyId);
    expect(Object.keys(left).sort()).toEqual(
      expect.arrayContaining(['identity.company', 'identity.member', 'identity.session', 'kit.audit', 'kit.task']),
    );
    const kept = ['identity.company', 'identity.member', 'identity.session', 'identity.login_log', 'kit.audit'];
    kept.push(
      'kit.task',
      'kit.idempotency',
      'kit.outbox',
      'system.task_line',
      'system.audit_seal',
      'system.audit_check',
    );
    expect(Object.keys(left).filter((table) => !kept.includes(table))).toEqual([]);
    const skus = await admin.query('SELECT sku FROM product.local_product WHERE company_id = $1 ORDER BY 1', [
      to.companyId,
    ]);
    expect(skus.rows.map((row) => row.sku)).toEqual(['MOVED-1', 'THERE-1']);
    const stores = await admin.query('SELECT name FROM marketplace.store WHERE company_id = $1 ORDER BY 1', [
      to.companyId,
    ]);
    expect(stores.rows.map((row) => row.name)).toEqual(['旗舰店', '旗舰店（迁出公司）']);
    const roles = await to.call(listRoles, {});
    expect(roles.map((role) => role.name)).toEqual(expect.arrayContaining(['采购', '采购（迁出公司）']));
    const notes = await admin.query('SELECT title FROM kit.timeline WHERE company_id = $1', [to.companyId]);
    expect(notes.rows).toEqual([{ title: '一路跟随' }]);
    const sequence = await admin.query('SELECT last FROM kit.sequence WHERE company_id = $1', [to.companyId]);
    expect(sequence.rows).toEqual([{ last: 9 }]);
  });

  test('its log stays sealed where it was, and both logs say what happened', async () => {
    const lines = await admin.query<{ company_id: string; action: string }>(
      `SELECT company_id, action FROM kit.audit WHERE action LIKE '%账号迁移%' ORDER BY at`,
    );
    expect(lines.rows.filter((row) => [from.companyId, to.companyId].includes(row.company_id))).toEqual([
      { company_id: from.companyId, action: '申请账号迁移' },
      { company_id: from.companyId, action: '账号迁移：迁出' },
      { company_id: to.companyId, action: '账号迁移：迁入' },
    ]);
    for (const { companyId } of [from, to]) expect(await sealed(companyId)).toMatch(/^完整，共[1-9]\d*条$/);
  });

  test('files can be read in the target', async () => {
    const row = await admin.query('SELECT sha256 FROM kit.file WHERE company_id = $1 AND id = $2', [
      to.companyId,
      fileId,
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of world.runtime.files.open(to.companyId, row.rows[0].sha256)) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('原始报表');
  });

  test('people log in as before and are at home in the target; the old sessions say why they ended', async () => {
    const answer = await from.send(userInfo, {});
    expect([answer.status, answer.msg]).toEqual([401, '公司数据已迁入“目标公司”，请重新登录']);
    const session = await sessionOf(world.app, accountOf(from));
    const response = await world.app.inject({
      method: 'GET',
      url: '/api/admin/api/v1/users/info',
      headers: { jsessionid: session },
    });
    const { data } = response.json();
    expect([data.id, data.company, data.usertype]).toEqual([from.userId, '目标公司', 'member']);
  });

  test('the owner of the target reads it there, whole, and nobody else does', async () => {
    const { companies } = await to.call(operlogOptions, {});
    expect(companies).toEqual([{ value: from.companyId, label: '迁出公司' }]);
    const filter = { company: from.companyId };
    const log = await to.call(listOperlog, { body: { filter, pagesize: 100 } });
    expect(log.records.map((row) => row.action)).toEqual(expect.arrayContaining(['账号迁移：迁出', '申请账号迁移']));
    const one = await to.call(operlogDetail, { params: { id: log.records.at(-1)?.id ?? '' } });
    expect([one.sealed, one.actorName]).toEqual([true, '管理员']);
    const own = await to.call(listOperlog, { body: { pagesize: 100 } });
    expect(own.records.map((row) => row.action)).not.toContain('账号迁移：迁出');
    const stranger = await world.owner();
    expect((await stranger.send(listOperlog, { body: { filter } })).status).toBe(404);
    expect((await stranger.send(operlogDetail, { params: { id: one.id } })).status).toBe(404);
    expect((await to.send(exportOperlog, { body: { filter, format: 'csv' } })).msg).toContain('仅支持查看');
  });

  test('the owner of the target is told, and what there is to do', async () => {
    const { rows } = await admin.query(
      `SELECT m.title, m.content FROM message.message m JOIN message.inbox i USING (company_id)
        WHERE m.company_id = $1 AND i.message_id = m.id AND i.user_id = $2`,
      [to.companyId, to.userId],
    );
    expect(rows).toEqual([expect.objectContaining({ title: '“迁出公司”已迁入本公司' })]);
    expect(rows[0].content).toContain('请在子账号中为其分配角色');
  });

  test('it cannot be done twice', async () => {
    await expect(mergeCompanies(world.runtime, systemPrincipal(from.companyId), to.companyId)).rejects.toThrow(
      '公司已停用或已迁移，无法迁移',
    );
  });
});
