import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentType } from '#kit/contract/document.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import type { Ctx } from '../context.ts';
import { type DocumentKind, type DocumentRow, note, timelineOf, transition } from '../document.ts';

interface Slip extends DocumentRow {
  amount: number;
}

const def = documentType({
  name: 'slip',
  title: '小单',
  number: 'S{yyMMdd}{seq:3}',
  detail: '/slips/details',
  states: {
    draft: { title: '草稿', tone: 'off' },
    reviewing: { title: '待审核', tone: 'waiting' },
    approved: { title: '已审核', tone: 'done' },
    void: { title: '已作废', tone: 'off' },
  },
  initial: 'draft',
  transitions: {
    submit: { title: '提交', from: ['draft'], to: 'reviewing', permission: 'erp:slip:submit' },
    approve: { title: '审核', from: ['reviewing'], to: 'approved', permission: 'erp:slip:approve' },
    reject: { title: '驳回', from: ['reviewing'], to: 'draft', permission: 'erp:slip:approve', reason: true },
    cancel: { title: '作废', from: ['draft', 'reviewing'], to: 'void', permission: 'erp:slip:void', reason: true },
  },
});

let effects: string[] = [];

const kind: DocumentKind<Slip> = {
  def,
  table: 'test.slip',
  load: async (ctx, id) =>
    (
      await sql<Slip>`SELECT id, state, version, amount FROM test.slip WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
        ctx.db,
      )
    ).rows[0],
  rules: {
    submit: { guard: async (_ctx, slip) => (slip.amount > 0 ? undefined : '金额必须大于0') },
    approve: {
      run: async (ctx, slip) => {
        effects.push(slip.id);
        await sql`UPDATE test.slip SET amount = amount + 1 WHERE company_id = ${ctx.companyId} AND id = ${slip.id}`.execute(
          ctx.db,
        );
        if (slip.amount === 666) throw new Error('effect failed');
      },
    },
  },
};

let world: World;
let owner: Person;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
  await admin.query(`
    CALL kit.module_schema('test');
    CREATE TABLE test.slip (company_id uuid NOT NULL, id uuid NOT NULL, state text NOT NULL, version int NOT NULL DEFAULT 0,
      amount int NOT NULL, PRIMARY KEY (company_id, id));
    CALL kit.tenant_table('test.slip')`);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

async function slip(state = 'draft', amount = 10, of = owner): Promise<string> {
  const id = randomUUID();
  await admin.query('INSERT INTO test.slip (company_id, id, state, amount) VALUES ($1, $2, $3, $4)', [
    of.companyId,
    id,
    state,
    amount,
  ]);
  return id;
}

async function rowOf(id: string) {
  const { rows } = await admin.query<Slip>('SELECT state, version, amount FROM test.slip WHERE id = $1', [id]);
  return rows[0];
}

const take = (id: string, name: string, input = {}, who = owner) =>
  world.as(who, (ctx) => transition(ctx, kind, id, name, input));

describe('the transition table', () => {
  const states = Object.keys(def.states);
  const cases = states.flatMap((state) => Object.keys(def.transitions).map((name) => [state, name] as const));

  test.each(cases)('from %s, %s', async (state, name) => {
    const id = await slip(state);
    const rule = def.transitions[name as keyof typeof def.transitions];
    const attempt = take(id, name, { reason: '因为' });
    if ((rule.from as readonly string[]).includes(state)) {
      expect(await attempt).toBe(rule.to);
      expect(await rowOf(id)).toMatchObject({ state: rule.to, version: 1 });
    } else {
      const title = def.states[state as keyof typeof def.states].title;
      await expect(attempt).rejects.toMatchObject({
        status: 409,
        message: `单据当前为「${title}」，不能${rule.title}`,
      });
      expect(await rowOf(id)).toMatchObject({ state, version: 0 });
    }
  });

  test('a way that does not exist is refused', async () => {
    await expect(take(await slip(), 'fly')).rejects.toMatchObject({ code: 400, data: { code: 'B0010' } });
  });
});

describe('what keeps a document from moving', () => {
  test('a missing right, whatever the state', async () => {
    const id = await slip();
    const attempt = world.as(owner, (ctx) =>
      transition({ ...ctx, permissions: new Set(['erp:slip:approve']) } as Ctx, kind, id, 'submit'),
    );
    await expect(attempt).rejects.toMatchObject({ status: 403, data: { code: 'A0301', perm: 'erp:slip:submit' } });
  });

  test('a version that somebody else changed', async () => {
    const id = await slip();
    await take(id, 'submit', { version: 0 });
    await expect(take(id, 'approve', { version: 0 })).rejects.toMatchObject({
      status: 409,
      message: '单据状态已变更，请刷新',
    });
    expect(await take(id, 'approve', { version: 1 })).toBe('approved');
  });

  test('a missing reason; blanks are none', async () => {
    const id = await slip('reviewing');
    await expect(take(id, 'reject')).rejects.toMatchObject({ message: '请填写原因' });
    await expect(take(id, 'reject', { reason: '  ' })).rejects.toMatchObject({ data: { code: 'B0011' } });
    expect(await take(id, 'reject', { reason: '价格不对' })).toBe('draft');
  });

  test('a guard, in its own words', async () => {
    const id = await slip('draft', 0);
    await expect(take(id, 'submit')).rejects.toMatchObject({ message: '金额必须大于0', data: { code: 'B0012' } });
    expect((await rowOf(id))?.state).toBe('draft');
  });

  test('belonging to another company: it does not exist', async () => {
    const other = await world.owner('另一家');
    await expect(take(await slip('draft', 10, other), 'submit')).rejects.toMatchObject({ status: 404 });
    await expect(take(randomUUID(), 'submit')).rejects.toMatchObject({ status: 404 });
  });
});

describe('together or not at all', () => {
  test('an effect that fails takes state, timeline and audit back with it', async () => {
    const id = await slip('reviewing', 666);
    await expect(take(id, 'approve')).rejects.toThrow('effect failed');
    expect(await rowOf(id)).toEqual({ state: 'reviewing', version: 0, amount: 666 });
    const left = await admin.query(
      'SELECT 1 FROM kit.timeline WHERE document_id = $1 UNION ALL SELECT 1 FROM kit.audit WHERE resource_id = $1::text',
      [id],
    );
    expect(left.rows).toEqual([]);
  });

  test('of ten approvals at once exactly one happens, and its effect once', async () => {
    effects = [];
    const id = await slip('reviewing');
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => take(id, 'approve')));
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ status: 409 });
    expect(effects).toEqual([id]);
    expect(await rowOf(id)).toEqual({ state: 'approved', version: 1, amount: 11 });
  });

  test('approve waits for a cancel that holds the row, and then sees what it did', async () => {
    const id = await slip('reviewing');
    let approved: Promise<unknown> = Promise.resolve();
    await world.as(owner, async (ctx) => {
      await transition(ctx, kind, id, 'cancel', { reason: '不要了' });
      approved = take(id, 'approve').catch((error: unknown) => error);
      await sleep(100);
    });
    expect(await approved).toMatchObject({ status: 409, message: '单据当前为「已作废」，不能审核' });
  });
});

test('the timeline tells the story, newest first, and the audit names who did it', async () => {
  const id = await slip();
  await take(id, 'submit');
  await world.as(owner, (ctx) => note(ctx, 'slip', id, { kind: 'comment', title: '评论', body: '快一点' }));
  await take(id, 'reject', { reason: '价格不对' });
  const story = await world.as(owner, (ctx) => timelineOf(ctx, 'slip', id));
  expect(
    story.map(({ kind: what, title, body, from, to, actorName }) => [what, title, body, from, to, actorName]),
  ).toEqual([
    ['transition', '驳回', '价格不对', 'reviewing', 'draft', '测试'],
    ['comment', '评论', '快一点', null, null, '测试'],
    ['transition', '提交', null, 'draft', 'reviewing', '测试'],
  ]);
  const { rows } = await admin.query(
    'SELECT action, actor_id, before, after FROM kit.audit WHERE resource_id = $1 ORDER BY id',
    [id],
  );
  expect(rows).toEqual([
    { action: '小单·提交', actor_id: owner.userId, before: { state: 'draft' }, after: { state: 'reviewing' } },
    {
      action: '小单·驳回',
      actor_id: owner.userId,
      before: { state: 'reviewing' },
      after: { state: 'draft', reason: '价格不对' },
    },
  ]);
  const other = await world.owner('旁观者');
  expect(await world.as(other, (ctx) => timelineOf(ctx, 'slip', id))).toEqual([]);
});
