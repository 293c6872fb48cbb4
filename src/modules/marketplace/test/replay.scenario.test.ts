import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionsOf } from '#kit/server/extension.ts';
import { dropExpiredFiles } from '#kit/server/files-expiry.ts';
import type { WorkerHandle } from '#kit/server/jobs/worker.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { listDead, retryDead } from '../contract/quarantine.ts';
import {
  cancelReport,
  reparseReport,
  replayReports,
  reportDocument,
  reportTask,
  reportTaskCounts,
  reportTasks,
  retryReport,
} from '../contract/report-tasks.ts';
import { commitUpload } from '../contract/uploads.ts';
import { loadDocument } from '../server/reports/load.ts';
import { reportPlans } from '../server/streams.ts';
import { encode, tsv } from './fixtures/build.ts';
import { send, US } from './fixtures/upload.ts';

let world: MarketplaceWorld;
let owner: Person;
let authid: string;
let worker: WorkerHandle;

const tasks = (filter: object = {}) => owner.call(reportTasks, { body: { pagesize: 100, filter } });

/** Waits until no report is under way. */
async function untilQuiet(): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const open = await tasks({ status: ['planned', 'requested', 'ready', 'downloaded'] });
    if (open.total === 0) return;
    await sleep(200);
  }
  throw new Error('reports are still under way');
}

beforeAll(async () => {
  world = await createMarketplaceWorld();
  worker = await world.work();
  owner = await world.owner();
  ({ accountId: authid } = await connectStore(owner, 'A1SANDBOX0001'));
  await untilSynced(owner, authid);
  await untilQuiet();
});
afterAll(() => world.close());

async function taskState(id: string): Promise<{ state: string; result: unknown }> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ state: string; result: unknown }>`
      SELECT state, result FROM kit.task WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
    return rows[0] ?? { state: 'none', result: null };
  });
}

async function untilDone(taskId: string): Promise<unknown> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { state, result } = await taskState(taskId);
    if (state === 'done') return result;
    if (state === 'failed') throw new Error('the task failed');
    await sleep(100);
  }
  throw new Error('the task never ended');
}

/** What the simulated business has no case of in its first weeks, as Amazon would write it. */
const BY_HAND: Record<string, Record<string, string>> = {
  GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA: {
    'request-date': '2026-06-20T10:00:00+00:00',
    'order-id': 'R-1',
    'order-type': 'Disposal',
    'order-status': 'Completed',
    'last-updated-date': '2026-06-22T10:00:00+00:00',
    sku: 'KD-1',
    fnsku: 'X001',
    asin: 'B000000001',
    disposition: 'Sellable',
    'requested-quantity': '3',
    'disposed-quantity': '3',
    'removal-fee': '1.50',
    currency: 'USD',
  },
  GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA: {
    'order-id': 'R-2',
    'shipment-date': '2026-06-22T10:00:00+00:00',
    sku: 'KD-1',
    fnsku: 'X001',
    'shipped-quantity': '2',
    carrier: 'UPS',
    'tracking-number': '1Z1',
  },
  GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA: {
    'snapshot-date': '2026-06-15',
    sku: 'KD-1',
    fnsku: 'X001',
    'qty-charged': '4',
    currency: 'USD',
    'amount-charged': '2.00',
    'surcharge-age-tier': '181-210 days',
  },
  GET_STRANDED_INVENTORY_UI_DATA: {
    'date-stranded': '2026-06-15',
    'stranded-reason': 'Listing inactive',
    sku: 'KD-1',
    fnsku: 'X001',
    asin: 'B000000001',
    'fulfillable-qty': '4',
  },
  GET_AFN_INVENTORY_DATA_BY_COUNTRY: {
    'seller-sku': 'KD-1',
    'fulfillment-channel-sku': 'X001',
    asin: 'B000000001',
    'condition-type': 'NewItem',
    country: 'FR',
    'quantity-for-local-fulfillment': '4',
  },
  GET_FBA_RECOMMENDED_REMOVAL_DATA: {
    'snapshot-date': '2026-06-15',
    sku: 'KD-1',
    fnsku: 'X001',
    asin: 'B000000001',
    'sellable-removal-quantity': '0',
    'unsellable-quantity': '4',
  },
  GET_FBA_OVERAGE_FEE_CHARGES_DATA: {
    charged_date: '6/15/2026',
    country_code: 'US',
    storage_type: 'Sortable',
    overage_volume: '10.00',
    charged_fee_amount: '3.33',
    currency_code: 'USD',
  },
  GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: {
    'Order ID': '113-0000000-0000001',
    'Return request date': '15-Jun-2026',
    'Return request status': 'Approved',
    'Amazon RMA ID': 'D1',
    'Merchant SKU': 'KD-1',
    'Return quantity': '1',
  },
  GET_VAT_TRANSACTION_DATA: {
    ACTIVITY_PERIOD: '2026-JUN',
    MARKETPLACE: 'DE',
    TRANSACTION_TYPE: 'SALE',
    TRANSACTION_EVENT_ID: '304-0000000-0000001',
    ACTIVITY_TRANSACTION_ID: 'T-1',
    TRANSACTION_COMPLETE_DATE: '15-06-2026',
    QTY: '1',
    TRANSACTION_CURRENCY_CODE: 'EUR',
    TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL: '11.90',
  },
};

async function bring(reportType: string, row: Record<string, string>): Promise<void> {
  const bytes = encode(tsv(Object.keys(row), [row]));
  const fields = { amazonauthid: `${US}-${authid}`, requesttype: reportType };
  const { data, msg } = await send(world, owner, bytes, fields);
  if (!data?.id) throw new Error(`${reportType}: ${msg}`);
  await owner.call(commitUpload, { params: { id: data.id } });
}

/** Every fact table in one line each: rows and their content. Times of writing are no content. */
async function facts(): Promise<string[]> {
  return world.as(owner, async (ctx) => {
    const { rows: tables } = await sql<{ name: string }>`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('order', 'sales', 'listing', 'settlement', 'inventory', 'report') AND table_type = 'BASE TABLE'
       ORDER BY 1`.execute(ctx.db);
    const sums: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ sum: string }>`
        SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum
          FROM ${sql.raw(name)} AS t WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
      sums.push(`${name} ${rows[0]?.sum}`);
    }
    return sums;
  });
}

