import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { FileRefused, type GenericTable, readTable } from '#modules/marketplace/server/index.ts';
import type { McfImport } from '../../contract/import.ts';
import { SPEEDS } from '../../contract/states.ts';
import { insertDraft, numberTaken, skusThere } from '../write/save.ts';
import {
  formOf,
  HEADINGS,
  marketplaceOf,
  ordersOf,
  problemOf,
  type SheetForm,
  type SheetOrder,
  sitesByName,
} from './read.ts';

const PREVIEW = 20;
const MOST_PROBLEMS = 500;
const MAX_BYTES = 10 * 1024 * 1024;

type Problems = McfImport['problems'];
interface Ready {
  order: SheetOrder;
  site: { accountId: string; marketplaceId: string };
  form: SheetForm;
}

/** An order that can be written, or what is wrong with it. */
async function checked(
  ctx: Ctx,
  order: SheetOrder,
  sites: ReadonlyMap<string, { accountId: string; marketplaceId: string }>,
  seen: Set<string>,
): Promise<Ready | Problems> {
  const marketplaceId = marketplaceOf(order.cells.站点 ?? '');
  if (!marketplaceId) return [problemOf(order, '站点', '站点不存在，请填国家代码，如 US')];
  const site = sites.get(`${order.cells.店铺 ?? ''}\t${marketplaceId}`);
  if (!site) return [problemOf(order, '店铺', '店铺不存在，或没有授权这个站点')];
  const form = formOf(order);
  if (Array.isArray(form)) return form;
  const { number } = form;
  const key = `${site.accountId}\t${number ?? ''}`;
  if (number && (seen.has(key) || (await numberTaken(ctx, site.accountId, number)))) {
    return [problemOf(order, '履约单号', '该店铺已有这个履约单号')];
  }
  seen.add(key);
  const known = await skusThere(ctx, { ...site, skus: form.lines.map(({ sku }) => sku) });
  const strangers = order.lines.filter(({ cells }) => !known.has(cells.MSKU ?? ''));
  if (strangers.length > 0) return strangers.map((at) => problemOf(at, 'MSKU', '在该站点没有 FBA 库存'));
  return { order, site, form };
}

async function run(ctx: Ctx, table: GenericTable, commit: boolean): Promise<McfImport> {
  const { rows, orders, problems } = await ordersOf(table);
  const sites = await sitesByName(ctx);
  const seen = new Set<string>();
  const ready: Ready[] = [];
  for (const order of orders) {
    const found = await checked(ctx, order, sites, seen);
    if (Array.isArray(found)) problems.push(...found);
    else ready.push(found);
  }
  const written = commit && problems.length === 0 && ready.length > 0;
  if (written) {
    for (const { site, form } of ready) await insertDraft(ctx, site, form);
    await audit(ctx, { action: '导入多渠道订单', resource: 'fulfillment.mcf', after: { rows, count: ready.length } });
  }
  const preview = ready
    .slice(0, PREVIEW)
    .map(({ order, form }) => [
      String(order.line),
      form.orderNo,
      form.lines.map(({ sku, quantity }) => `${sku}×${quantity}`).join('，'),
      form.country,
      SPEEDS[form.speed],
    ]);
  const sorted = problems.sort((a, b) => a.line - b.line).slice(0, MOST_PROBLEMS);
  return { rows, orders: orders.length, problems: sorted, preview, written };
}

/** The sheet in memory, where alone it is: it says where people live. @throws AppError where it is too large or no table */
async function tableOf(stream: AsyncIterable<Uint8Array>): Promise<GenericTable> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > MAX_BYTES) throw refused('文件不能超过 10 MB', 'B0362');
    pieces.push(piece);
  }
  try {
    return await readTable(async function* () {
      yield* pieces;
    });
  } catch (error) {
    if (error instanceof FileRefused) throw refused(error.message, 'B0362');
    throw error;
  }
}

/**
 * Checks a sheet of orders; with `commit`, and without a single bad row, all of them become drafts in one transaction. Nothing
 * of the file is kept.
 */
export async function importMcf(open: OpenCtx, commit: boolean): Promise<McfImport> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const table = await tableOf((await open.upload()).stream);
  const options = { requestId: open.requestId, ip: open.ip };
  const work = async (ctx: Ctx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`mcf-import ${ctx.companyId}`}, 0))`.execute(ctx.db);
    return run(ctx, table, commit);
  };
  return inTenant(open.runtime, open.principal, work, options);
}

/** An empty sheet with the headings of the import. */
export function mcfTemplate(): FileReply {
  const columns = Object.keys(HEADINGS).map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const none = (async function* (): AsyncGenerator<object> {})();
  const body = exportStream(none, { format: 'xlsx', sheet: '多渠道订单', columns });
  return new FileReply('多渠道订单导入模板.xlsx', MEDIA_TYPES.xlsx, body);
}
