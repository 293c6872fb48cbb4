import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extend } from '#kit/server/extension.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { defineModule } from '#kit/server/module.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { countJobs, jobLog, listJobs, sysProgress } from '../contract/jobs.ts';
import {
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  saveSchedule,
  scheduleRuns,
} from '../contract/schedules.ts';
import { cancelTask, retryTask } from '../contract.ts';
import { sealHandler } from '../server/operlog/verify-task.ts';
import { cronProblem, nextFiring, type ScheduleHandler, schedules } from '../server/tasks/handlers.ts';
import { fire, tick } from '../server/tasks/tick.ts';

let world: World;
let owner: Person;
let other: Person;
const ran: string[] = [];

const counted: ScheduleHandler = {
  key: 'test.count',
  title: '计数',
  group: '测试',
  description: '记下每次执行',
  scope: 'company',
  defaultCron: '*/5 * * * *',
  async run(_runtime, { companyId, fireTime }) {
    if (ran.includes('broken')) throw new Error('broken');
    ran.push(`${companyId} ${fireTime}`);
    return '完成';
  },
};

beforeAll(async () => {
  world = await createWorld();
  // The same world with one more handler, as a module would bring it.
  const extra = defineModule({ name: 'test', title: '测试', needs: [], extensions: [extend(schedules, counted)] });
  Object.assign(world.runtime, { modules: [...world.runtime.modules, extra] });
  owner = await world.owner();
  other = await world.owner();
  await tick(world.runtime);
});
afterAll(() => world.close());

const list = async (who = owner) => (await who.call(listSchedules, { body: { filter: {} } })).records;
const counter = async (who = owner) => {
  const row = (await list(who)).find((each) => each.title === '计数');
  if (!row) throw new Error('no schedule');
  return row;
};
const MIN = 60_000;

describe('long tasks', () => {
  test("everybody's are listed for whoever looks after them, with a log; others see their own progress", async () => {
    const member = await world.member(owner, []);
    const keeper = await world.member(owner, ['sys:task:view', 'sys:task:run']);
    const id = await world.as(member, (ctx) => startTask(ctx, 'nowhere', '导出订单', {}));
    const page = await keeper.call(listJobs, { body: { filter: { search: '导出订单' } } });
    expect(page.records).toMatchObject([{ id, state: 'queued', mine: false, progress: 0 }]);
    expect((await keeper.call(countJobs, { body: {} })).queued).toBe(1);
    expect(await member.call(sysProgress, { query: { key: id } })).toMatchObject({ key: id, state: 'queued' });
    expect((await keeper.send(sysProgress, { query: { key: id } })).status).toBe(404);
    expect((await member.send(listJobs, { body: {} })).status).toBe(403);
    expect((await other.send(jobLog, { params: { id } })).status).toBe(404);
    expect((await other.send(cancelTask, { params: { id } })).status).toBe(404);
    const stranger = await world.member(owner, ['sys:task:view']);
    expect((await stranger.send(cancelTask, { params: { id } })).status).toBe(404);
    await keeper.call(cancelTask, { params: { id } });
    await keeper.call(retryTask, { params: { id } });
    const log = await keeper.call(jobLog, { params: { id } });
    expect(log.map((line) => line.state)).toEqual(['queued', 'cancelled', 'queued']);
    expect((await keeper.send(retryTask, { params: { id } })).status).toBe(404);
    expect((await keeper.send(jobLog, { params: { id: randomUUID() } })).status).toBe(404);
    expect((await member.send(sysProgress, { query: { key: 'x' } })).status).toBe(400);
  });

  test('progress makes a line now and then, a change of state always', async () => {
    const id = await world.as(owner, (ctx) => startTask(ctx, 'nowhere', '长任务', {}));
    await world.as(owner, async (ctx) => {
      const set = (values: object) => ctx.db.updateTable('kit.task').set(values).where('id', '=', id).execute();
      await set({ state: 'running', attempts: 1 });
      for (let n = 1; n <= 20; n += 1) await set({ progress: n, detail: `${n} 行` });
      await set({ state: 'failed', error: '文件格式不支持' });
    });
    const log = await owner.call(jobLog, { params: { id } });
    expect(log.map((line) => [line.state, line.text])).toEqual([
      ['queued', null],
      ['running', null],
      ['failed', '文件格式不支持'],
    ]);
  });
});

