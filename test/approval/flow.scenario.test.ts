import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDelegation } from '#modules/approval/contract/delegation.ts';
import * as desk from '#modules/approval/contract/desk.ts';
import { publishFlow, readFlow, saveFlow } from '#modules/approval/contract/flows.ts';
import { disableSubUsers, handOver } from '#modules/identity/contract/sub-users.ts';
import { passOnExpired } from '#modules/identity/server/organisation/people/expired.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { inboundCalls } from '#modules/warehouse/contract/documents/inbound.ts';
import { balances, createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { configure, draft, INBOUND, instanceOf, stateOf, step, submitted, switchOn, taskOf } from './support.ts';

/** May write receipts and hand them in. */
const MAKER = ['erp:inv:view', 'erp:wh:in:add'];

let world: World;
let house: House;
let lead: Person;
let finance: Person;
let boss: Person;

const yes = async (person: Person, docId: string, comment = '') =>
  person.call(desk.approveTask, { body: { taskId: await taskOf(person, docId), comment } });

/** How many messages that somebody has not read are about the document. */
async function unreadAbout(person: Person, docId: string): Promise<number> {
  const { records } = await person.call(getRemind, { body: { filter: {} } });
  return records.filter((one) => one.documentId === docId && one.state === 'unread').length;
}

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A']);
  [lead, finance, boss] = [
    await world.member(house.owner, []),
    await world.member(house.owner, []),
    await world.member(house.owner, []),
  ];
});
afterAll(() => world.close());

