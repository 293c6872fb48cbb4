import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cancelTask, myTasks, retryTask, type TaskRow } from '#modules/system/contract.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { AppError, refused } from '../errors.ts';
import { job, task } from '../jobs/define.ts';
import { enqueue, startTask } from '../jobs/enqueue.ts';
import { taskRunner } from '../jobs/tasks.ts';
import { startWorker, type WorkerHandle } from '../jobs/worker.ts';

let world: World;
let owner: Person;
let worker: WorkerHandle;
let runs: string[] = [];
let mood: 'well' | 'refusing' | 'broken' = 'well';
let stepsDone = 0;

const slow = task<{ steps: number }>('test.slow', async (_runtime, handle, { steps }) => {
  for (stepsDone = 0; stepsDone < steps; stepsDone += 1) {
    await handle.progress((stepsDone / steps) * 100, `${stepsDone} / ${steps} 行`);
    await sleep(60);
  }
  return { detail: `${steps} 行`, result: { steps } };
});

const moody = task<object>('test.moody', async () => {
  runs.push(mood);
  if (mood === 'refusing') throw refused('第3行：数量不能为空', 'B0999');
  if (mood === 'broken') throw new Error('password=secret at /srv/file.ts:12');
  return {};
});

const recorder = job<{ name: string }>('test.record', async (_runtime, { name }) => {
  runs.push(name);
});

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  worker = await startWorker(world.runtime, [taskRunner([slow, moody]), recorder], []);
});
afterAll(async () => {
  await worker.stop();
  await world.close();
});

const start = (type: string, payload: object, who = owner) =>
  world.as(who, (ctx) => startTask(ctx, type, '测试任务', payload));

async function rowOf(id: string, who = owner): Promise<TaskRow> {
  const row = (await who.call(myTasks, {})).find((entry) => entry.id === id);
  if (!row) throw new Error('no such task');
  return row;
}