describe('schedules', () => {
  test('every company has those of the modules, the product its own', async () => {
    expect((await list()).map((row) => [row.title, row.group, row.cron, row.state])).toEqual([
      ['操作日志封存与校验', '安全', '30 2 * * *', 'active'],
      ['供应商季度评分', '采购', '30 2 * * *', 'active'],
      ['计数', '测试', '*/5 * * * *', 'active'],
      ['自动配对', '产品', '40 3 * * *', 'paused'],
      ['店铺授权到期提醒', '授权', '0 9 * * *', 'active'],
    ]);
    const row = await counter();
    expect(Date.parse(row.nextRunAt ?? '')).toBeGreaterThan(worldClock().ms());
    expect(row.lastState).toBeNull();
  });

  test('two processes that look at the same time queue one firing once', async () => {
    const at = new Date(Date.parse((await counter()).nextRunAt ?? '') + 1000);
    await Promise.all([tick(world.runtime, at), tick(world.runtime, at), tick(world.runtime, at)]);
    expect(await tick(world.runtime, at)).toBe(0);
    const runs = await owner.call(scheduleRuns, { query: { id: (await counter()).id } });
    expect(runs.map((run) => run.state)).toEqual(['queued']);
  });

  test('a firing runs once, and says what came of it', async () => {
    const { id } = await counter();
    const [run] = await owner.call(scheduleRuns, { query: { id } });
    const payload = { companyId: owner.companyId, scheduleId: id, fireTime: run?.fireTime ?? '' };
    await fire(world.runtime, payload);
    await fire(world.runtime, payload);
    expect(ran).toEqual([`${owner.companyId} ${payload.fireTime}`]);
    expect(await counter()).toMatchObject({ lastState: 'done', lastResult: '完成' });
  });

  test('what was missed fires once, late', async () => {
    const before = (await counter()).nextRunAt ?? '';
    const later = new Date(Date.parse(before) + 60 * MIN);
    await tick(world.runtime, later);
    const runs = await owner.call(scheduleRuns, { query: { id: (await counter()).id } });
    expect(runs).toHaveLength(2);
    expect(Date.parse((await counter()).nextRunAt ?? '')).toBeGreaterThan(later.getTime());
  });

  test('a handler that fails three times is shown as failed, without its inner words', async () => {
    const { id } = await counter();
    const [run] = await owner.call(scheduleRuns, { query: { id } });
    const payload = { companyId: owner.companyId, scheduleId: id, fireTime: run?.fireTime ?? '' };
    ran.push('broken');
    await expect(fire(world.runtime, payload)).rejects.toThrow('broken');
    await expect(fire(world.runtime, payload)).rejects.toThrow('broken');
    await fire(world.runtime, payload);
    expect(await counter()).toMatchObject({ lastState: 'failed', lastResult: '执行失败，详情见服务日志' });
    ran.pop();
  });

  test('paused it stays silent; resumed it goes on; run by hand it runs at once', async () => {
    const { id } = await counter(other);
    await other.call(pauseSchedule, { body: { id } });
    expect(await counter(other)).toMatchObject({ state: 'paused', nextRunAt: null });
    expect((await other.send(pauseSchedule, { body: { id } })).msg).toBe('任务已暂停');
    await other.call(resumeSchedule, { body: { id } });
    expect((await counter(other)).state).toBe('active');
    expect((await other.send(runSchedule, { body: { id } })).msg).toBe('「计数」正在执行，请等待完成');
  });

  test('a worker takes what was asked for by hand', async () => {
    const { id } = await counter();
    await owner.call(runSchedule, { body: { id } });
    await world.work();
    const byHand = async () =>
      (await owner.call(scheduleRuns, { query: { id } })).find((run) => run.askedBy === '管理员');
    for (let n = 0; n < 100 && (await byHand())?.state !== 'done'; n += 1) await sleep(100);
    expect(await byHand()).toMatchObject({ state: 'done', result: '完成' });
  });

  test('the log is sealed and checked for a company', async () => {
    const firing = { companyId: owner.companyId, fireTime: worldClock().now().toISOString() };
    expect(await sealHandler.run(world.runtime, firing)).toMatch(/^完整，共\d+条$/);
  });

  test('a pattern that cannot be read, and a schedule of others, are refused', async () => {
    const { id, version } = await counter();
    const save = (cron: string, more = {}) =>
      owner.send(saveSchedule, { body: { id, cron, timeZone: 'Asia/Shanghai', ...more } });
    expect((await save('每天')).msg).toContain('不是有效的 cron 表达式');
    expect((await save('* * * * * *')).status).toBe(400);
    expect((await save('0 0 31 2 *')).status).toBe(400);
    expect((await save('0 3 * * *', { timeZone: 'Mars/Base' })).status).toBe(400);
    const good = await save('0 3 * * 1-5', { version });
    expect([good.code, (await counter()).cron]).toEqual([201, '0 3 * * 1-5']);
    expect((await save('0 4 * * *', { version })).status).toBe(409);
    for (const endpoint of [runSchedule, pauseSchedule, resumeSchedule]) {
      expect((await other.send(endpoint, { body: { id } })).status).toBe(404);
    }
    expect((await other.send(scheduleRuns, { query: { id } })).status).toBe(404);
    const member = await world.member(owner, ['sys:task:view']);
    expect((await member.send(runSchedule, { body: { id } })).status).toBe(403);
    expect((await member.send(listSchedules, { body: {} })).status).toBe(200);
  });

  test('the next firing lies after now and before the one after it, whatever the zone', () => {
    const zones = fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Europe/London', 'UTC');
    const crons = fc.constantFrom('* * * * *', '*/7 3 * * *', '30 2 * * *', '0 0 1 * *', '15 1 * * 0');
    const moments = fc.date({ min: new Date('2025-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(crons, zones, moments, (cron, zone, now) => {
        const next = nextFiring(cron, zone, now);
        expect(next.getTime()).toBeGreaterThan(now.getTime());
        expect(next.getUTCSeconds()).toBe(0);
        expect(nextFiring(cron, zone, next).getTime()).toBeGreaterThan(next.getTime());
      }),
      { numRuns: 60 },
    );
    expect(cronProblem('0 2 * * *', 'Asia/Shanghai', new Date('2026-11-18T02:00:00Z'))).toBeUndefined();
  });
});
