import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as desk from '#modules/approval/contract/desk.ts';
import { runDue } from '#modules/approval/server/engine/due.ts';
import { dueOf } from '#modules/approval/server/engine/save.ts';
import { inboundCalls } from '#modules/warehouse/contract/documents/inbound.ts';
import { createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { configure, draft, instanceOf, stateOf, step, submitted, switchOn, taskOf } from './support.ts';

let world: World;
let house: House;
let a: Person;
let b: Person;
const overdue = { hours: 1, clock: 'natural' as const };

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A']);
  [a, b] = [await world.member(house.owner, []), await world.member(house.owner, [])];
  await switchOn(house.owner, [step('s', '审批', [a, b])]);
});
afterAll(() => world.close());

/** Another definition for what is handed in from now on. */
async function flow(steps: Parameters<typeof switchOn>[1], name: string): Promise<void> {
  await world.as(house.owner, (ctx) =>
    sql`UPDATE approval.flow SET state = 'disabled' WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
  await switchOn(house.owner, steps, {}, name);
}
const later = (hours: number) => new Date(worldClock().ms() + hours * 3_600_000).toISOString();

describe('several at once', () => {
  it('or-sign: of an agreement and a refusal at the same time exactly one wins, the other hears of it (example 13)', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id } = await submitted(house, 10 + n);
      const [ta, tb] = [await taskOf(a, id), await taskOf(b, id)];
      const answers = await Promise.all([
        a.send(desk.approveTask, { body: { taskId: ta } }),
        b.send(desk.rejectTask, { body: { taskId: tb, comment: '不行' } }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.msg).toBe('该审批已被处理');
      expect(await stateOf(house, id)).toBe(answers[0]?.status === 200 ? 'receiving' : 'rejected');
    }
  });

  it('approve against cancel: the document ends in one way, and its approval with it', async () => {
    const { id } = await submitted(house);
    const taskId = await taskOf(a, id);
    const [yes, gone] = await Promise.all([
      a.send(desk.approveTask, { body: { taskId } }),
      house.clerk.send(inboundCalls.cancel, { body: { id } }),
    ]);
    // Cancelling stays possible after the approval as well, as long as nothing has come.
    expect([yes.status, gone.status]).toContain(200);
    expect(['cancelled', 'receiving']).toContain(await stateOf(house, id));
    const view = await house.clerk.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(['approved', 'terminated']).toContain(view.state);
    expect(view.tasks.filter(({ state }) => state === 'pending')).toEqual([]);
  });

  it('an act whose document cannot follow leaves nothing behind', async () => {
    const { id } = await submitted(house);
    const taskId = await taskOf(a, id);
    await world.as(house.owner, (ctx) =>
      sql`UPDATE warehouse.document SET state = 'done' WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
        ctx.db,
      ),
    );
    expect((await a.send(desk.approveTask, { body: { taskId } })).code).not.toBe(201);
    expect(await taskOf(a, id)).toBe(taskId);
    const view = await a.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(view.log.map(({ action }) => action)).toEqual(['submit']);
  });
});

