import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { COST, type LineInput } from '../../../contract/documents/fields.ts';
import { touch } from './act.ts';
import { type Line, locked, type StockDocument, type StockKind } from './load.ts';
import { requireMove, type Warehouse, warehouses } from './places.ts';

export type SavedLine = Pick<LineInput, 'productId' | 'qty'> & Partial<LineInput>;

export interface SaveInput {
  id?: string | undefined;
  version?: number | undefined;
  type: string;
  warehouseId: string;
  toWarehouseId?: string | undefined;
  partner?: string | undefined;
  carrier?: string | undefined;
  trackingNo?: string | undefined;
  plannedOn?: string | null | undefined;
  channel?: string | undefined;
  departedOn?: string | null | undefined;
  landedOn?: string | null | undefined;
  remark?: string | undefined;
  freight?: string | undefined;
  otherFee?: string | undefined;
  feeSplit?: string | undefined;
  productId?: string | undefined;
  qty?: number | undefined;
  mode?: string | undefined;
  blind?: boolean | undefined;
  scope?: { products: readonly string[]; locations: readonly string[] } | undefined;
  lines: readonly SavedLine[];
}

/** A warehouse that documents may use. @throws refused for one that is gone, out of use or kept by the marketplace */
function requireUsable(all: ReadonlyMap<string, Warehouse>, id: string): Warehouse {
  const found = all.get(id);
  if (!found) throw refused('仓库不存在或已删除', 'B0802');
  if (found.disabled) throw refused(`仓库【${found.name}】已停用`, 'B0802');
  if (found.kind === 'FBA' || found.kind === 'AWD')
    throw refused(`【${found.name}】的库存由平台管理，不能手工制单`, 'B0802');
  return found;
}

async function requireProducts(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const known = await localProducts(ctx, ids);
  if (ids.some((id) => !known.has(id))) throw refused('产品不存在或已删除', 'B0822');
}

/** @throws refused where a product stands in two lines (of one lot, where lots are told apart) */
function requireDistinct(lines: readonly SavedLine[]): void {
  const keys = lines.map((line) => `${line.productId} ${line.lotNo ?? ''} ${line.locationId ?? ''}`);
  if (new Set(keys).size < keys.length) throw refused('不能重复添加SKU', 'B0823');
}

async function requireLocations(
  ctx: Ctx,
  warehouse: string,
  lines: readonly SavedLine[],
  more: readonly string[],
): Promise<void> {
  const ids = [...new Set([...lines.flatMap((line) => line.locationId ?? []), ...more])];
  if (ids.length === 0) return;
  const rows = await ctx.db
    .selectFrom('warehouse.location')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('warehouse_id', '=', warehouse)
    .where('id', 'in', ids)
    .execute();
  if (rows.length < ids.length) throw refused('库位不属于所选仓库', 'B0802');
}

/** What a caller who may not see costs leaves as it was. */
function keptCost(old: readonly Line[], line: SavedLine) {
  const same = old.find((one) => one.product === line.productId && one.lotNo === (line.lotNo ?? ''));
  return { unitCost: same?.unitCost ?? null, fee: same?.fee ?? null };
}

async function putLines(ctx: Ctx, id: string, lines: readonly SavedLine[], old: readonly Line[]): Promise<void> {
  await ctx.db
    .deleteFrom('warehouse.document_line')
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', id)
    .execute();
  const seesCost = can(ctx, COST);
  const rows = lines.map((line, index) => ({
    n: index + 1,
    ...line,
    ...(seesCost ? {} : keptCost(old, line)),
  }));
  await sql`
    INSERT INTO warehouse.document_line (company_id, document_id, line_no, product_id, to_product_id, qty, lot_no, expires_at,
      location_id, unit_cost, fee, qty_per, reason)
    SELECT ${ctx.companyId}, ${id}, r.n, r."productId", r."toProductId", r.qty, coalesce(r."lotNo", ''), r."expiresAt",
           r."locationId", r."unitCost", r.fee, r."qtyPer", coalesce(r.reason, '')
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(n int, "productId" uuid, "toProductId" uuid, qty int,
        "lotNo" text, "expiresAt" date, "locationId" uuid, "unitCost" numeric, fee numeric, "qtyPer" numeric, reason text)`.execute(
    ctx.db,
  );
}