describe('a document that flows approve', () => {
  it('stays as it was until the company switches flows on', async () => {
    const { id } = await submitted(house);
    expect((await house.chief.call(inboundCalls.approve, { body: { id } })).state).toBe('receiving');
  });

  it('goes by its amount from the lead over finance and warehouse at once to the boss, and then waits for its goods', async () => {
    await switchOn(house.owner, [
      {
        key: 'b1',
        type: 'branch',
        name: '金额',
        cases: [
          {
            name: '五万以上',
            when: { join: 'all', rules: [{ field: 'amountBase', op: 'gte', value: '50000.00' }] },
            steps: [
              step('a1', '采购主管', [lead]),
              {
                key: 'p1',
                type: 'parallel',
                name: '会审',
                branches: [
                  { name: '财务', steps: [step('a2', '财务', [finance])] },
                  { name: '仓库', steps: [step('a3', '仓库', [house.keeper])] },
                ],
              },
              step('a4', '老板', [boss]),
            ],
          },
          { name: '其余', when: null, steps: [step('a5', '主管审批', [lead])] },
        ],
      },
    ]);
    const { id } = await submitted(house, 1000, '87.9431');
    expect(await stateOf(house, id)).toBe('pending');
    await expect(house.chief.call(inboundCalls.approve, { body: { id } })).rejects.toThrow(
      '单据审批中，请在审批中处理',
    );
    await expect(house.chief.call(inboundCalls.reject, { body: { id, reason: '不要' } })).rejects.toThrow('单据审批中');
    expect(await unreadAbout(lead, id)).toBe(1);
    await yes(lead, id, '价格可以');
    expect([await unreadAbout(lead, id), await unreadAbout(finance, id)]).toEqual([0, 1]);
    expect((await finance.call(desk.deskCount, { body: {} })).todo).toBe(1);
    await yes(house.keeper, id);
    await expect(yes(boss, id)).rejects.toThrow('nothing to decide');
    await yes(finance, id);
    const { EXPECTED: before = 0 } = await balances(world, house, 'A');
    expect((await yes(boss, id)).state).toBe('approved');
    expect(await stateOf(house, id)).toBe('receiving');
    expect((await balances(world, house, 'A')).EXPECTED).toBe(before + 1000);
    const view = await house.clerk.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(view.amountBase).toBe('87943.10');
    const packer = await world.member(house.owner, ['erp:inv:view']);
    const seen = await packer.call(desk.documentApproval, { query: { docType: INBOUND, docId: id } });
    expect([seen.current?.state, seen.current?.amount, seen.current?.amountBase]).toEqual(['approved', null, null]);
    expect(view.path.map(({ name, state }) => `${name} ${state}`)).toEqual([
      '采购主管 done',
      '财务 done',
      '仓库 done',
      '老板 done',
    ]);
    expect(view.log.map(({ title }) => title)).toEqual(['审批结束', '同意', '同意', '同意', '同意', '提交']);
  });

  it('takes the other branch below, and a small document needs nobody', async () => {
    const { id } = await submitted(house, 10, '2');
    expect((await yes(lead, id)).state).toBe('approved');
    await configure(house.owner, { exempt: { join: 'all', rules: [{ field: 'amountBase', op: 'lt', value: '10' }] } });
    const free = await submitted(house, 1, '2');
    expect([free.state, free.version]).toEqual(['receiving', 2]);
    await configure(house.owner, {});
  });

  it('is returned with a reason, changed and handed in again; the next to look at it sees what changed', async () => {
    const { id } = await submitted(house, 10, '2');
    const taskId = await taskOf(lead, id);
    await expect(lead.call(desk.returnTask, { body: { taskId, comment: ' ' } })).rejects.toThrow('请填写审批意见');
    await lead.call(desk.returnTask, { body: { taskId, comment: '数量太多', toNode: null } });
    expect(await stateOf(house, id)).toBe('rejected');
    const { document, lines } = await house.clerk.call(inboundCalls.data, { params: { id } });
    await house.owner.call(inboundCalls.save, {
      body: {
        id,
        version: document.version,
        warehouseId: house.main,
        lines: [{ productId: lines[0]?.productId ?? '', qty: 4, unitCost: '2' }],
      },
    });
    await house.clerk.call(inboundCalls.submit, { body: { id } });
    const view = await lead.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(view.changes).toContainEqual({ label: '数量', before: '10', after: '4' });
    expect((await yes(lead, id)).state).toBe('approved');
  });

  it('is decided by a delegate in the name of who is away, up to the amount that was given', async () => {
    const now = worldClock().ms();
    const times = { startsAt: new Date(now - 1000).toISOString(), endsAt: new Date(now + 86_400_000).toISOString() };
    await expect(
      lead.call(addDelegation, {
        body: { toId: boss.userId, ...times, endsAt: new Date(now + 60 * 86_400_000).toISOString() },
      }),
    ).rejects.toThrow('委托期最长30天');
    await lead.call(addDelegation, { body: { toId: boss.userId, amountMax: '1000', docTypes: [INBOUND], ...times } });
    const { id } = await submitted(house, 10, '2');
    await yes(boss, id);
    const view = await boss.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    const away = await world.as(lead, async (ctx) => {
      const { name } = await ctx.db
        .selectFrom('identity.member')
        .select('name')
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', lead.userId)
        .executeTakeFirstOrThrow();
      return name;
    });
    expect(view.log.find(({ action }) => action === 'approve')?.principalName).toBe(away);
    const dear = await submitted(house, 10, '200');
    await yes(lead, dear.id);
    await world.as(lead, (ctx) =>
      sql`UPDATE approval.delegation SET revoked_at = kit.now() WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
  });

  it('is taken back by its maker before anybody acts, and by its approver before the next one does', async () => {
    const { id } = await submitted(house, 10, '2');
    const instanceId = await instanceOf(house.clerk, id);
    await expect(lead.call(desk.withdraw, { body: { instanceId } })).rejects.toThrow('只有发起人可以操作');
    await house.clerk.call(desk.withdraw, { body: { instanceId } });
    expect(await stateOf(house, id)).toBe('draft');
    const big = await submitted(house, 1000, '90');
    await yes(lead, big.id);
    const running = await instanceOf(house.clerk, big.id);
    await expect(house.clerk.call(desk.withdraw, { body: { instanceId: running } })).rejects.toThrow(
      '审批人已处理，不能撤回',
    );
    await lead.call(desk.takeBack, { body: { instanceId: running } });
    expect((await finance.call(desk.deskCount, { body: {} })).todo).toBe(0);
    await yes(lead, big.id);
    await yes(finance, big.id);
    await expect(lead.call(desk.takeBack, { body: { instanceId: running } })).rejects.toThrow('不能拿回');
    await house.clerk.call(inboundCalls.cancel, { body: { id: big.id } });
    const view = await house.clerk.call(desk.readInstance, { params: { id: running } });
    expect(view.state).toBe('terminated');
    expect(await stateOf(house, big.id)).toBe('cancelled');
  });

  it('is refused by whoever may: strangers see nothing, makers do not decide, urging has its time', async () => {
    const { id } = await submitted(house, 10, '2');
    const instanceId = await instanceOf(house.clerk, id);
    const taskId = await taskOf(lead, id);
    expect((await boss.send(desk.readInstance, { params: { id: instanceId } })).status).toBe(404);
    expect((await boss.send(desk.approveTask, { body: { taskId } })).status).toBe(404);
    await expect(lead.call(desk.transferTask, { body: { taskId, to: house.clerk.userId } })).rejects.toThrow(
      '不能审批本人提交的单据',
    );
    await house.clerk.call(desk.urge, { body: { instanceId } });
    await expect(house.clerk.call(desk.urge, { body: { instanceId } })).rejects.toThrow('2小时内只能催办一次');
    await lead.call(desk.transferTask, { body: { taskId, to: boss.userId } });
    await boss.call(desk.rejectTask, { body: { taskId: await taskOf(boss, id), comment: '不需要' } });
    expect(await stateOf(house, id)).toBe('rejected');
    const other = await world.owner();
    expect((await other.send(desk.readInstance, { params: { id: instanceId } })).status).toBe(404);
  });

  it('is agreed to in bulk where the kind allows it, each by itself', async () => {
    const [a, b] = [await submitted(house, 10, '2'), await submitted(house, 11, '2')];
    const taskIds = [await taskOf(lead, a.id), await taskOf(lead, b.id)];
    await lead.call(desk.approveTask, { body: { taskId: taskIds[0] ?? '' } });
    const results = await lead.call(desk.batchApprove, { body: { taskIds } });
    expect(results.map(({ ok, msg }) => [ok, msg.replace(/^RK\d+/, 'RK')])).toEqual([
      [false, '该审批已被处理'],
      [true, 'RK 已同意，已通过'],
    ]);
  });

  it('is looked at again where its content is not what was handed in', async () => {
    const { id } = await submitted(house, 10, '2');
    await world.as(house.owner, (ctx) =>
      sql`UPDATE warehouse.document_line SET qty = 99 WHERE company_id = ${ctx.companyId} AND document_id = ${id}`.execute(
        ctx.db,
      ),
    );
    const answer = await lead.send(desk.approveTask, { body: { taskId: await taskOf(lead, id) } });
    expect([answer.status, answer.msg]).toEqual([409, '单据内容已变化，请刷新后再审批']);
    expect(await stateOf(house, id)).toBe('pending');
  });

  it('cannot be handed in where no flow fits, and shows its way before', async () => {
    const saved = await draft(house, 10, '2');
    const way = await house.owner.call(desk.preview, { query: { docType: INBOUND, docId: saved.id } });
    expect(way.path.map(({ name, state }) => `${name} ${state}`)).toEqual(['主管审批 todo']);
    await world.as(house.owner, (ctx) =>
      sql`UPDATE approval.flow SET state = 'disabled' WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
    await expect(house.clerk.call(inboundCalls.submit, { body: { id: saved.id } })).rejects.toThrow(
      '未找到匹配的审批流程，请联系管理员',
    );
    expect(await stateOf(house, saved.id)).toBe('draft');
    await world.as(house.owner, (ctx) =>
      sql`UPDATE approval.flow SET state = 'published' WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
  });

  it('prefers the flow of its own warehouse, and one that was published later keeps those under way as they are', async () => {
    const { id, version } = await house.owner.call(saveFlow, {
      body: {
        name: '义乌仓',
        docType: INBOUND,
        scope: 'warehouse',
        scopeIds: [house.second],
        definition: { steps: [step('s', '老板', [boss])] },
      },
    });
    const published = await house.owner.call(publishFlow, { params: { id }, body: { version } });
    const doc = await submitted(house, 10, '2', house.second);
    const bad = await house.owner.call(saveFlow, {
      body: {
        id,
        version: published.version,
        name: '义乌仓',
        docType: INBOUND,
        scope: 'warehouse',
        scopeIds: [house.second],
        definition: { steps: [step('s', '老板', [])] },
      },
    });
    await expect(house.owner.call(publishFlow, { params: { id }, body: { version: bad.version } })).rejects.toThrow(
      '节点「老板」未选择成员',
    );
    expect((await house.owner.call(readFlow, { params: { id } })).changed).toBe(true);
    await yes(boss, doc.id);
    expect(await stateOf(house, doc.id)).toBe('receiving');
  });

  const LEAVE = [
    {
      way: 'was disabled',
      leave: (gone: Person) => house.owner.call(disableSubUsers, { params: { ids: gone.userId } }),
    },
    {
      way: 'reached the last day of his account',
      leave: async (gone: Person) => {
        await world.as(house.owner, async (ctx) => {
          await sql`UPDATE identity.member SET expire_date = kit.today() - 3 WHERE id = ${gone.userId}`.execute(ctx.db);
        });
        expect([await passOnExpired(world.runtime), await passOnExpired(world.runtime)]).toEqual([1, 0]);
      },
    },
  ];
  it.each(LEAVE)('waits for nobody who $way: whoever stands in for him is asked', async ({ leave }) => {
    const { owner } = house;
    const gone = await world.member(owner, []);
    const { id } = await submitted(house);
    await lead.call(desk.transferTask, { body: { taskId: await taskOf(lead, id), to: gone.userId } });
    expect((await owner.call(desk.deskCount, { body: {} })).todo).toBe(0);
    await leave(gone);
    const view = await owner.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(view.log[0]).toMatchObject({ title: '改派', detail: expect.stringMatching(/ 已停用，改由 .+ 处理$/) });
    const { records } = await owner.call(getRemind, { body: {} });
    expect(records[0]?.title).toMatch(/ 待您审批（代.+）$/);
    expect((await yes(owner, id)).state).toBe('approved');
  });

  it('passes to whoever takes over from a leaver, who never decides about what is his own by then', async () => {
    const { owner, clerk } = house;
    const hand = (from: Person, to: Person) => owner.call(handOver, { body: { from: from.userId, to: to.userId } });
    const leaver = await world.member(owner, MAKER);
    const theirs = await submitted({ ...house, clerk: leaver });
    const asked = await taskOf(lead, theirs.id);
    await hand(leaver, lead);
    await expect(taskOf(lead, theirs.id)).rejects.toThrow('nothing to decide');
    expect((await lead.send(desk.approveTask, { body: { taskId: asked } })).code).not.toBe(201);
    await lead.call(desk.urge, { body: { instanceId: await instanceOf(lead, theirs.id) } });
    expect(await stateOf(house, theirs.id)).toBe('pending');
    expect((await yes(owner, theirs.id)).state).toBe('approved');

    const own = await submitted(house);
    const other = await submitted({
      ...house,
      clerk: await world.member(owner, MAKER),
    });
    await hand(lead, clerk);
    await expect(taskOf(clerk, own.id)).rejects.toThrow('nothing to decide');
    expect((await yes(owner, own.id)).state).toBe('approved');
    expect((await yes(clerk, other.id)).state).toBe('approved');
    expect((await owner.send(handOver, { body: { from: owner.userId, to: clerk.userId } })).msg).toBe(
      '不能交接自己名下的事项，请由其他管理员操作',
    );
  });
});