test('replaying every stored document of every loader changes nothing', async () => {
  for (const [reportType, row] of Object.entries(BY_HAND)) await bring(reportType, row);
  const { modules } = world.runtime;
  // A plan that names its sites asks only where somebody has use for it, which here is nowhere; its module tells of it.
  const plans = extensionsOf(modules, reportPlans).filter((plan) => plan.sites === undefined);
  const planned = new Set(plans.map((plan) => plan.reportType));
  const documents = await world.as(owner, (ctx) =>
    ctx.db
      .selectFrom('marketplace.report_document')
      .select(['id', 'report_type'])
      .where('company_id', '=', ctx.companyId)
      .where('loaded_at', 'is not', null)
      .orderBy('created_at')
      .execute(),
  );
  // Each report type that the engine asks for has arrived, so each loader is put to the test.
  expect([...planned].filter((type) => !documents.some((one) => one.report_type === type))).toEqual([]);
  // Nothing but what is read again may write now.
  await worker.stop();
  const before = await facts();
  for (const { id, report_type } of documents) {
    const counts = await world.as(owner, (ctx) => loadDocument(ctx, id));
    expect({ report_type, inserted: counts.inserted, updated: counts.updated }).toEqual({
      report_type,
      inserted: 0,
      updated: 0,
    });
  }
  expect(await facts()).toEqual(before);
  worker = await world.work();
});

test('a report shows its way, and its document can be had and read again', async () => {
  const [row] = (await tasks({ status: ['loaded'], reportType: ['GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2'] }))
    .records;
  const task = await owner.call(reportTask, { params: { id: row?.id ?? '' } });
  expect(task.steps.map((step) => step.done)).toEqual([true, true, true, true, true]);
  expect(task.may).toEqual({ retry: false, cancel: false, replay: true });
  const file = await owner.send(reportDocument, { params: { id: task.document?.id ?? '' } });
  expect(file.raw.toString('utf8')).toContain('settlement-id');
  expect(file.raw.length).toBe(task.document?.size);
  const clerk = await world.member(owner, ['amz:store:view']);
  expect((await clerk.send(reportDocument, { params: { id: task.document?.id ?? '' } })).status).toBe(403);
  const { taskId } = await owner.call(reparseReport, { params: { id: task.id } });
  expect(await untilDone(taskId)).toMatchObject({ inserted: 0, updated: 0, failed: 0 });
  const all = await owner.call(replayReports, { body: { reportType: task.reportType } });
  expect(await untilDone(all.taskId)).toMatchObject({ inserted: 0, updated: 0, failed: 0 });
  expect((await owner.send(replayReports, { body: { reportType: 'GET_NOTHING' } })).status).toBe(404);
});