function headValues(input: SaveInput) {
  return {
    type: input.type,
    warehouse_id: input.warehouseId,
    to_warehouse_id: input.toWarehouseId ?? null,
    partner: input.partner ?? '',
    carrier: input.carrier ?? '',
    tracking_no: input.trackingNo ?? '',
    planned_on: input.plannedOn ?? null,
    channel: input.channel ?? '',
    departed_on: input.departedOn ?? null,
    landed_on: input.landedOn ?? null,
    remark: input.remark ?? '',
    ...(input.freight === undefined ? {} : { freight: input.freight }),
    ...(input.otherFee === undefined ? {} : { other_fee: input.otherFee }),
    fee_split: input.feeSplit ?? 'NONE',
    product_id: input.productId ?? null,
    qty: input.qty ?? null,
    mode: input.mode ?? null,
    blind: input.blind ?? false,
    scope: JSON.stringify(input.scope ?? {}),
  };
}

async function created(ctx: Ctx, kind: StockKind, input: SaveInput): Promise<StockDocument> {
  const number = await nextNumber(ctx, kind.def.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('warehouse.document')
    .values({
      company_id: ctx.companyId,
      kind: kind.name,
      number,
      state: kind.def.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      updated_by_name: ctx.userName,
      ...headValues(input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, kind.def.name, id, { kind: 'note', title: '创建', to: kind.def.initial });
  return locked(ctx, kind, id);
}

async function changed(ctx: Ctx, kind: StockKind, id: string, input: SaveInput): Promise<StockDocument> {
  const doc = await locked(ctx, kind, id);
  const open = [kind.def.initial, 'rejected'];
  if (!open.includes(doc.state)) {
    await requireUnlocked(ctx, kind.def, id);
    throw conflict(`单据状态为【${kind.def.states[doc.state]?.title ?? doc.state}】，不能执行【修改】`);
  }
  requireFresh(doc, input.version);
  await ctx.db
    .updateTable('warehouse.document')
    .set({ ...headValues(input), version: doc.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await note(ctx, kind.def.name, id, { kind: 'note', title: '修改' });
  return { ...doc, version: doc.version + 1 };
}

/** More that a kind asks of what is saved. */
export type Check = (input: SaveInput, from: Warehouse, to: Warehouse | undefined) => string | undefined;

/**
 * Writes a new document, or changes one that nobody has approved yet; all of its lines are replaced.
 * @throws refused B0802 warehouse, B0822 product, B0823 a SKU twice, B0824 what the kind asks; conflict for a stale version
 */
export async function save(ctx: Ctx, kind: StockKind, input: SaveInput, check?: Check): Promise<Outcome> {
  const all = await warehouses(ctx);
  const from = requireUsable(all, input.warehouseId);
  const to = input.toWarehouseId === undefined ? undefined : requireUsable(all, input.toWarehouseId);
  if (!to) requireMove(ctx, from.id);
  if (to?.id === from.id) throw refused('调出仓库与调入仓库不能相同', 'B0824');
  const obstacle = check?.(input, from, to);
  if (obstacle) throw refused(obstacle, 'B0824');
  requireDistinct(input.lines);
  await requireProducts(ctx, [
    ...input.lines.flatMap((line) => [line.productId, ...(line.toProductId ? [line.toProductId] : [])]),
    ...(input.productId ? [input.productId] : []),
    ...(input.scope?.products ?? []),
  ]);
  await requireLocations(ctx, from.id, input.lines, input.scope?.locations ?? []);
  const doc = input.id ? await changed(ctx, kind, input.id, input) : await created(ctx, kind, input);
  await putLines(ctx, doc.id, input.lines, doc.lines);
  await touch(ctx, doc.id);
  await audit(ctx, {
    action: `${kind.def.title}·保存`,
    resource: kind.def.name,
    resourceId: doc.id,
    ...(input.id ? { before: { lines: doc.lines.length } } : {}),
    after: { number: doc.number, ...input },
  });
  return outcome(doc, `${kind.def.title}${doc.number}已保存`);
}