describe('time', () => {
  it('a step of 8 working hours before the October holidays is due after them (example 8)', async () => {
    const due = await world.as(house.owner, (ctx) =>
      dueOf(ctx, { hours: 8, clock: 'working', action: 'remind' }, '2026-09-30T09:30:00.000Z'),
    );
    expect(due).toEqual({ remindAt: '2026-10-08T06:00:00.000Z', dueAt: '2026-10-08T10:00:00.000Z' });
  });

  it('reminds at half, and agrees, refuses or passes it on at the end, once', async () => {
    await flow([step('s', '限时同意', [a], { due: { ...overdue, action: 'approve' } })], '超时同意');
    const agreed = await submitted(house);
    await runDue(world.runtime, later(0.6));
    expect(await stateOf(house, agreed.id)).toBe('pending');
    await runDue(world.runtime, later(1.1));
    expect(await stateOf(house, agreed.id)).toBe('receiving');

    await flow([step('s', '限时拒绝', [a], { due: { ...overdue, action: 'reject' } })], '超时拒绝');
    const refused = await submitted(house);
    await runDue(world.runtime, later(1.1));
    expect(await stateOf(house, refused.id)).toBe('rejected');

    await flow([step('s', '限时转交', [a], { due: { ...overdue, action: 'leader' } })], '超时转交');
    const passed = await submitted(house);
    await runDue(world.runtime, later(1.1));
    // Nobody leads the approver: his time-out goes to the administrator, the owner of the company.
    await house.owner.call(desk.approveTask, { body: { taskId: await taskOf(house.owner, passed.id) } });
    expect(await stateOf(house, passed.id)).toBe('receiving');
    expect(await runDue(world.runtime, later(100))).toBe(0);
  });

  it('reminds only, where the step says so, and stays open', async () => {
    await flow([step('s', '仅提醒', [a], { due: { ...overdue, action: 'remind' } })], '仅提醒');
    const { id } = await submitted(house);
    expect(await runDue(world.runtime, later(1.1))).toBe(1);
    expect(await runDue(world.runtime, later(2))).toBe(0);
    await a.call(desk.approveTask, { body: { taskId: await taskOf(a, id) } });
  });
});

it('a time-out passes nobody his own document: it is reminded of instead', async () => {
  await flow([step('s', '限时转交', [a], { due: { ...overdue, action: 'leader' } })], '本人超时');
  const { id } = await draft(house);
  await house.owner.call(inboundCalls.submit, { body: { id } });
  // The owner looks after the flows, and nobody leads the approver: there is nobody else above him.
  await runDue(world.runtime, later(1.1));
  await expect(taskOf(house.owner, id)).rejects.toThrow('nothing to decide');
  await a.call(desk.approveTask, { body: { taskId: await taskOf(a, id) } });
  expect(await stateOf(house, id)).toBe('receiving');
});

it('a task that is taken back counts its time anew', async () => {
  await flow([step('s', '一审', [a], { due: { ...overdue, action: 'remind' } }), step('t', '二审', [b])], '拿回');
  const { id } = await submitted(house);
  await runDue(world.runtime, later(1.1));
  await a.call(desk.approveTask, { body: { taskId: await taskOf(a, id) } });
  const { records } = await a.call(desk.deskList, { body: { filter: { tab: 'done' }, pagesize: 100 } });
  const instanceId = records.find((one) => one.docId === id)?.instanceId ?? '';
  await a.call(desk.takeBack, { body: { instanceId } });
  expect(await runDue(world.runtime, later(2.3))).toBe(1);
});

it('a step that stands still is given to somebody', async () => {
  await flow([step('s', '无人', [], { who: [{ from: 'chosen' }], empty: 'suspend' })], '挂起');
  await configure(house.owner, { withdraw: 'always' });
  const saved = await draft(house);
  await house.owner.call(inboundCalls.submit, { body: { id: saved.id } });
  const instanceId = await instanceOf(house.owner, saved.id);
  expect((await house.owner.call(desk.readInstance, { params: { id: instanceId } })).state).toBe('suspended');
  await house.owner.call(desk.reassign, { body: { instanceId, nodeKey: 's', people: [b.userId] } });
  await b.call(desk.approveTask, { body: { taskId: await taskOf(b, saved.id) } });
  expect(await stateOf(house, saved.id)).toBe('receiving');
});

it('the maker picks people for the steps that leave it to him, before he hands the document in', async () => {
  const saved = await draft(house);
  const way = await house.owner.call(desk.preview, { query: { docType: 'warehouse.inbound', docId: saved.id } });
  expect(way.path[0]).toMatchObject({ choosable: true, open: true });
  await house.owner.call(desk.choosePeople, {
    body: { docType: 'warehouse.inbound', docId: saved.id, nodeKey: 's', people: [a.userId] },
  });
  await house.owner.call(inboundCalls.submit, { body: { id: saved.id } });
  await a.call(desk.approveTask, { body: { taskId: await taskOf(a, saved.id) } });
  expect(await stateOf(house, saved.id)).toBe('receiving');
});
