import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { PlanInput } from '../../contract/plan.ts';
import type { importPlan } from '../../contract/plan-sheet.ts';
import { choices } from '../order/choices.ts';
import { itemsOf } from './items.ts';
import { savePlan, unplannable } from './save.ts';
import { type Names, PLAN_COLUMNS, type PlanProblem, type ReadPlan, readPlan, TRANSPORTS } from './sheet.ts';

/** More problems than that nobody reads. */
const MOST_PROBLEMS = 500;

/** Stores and warehouses by name, and which of them the caller may plan for. */
async function namesOf(ctx: Ctx): Promise<Names> {
  const { stores, warehouses: places } = await choices(ctx);
  const known = await warehouses(ctx);
  const reach = ctx.dataScope ? ctx.dataScope.write.account : null;
  return {
    stores: stores.map(({ id, name, sites }) => ({
      id,
      name,
      sites: sites.map(({ marketplaceId }) => marketplaceId),
      mine: reach === null || (reach?.includes(id) ?? false),
    })),
    warehouses: places.map((place) => ({ ...place, code: known.get(place.id)?.code ?? '' })),
  };
}

const codeOf = (transport: string) => TRANSPORTS.find(({ code }) => code === transport)?.title ?? transport;

/** What is planned as a workbook that the import takes; its second sheet says what may be filled in. */
export async function planFile(ctx: Ctx): Promise<FileReply> {
  const { stores, warehouses: places } = await namesOf(ctx);
  const storeName = new Map(stores.map(({ id, name }) => [id, name]));
  const placeName = new Map(places.map(({ id, name }) => [id, name]));
  const rows = (await itemsOf(ctx, {})).flatMap((item) => {
    const [store, place] = [storeName.get(item.account), placeName.get(item.warehouse)];
    if (store === undefined || place === undefined) return [];
    const country = countryOf(item.marketplaceId);
    return [[store, country, item.msku, String(item.qty), place, codeOf(item.transport), item.remark]];
  });
  const sites = stores.flatMap(({ name, sites: ids }) => ids.map((id) => [name, countryOf(id)]));
  const longest = Math.max(sites.length, places.length, TRANSPORTS.length);
  const help = Array.from({ length: longest }, (_, index) => [
    ...(sites[index] ?? ['', '']),
    places[index]?.name ?? '',
    TRANSPORTS[index]?.title ?? '',
  ]);
  const bytes = await writeWorkbook([
    { title: '发货规划', rows: [[...PLAN_COLUMNS], ...rows] },
    { title: '可填内容', rows: [['店铺', '站点', '仓库', '运输方式'], ...help] },
  ]);
  return new FileReply(`发货规划-${ctx.clock.today()}.xlsx`, MEDIA_TYPES.xlsx, bytes);
}

/** Lines whose SKU the site does not offer through Amazon. */
async function unknownLines(ctx: Ctx, items: ReadPlan['items']): Promise<PlanProblem[]> {
  const bad = await unplannable(
    ctx,
    items.map(({ item }) => ({ account: item.authid, marketplaceId: item.marketplaceId, msku: item.msku })),
  );
  const keys = new Set(bad.map(({ account, marketplaceId, msku }) => `${account} ${marketplaceId} ${msku}`));
  return items
    .filter(({ item }) => keys.has(`${item.authid} ${item.marketplaceId} ${item.msku}`))
    .map(({ line, item }) => ({
      line,
      column: '平台SKU',
      value: item.msku,
      reason: '该站点没有由亚马逊配送的这个平台SKU',
    }));
}

/** How many of the items are planned already. */
async function plannedOf(ctx: Ctx, items: readonly PlanInput[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM shipping.plan_item AS p
      JOIN jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        AS r(authid uuid, "marketplaceId" text, msku text, "warehouseId" uuid, transport text)
        ON p.account_id = r.authid AND p.marketplace_id = r."marketplaceId" AND p.msku = r.msku
       AND p.warehouse_id = r."warehouseId" AND p.transport = r.transport
     WHERE p.company_id = ${ctx.companyId} AND p.state = 'open'`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

/**
 * Reads an uploaded sheet; where asked to, and with every line good, it is planned as it says.
 * @throws refused B0022 and B0933 for no sheet
 */
export async function importPlanFile(
  open: OpenCtx,
  { write }: z.output<typeof importPlan.body>,
): Promise<Reply<typeof importPlan>> {
  const { bytes } = await uploadedBytes(open);
  const table = await readOrRefuse(readSheet(bytes));
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const read = readPlan(table, await namesOf(ctx));
      const problems = [...read.problems, ...(await unknownLines(ctx, read.items))].sort((a, b) => a.line - b.line);
      const items = read.items.map(({ item }) => item);
      const replaced = await plannedOf(ctx, items);
      const written = write === 'yes' && problems.length === 0;
      if (written) await savePlan(ctx, items);
      else {
        const after = { rows: read.rows, problems: problems.length };
        await audit(ctx, { action: '检查发货规划表', resource: 'shipping.plan', after });
      }
      const pieces = items.reduce((total, { qty }) => total + qty, 0);
      return { rows: read.rows, pieces, replaced, problems: problems.slice(0, MOST_PROBLEMS), written };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