test('a failed report stands among the dead letters until it is tried again', async () => {
  const [row] = (
    await tasks({ status: ['loaded'], reportType: ['GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL'] })
  ).records;
  const id = row?.id ?? '';
  await world.as(owner, (ctx) =>
    ctx.db
      .updateTable('marketplace.report_request')
      .set({ status: 'failed', error: '亚马逊生成报表失败' })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute(),
  );
  const dead = await owner.call(listDead, {});
  expect(dead).toEqual([
    expect.objectContaining({ kind: 'report', id, title: '历史订单', error: '亚马逊生成报表失败' }),
  ]);
  expect(await owner.call(retryDead, { body: { items: [{ kind: 'report', id }] } })).toEqual({ count: 1 });
  await untilQuiet();
  expect((await owner.call(reportTask, { params: { id } })).status).toBe('loaded');
  expect(await owner.call(listDead, {})).toEqual([]);
  expect((await owner.send(retryReport, { params: { id } })).status).toBe(409);
  expect((await owner.send(cancelReport, { params: { id } })).msg).toContain('已结束');
  const counts = await owner.call(reportTaskCounts, { body: {} });
  expect(counts.loaded).toBeGreaterThan(5);
  expect(counts.failed ?? 0).toBe(0);
});

test('a job that the queue gave up is listed for its company only, and gets another round', async () => {
  await world.as(owner, async (ctx) => {
    await sql`SELECT kit.add_job('marketplace.completeAccounts', ${JSON.stringify({ companyId: ctx.companyId })}::json,
      NULL, now() + interval '1 day', 'dead-one', 0, 1, 'replace')`.execute(ctx.db);
  });
  const pg = await import('pg');
  const admin = new pg.default.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  await admin.query(
    "UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'boom' WHERE key = 'dead-one'",
  );
  await admin.end();
  const [row] = await owner.call(listDead, {});
  expect(row).toMatchObject({ kind: 'job', title: 'marketplace.completeAccounts', error: 'boom' });
  const stranger = await world.owner();
  expect(await stranger.call(listDead, {})).toEqual([]);
  const items = [{ kind: 'job' as const, id: row?.id ?? '' }];
  expect((await stranger.send(retryDead, { body: { items } })).status).toBe(409);
  expect(await owner.call(retryDead, { body: { items } })).toEqual({ count: 1 });
  expect(await owner.call(listDead, {})).toEqual([]);
});

test('what buyers may be named in is kept for thirty days, what books rest on for years', async () => {
  const loaded = (await tasks({ status: ['loaded'] })).records;
  const orders = loaded.find((row) => row.reportType.includes('ALL_ORDERS'));
  const settlement = loaded.find((row) => row.reportType.includes('SETTLEMENT'));
  if (!orders || !settlement) throw new Error(`no reports of both kinds: ${loaded.map((row) => row.reportType)}`);
  const detail = (id: string) => owner.call(reportTask, { params: { id } });
  const before = await detail(orders.id);
  expect(before).toMatchObject({ may: { replay: true }, document: { isKept: true } });
  // A month later a worker would ask for the same days again, and the report would be under way.
  await worker.stop();
  await world.advance(31 * 86_400_000);
  expect(await dropExpiredFiles(world.runtime, 0)).toBeGreaterThan(0);
  expect(await detail(orders.id)).toMatchObject({
    status: 'loaded',
    may: { replay: false },
    document: { isKept: false },
  });
  expect(await detail(settlement.id)).toMatchObject({ may: { replay: true }, document: { isKept: true } });
  const bytes = await owner.send(reportDocument, { params: { id: before.document?.id ?? '' } });
  expect([bytes.status, bytes.msg]).toEqual([404, '文件不存在或已过期']);
  await expect(world.as(owner, (ctx) => loadDocument(ctx, before.document?.id ?? ''))).rejects.toThrow(
    '原文件已过保留期并清除，请重新申请报表',
  );
});
