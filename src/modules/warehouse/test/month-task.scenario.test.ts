import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskCancelled, type TaskHandle } from '#kit/server/jobs/define.ts';
import { cancelTask, myTasks, retryTask } from '#modules/system/contract.ts';
import { backToLastMonth, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { listPeriods, readStockSetting, saveStockSetting, setPeriodState } from '../contract/costs.ts';
import { listMonthCosts } from '../contract/month-costs.ts';
import { post } from '../server/index.ts';
import { closeMonthTask } from '../server/ledger/close-task.ts';
import { source } from './support.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** A company with a month to close: 20 pieces came for 40.00, 4 of them were sold for 4.00 so far. */
async function monthToClose(): Promise<{ house: House; month: string }> {
  const house = await createHouse(world, ['A']);
  const setting = await house.owner.call(readStockSetting, {});
  await house.owner.call(saveStockSetting, { body: { ...setting, valuation: 'MONTHLY' } });
  await stocked(world, house, 'A', 10, '1');
  await world.as(house.owner, (ctx) =>
    post(ctx, {
      source: source(),
      moves: [
        {
          product: productOf(house, 'A'),
          qty: 4,
          from: { warehouse: house.main, status: 'AVAILABLE' },
          to: 'CUSTOMER',
        },
      ],
    }),
  );
  await stocked(world, house, 'A', 10, '3');
  return { house, month: await backToLastMonth(world, house) };
}

const close = ({ owner }: House, month: string) => owner.call(setPeriodState, { body: { month, state: 'CLOSED' } });
const periodOf = async ({ owner }: House, month: string) =>
  (await owner.call(listPeriods, {})).find((row) => row.month === month);
const prices = async ({ owner }: House) => (await owner.call(listMonthCosts, { body: { filter: {} } })).records;

/** Everything that a closing writes, counted. */
async function written({ owner }: House): Promise<string> {
  const { rows } = await admin.query<{ n: string }>(
    `SELECT concat_ws(' ', (SELECT count(*) FROM warehouse.month_cost WHERE company_id = $1),
       (SELECT count(*) FROM warehouse.issue_cost WHERE company_id = $1),
       (SELECT count(*) FROM warehouse.stock_posting WHERE company_id = $1 AND source_type = 'warehouse.period'),
       (SELECT sum(restated) FROM warehouse.cost_layer WHERE company_id = $1)) AS n`,
    [owner.companyId],
  );
  return rows[0]?.n ?? '';
}

/** The worker's handle of a task, with a look at each step before it is told. */
function handleOf(house: House, id: string, atStep: (percent: number) => Promise<void> = async () => {}): TaskHandle {
  const { companyId, userId } = house.owner;
  return { id, companyId, userId, userName: '测试', dataScope: undefined, progress: (percent) => atStep(percent) };
}
const run = (handle: TaskHandle, month: string) =>
  closeMonthTask.run(world.runtime, handle, { month: `${month}-01` } as never);

describe('closing a month that is priced at its end', () => {
  it('writes nothing where it is called off at any step before the write', async () => {
    const { house, month } = await monthToClose();
    const before = await written(house);
    for (const step of [5, 40, 60]) {
      const { taskId } = await close(house, month);
      const id = taskId ?? '';
      const steps: number[] = [];
      const handle = handleOf(house, id, async (percent) => {
        steps.push(percent);
        if (percent === step) await admin.query('UPDATE kit.task SET cancel_requested = true WHERE id = $1', [id]);
      });
      await expect(run(handle, month)).rejects.toThrow(TaskCancelled);
      expect(steps.at(-1)).toBe(step);
      expect(await written(house)).toBe(before);
      await admin.query("UPDATE kit.task SET state = 'cancelled' WHERE id = $1", [id]);
    }
    expect(await periodOf(house, month)).toMatchObject({ state: 'OPEN' });
  });

  it('leaves nothing behind where its connection dies, and a second run finishes it; a third changes nothing', async () => {
    const { house, month } = await monthToClose();
    const before = await written(house);
    const { taskId } = await close(house, month);
    const dying = handleOf(house, taskId ?? '', async (percent) => {
      if (percent < 60) return;
      // Only the closing holds the gate alone.
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    });
    await expect(run(dying, month)).rejects.toThrow();
    expect(await written(house)).toBe(before);
    const handle = handleOf(house, taskId ?? '');
    expect(await run(handle, month)).toMatchObject({ result: { issues: 1, outgoing: '4.0000' } });
    const after = await written(house);
    expect(after).not.toBe(before);
    expect(await run(handle, month)).toMatchObject({ detail: '账期已关闭' });
    expect(await written(house)).toBe(after);
    // Somebody opened the month again: the old task has nothing more to say about it.
    await house.owner.call(setPeriodState, { body: { month, state: 'OPEN' } });
    await expect(run(handle, month)).rejects.toThrow('该账期已由其他操作处理，请刷新账期');
  });

  it('steps of the ledger refuse what they did not gather themselves', async () => {
    const { house, month } = await monthToClose();
    const begins = `${month}-01`;
    const price = (make: string) =>
      world.as(house.owner, async (ctx) => {
        if (make) await sql.raw(make).execute(ctx.db);
        await sql`SELECT warehouse.month_price(${JSON.stringify({ month: begins })}::jsonb)`.execute(ctx.db);
      });
    await expect(price('')).rejects.toThrow('month was not gathered');
    const own = `CREATE TEMP TABLE m_month ON COMMIT DROP AS SELECT kit.company() AS company, '${begins}'::date AS begins`;
    await expect(price(own)).rejects.toThrow('month was not gathered');
    await expect(price(`SELECT warehouse.month_gather('{"month": "2020-01-01"}')`)).rejects.toThrow('another month');
  });

  it('is a task: two who ask get the same one, it can be called off and begun anew, and it tells what it did', async () => {
    const { house, month } = await monthToClose();
    const { taskId } = await close(house, month);
    expect((await close(house, month)).taskId).toBe(taskId);
    expect(await periodOf(house, month)).toMatchObject({
      state: 'OPEN',
      task: { id: taskId, state: 'queued', mine: true },
    });
    const opening = await house.owner.send(setPeriodState, { body: { month, state: 'OPEN' } });
    expect(opening.msg).toBe('该账期正在结转，请等待完成或取消任务');
    await house.owner.call(cancelTask, { params: { id: taskId ?? '' } });
    expect(await periodOf(house, month)).toMatchObject({ state: 'OPEN', task: { state: 'cancelled' } });
    await house.owner.call(retryTask, { params: { id: taskId ?? '' } });
    // From here on a worker takes every task, so this story comes last.
    await world.work();
    await expect.poll(async () => (await periodOf(house, month))?.state, { timeout: PATIENCE_MS }).toBe('CLOSED');
    expect(await periodOf(house, month)).toMatchObject({ restated: '4.0000', task: null });
    await expect
      .poll(async () => (await house.owner.call(myTasks, {})).find((task) => task.id === taskId), {
        timeout: PATIENCE_MS,
      })
      .toMatchObject({ state: 'done', detail: '1 笔出库调整，出库成本调整 4.00 元', title: `月末加权结转 ${month}` });
    expect(await prices(house)).toMatchObject([{ month, issuedAmount: '8.0000' }]);
    // Done is done: asking again starts nothing.
    expect((await close(house, month)).taskId).toBeNull();
  });
});