/** The same for one that is tried again later: time goes by while somebody waits. */
const untilTriedAgain = (id: string, state: TaskRow['state']) =>
  vi.waitFor(
    async () => {
      const row = await rowOf(id);
      if (row.state !== state) await world.advance(30_000);
      expect(row.state).toBe(state);
      return row;
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );

const until = (id: string, state: TaskRow['state'], timeout = 10_000) =>
  vi.waitFor(
    async () => {
      const row = await rowOf(id);
      expect(row.state).toBe(state);
      return row;
    },
    { timeout, interval: 50 },
  );

describe('a long task', () => {
  test('reports how far it is, and in the end what came of it', async () => {
    const id = await start('test.slow', { steps: 30 });
    const halfway = await vi.waitFor(
      async () => {
        const row = await rowOf(id);
        expect(row.state).toBe('running');
        expect(row.progress).toBeGreaterThan(0);
        return row;
      },
      { timeout: PATIENCE_MS, interval: 50 },
    );
    expect(halfway.detail).toMatch(/^\d+ \/ 30 行$/);
    expect(halfway.progress).toBeLessThan(100);
    expect(await until(id, 'done')).toMatchObject({ progress: 100, detail: '30 行', error: null, userName: '测试' });
  });

  test('stops soon after its owner cancelled it', async () => {
    const id = await start('test.slow', { steps: 1000 });
    await until(id, 'running');
    await owner.call(cancelTask, { params: { id } });
    await until(id, 'cancelled', 3_000);
    expect(stepsDone).toBeLessThan(100);
    expect((await owner.send(cancelTask, { params: { id } })).status).toBe(404);
  });

  test('a cancelled one can be begun again', async () => {
    const id = await start('test.moody', {});
    await until(id, 'done');
    expect((await owner.send(retryTask, { params: { id } })).status).toBe(404);
    mood = 'refusing';
    const failing = await start('test.moody', {});
    await until(failing, 'failed');
    mood = 'well';
    await owner.call(retryTask, { params: { id: failing } });
    expect(await until(failing, 'done')).toMatchObject({ error: null, progress: 100 });
  });

  test('a refusal ends it at once in its own words', async () => {
    mood = 'refusing';
    runs = [];
    const row = await until(await start('test.moody', {}), 'failed');
    expect(row.error).toBe('第3行：数量不能为空');
    await sleep(300);
    expect(runs).toEqual(['refusing']);
  });

  test('a fault is tried three times and then told without its secrets', async () => {
    mood = 'broken';
    runs = [];
    const row = await untilTriedAgain(await start('test.moody', {}), 'failed');
    expect(row.error).toBe('系统繁忙，请稍后重试');
    expect(runs).toEqual(['broken', 'broken', 'broken']);
  });

  test('of a kind that nobody knows fails instead of hanging', async () => {
    expect((await untilTriedAgain(await start('test.unknown', {}), 'failed')).error).toBe('系统繁忙，请稍后重试');
  });

  test('belongs to its owner alone', async () => {
    mood = 'well';
    const id = await start('test.moody', {});
    await until(id, 'done');
    const colleague = await world.member(owner, []);
    expect(await colleague.call(myTasks, {})).toEqual([]);
    expect((await colleague.send(retryTask, { params: { id } })).status).toBe(404);
    expect((await colleague.send(cancelTask, { params: { id } })).status).toBe(404);
  });
});

describe('a job', () => {
  test('exists only if the transaction that queued it commits', async () => {
    runs = [];
    const attempt = world.as(owner, async (ctx) => {
      await enqueue(ctx, 'test.record', { name: 'rolled back' });
      throw new AppError(200, 400, 'no');
    });
    await expect(attempt).rejects.toThrow('no');
    await world.as(owner, (ctx) => enqueue(ctx, 'test.record', { name: 'committed' }));
    await vi.waitFor(() => expect(runs).toContain('committed'), { timeout: PATIENCE_MS });
    await sleep(300);
    expect(runs).toEqual(['committed']);
  });

  test('queued twice under one key runs once, with what was said last', async () => {
    runs = [];
    await world.as(owner, async (ctx) => {
      for (const name of ['first', 'second']) await enqueue(ctx, 'test.record', { name }, { key: 'same' });
    });
    await vi.waitFor(() => expect(runs).toEqual(['second']), { timeout: PATIENCE_MS });
    await sleep(300);
    expect(runs).toEqual(['second']);
  });

  test('makes nobody wait: two transactions that queue the same keys crosswise both end', async () => {
    runs = [];
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    const crosswise = (keys: readonly string[]) =>
      world.as(owner, async (ctx) => {
        const [first = '', second = ''] = keys;
        await enqueue(ctx, 'test.record', { name: first }, { key: first, queue: 'crosswise' });
        arrived += 1;
        if (arrived === 2) both.resolve();
        await both.promise;
        await enqueue(ctx, 'test.record', { name: second }, { key: second, queue: 'crosswise' });
      });
    await Promise.all([crosswise(['left', 'right']), crosswise(['right', 'left'])]);
    // The second transaction's jobs run once more where the first one's have already begun.
    await vi.waitFor(() => expect(new Set(runs)).toEqual(new Set(['left', 'right'])), { timeout: PATIENCE_MS });
  });

  test('that keeps its earlier time keeps it, also against a later one of the same transaction', async () => {
    runs = [];
    const [soon, late] = [worldClock().now(), new Date(worldClock().ms() + 3_600_000)];
    await world.as(owner, async (ctx) => {
      const options = { key: 'early', keyMode: 'preserve_run_at' as const };
      await enqueue(ctx, 'test.record', { name: 'asked first' }, { ...options, runAt: soon });
      await enqueue(ctx, 'test.record', { name: 'asked last' }, { ...options, runAt: late });
    });
    const asked = () => runs.filter((name) => name.startsWith('asked'));
    await vi.waitFor(() => expect(asked()).toEqual(['asked last']), { timeout: PATIENCE_MS });
  });
});
