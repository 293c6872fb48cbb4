import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { ReassignTarget } from '../../../contract/reassign.ts';
import type { PlacedLine } from '../../ledger/reserve.ts';
import { touch } from '../core/act.ts';
import { holdAt, passOn } from '../core/events.ts';
import { locked, type StockDocument, type StockKind } from '../core/load.ts';
import { mayMove, requireMove, warehouseOf } from '../core/places.ts';
import { ownProduct } from '../core/products.ts';
import { assemblyKind } from './assembly.ts';
import { outboundKind } from './outbound.ts';
import { overseasKind } from './overseas.ts';
import { transferKind } from './transfer.ts';

/** Documents that hold stock, each with the one state in which what they hold may still change hands. */
const HOLDERS: readonly { kind: StockKind; state: string }[] = [
  { kind: outboundKind, state: 'picking' },
  { kind: transferKind, state: 'allocating' },
  { kind: overseasKind, state: 'allocating' },
  { kind: assemblyKind, state: 'ready' },
];
const REFUSED = 'B0841';

interface Reservation {
  id: string;
  type: string;
  document: string;
  number: string;
  product: string;
  warehouse: string;
  location: string;
  lot: string;
  /** Held and not picked: what lies at its place. */
  movable: number;
  sku: string;
}

async function reservationOf(ctx: Ctx, id: string): Promise<Reservation> {
  const { rows } = await sql<Reservation>`
    SELECT r.id, r.document_type AS type, r.document_id AS document, r.document_number AS number, r.product_id AS product,
           r.warehouse_id AS warehouse, r.location_id AS location, r.lot_id AS lot,
           greatest(r.held - greatest(r.picked_qty - r.shipped_qty, 0), 0) AS movable, p.sku
      FROM warehouse.reservation AS r
      JOIN product.local_product AS p ON p.company_id = r.company_id AND p.id = r.product_id
     WHERE r.company_id = ${ctx.companyId} AND r.id = ${id}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound('预留不存在或已删除');
  return row;
}

interface Lack {
  id: string;
  kind: string;
  number: string;
  state: string;
  partner: string;
  plannedOn: string | null;
  line: string;
  lacking: number;
}

/**
 * Lines of approved documents that need pieces like those of a reservation and do not hold them: the product, in the
 * warehouse, at its shelf where the line asks for one. The documents that are due first come first.
 */
async function lacks(ctx: Ctx, of: Reservation, only?: string): Promise<Lack[]> {
  const states = JSON.stringify(HOLDERS.map(({ kind, state }) => ({ kind: kind.name, state })));
  const { rows } = await sql<Lack>`
    SELECT d.id, d.kind, d.number, d.state, d.partner, d.planned_on AS "plannedOn", x.line,
           (x.qty - coalesce(h.held, 0))::int AS lacking
      FROM warehouse.document AS d
      JOIN jsonb_to_recordset(${states}::jsonb) AS s(kind text, state text) ON s.kind = d.kind AND s.state = d.state
      CROSS JOIN LATERAL (
        SELECT l.id::text AS line, l.line_no AS n, l.location_id AS location, l.qty - l.done_qty - l.short_qty AS qty
          FROM warehouse.document_line AS l
         WHERE d.type <> 'DISASSEMBLE' AND l.company_id = d.company_id AND l.document_id = d.id
           AND l.product_id = ${of.product}
        UNION ALL
        SELECT d.id::text, 0, NULL, d.qty WHERE d.type = 'DISASSEMBLE' AND d.product_id = ${of.product}) AS x
      LEFT JOIN LATERAL (
        SELECT sum(r.held) AS held FROM warehouse.reservation AS r
         WHERE r.company_id = d.company_id AND r.document_type = 'warehouse.' || d.kind
           AND r.document_id = d.id::text AND r.line_id = x.line AND r.held > 0) AS h ON true
     WHERE d.company_id = ${ctx.companyId} AND d.warehouse_id = ${of.warehouse} AND d.id::text <> ${of.document}
       AND (${only ?? null}::uuid IS NULL OR d.id = ${only ?? null}::uuid)
       AND (x.location IS NULL OR x.location = ${of.location}) AND x.qty > coalesce(h.held, 0)
     ORDER BY d.planned_on NULLS LAST, d.created_at, d.id, x.n LIMIT 500`.execute(ctx.db);
  return rows;
}

const holderOf = (type: string) => HOLDERS.find(({ kind }) => kind.def.name === type);
const NOT_OURS = '该预留不属于出库、调库、加工或海外备货单，不能改派';

/** Why the pieces of a reservation cannot change hands, in words. */
async function obstacleOf(ctx: Ctx, of: Reservation): Promise<string | null> {
  const holder = holderOf(of.type);
  if (!holder) return NOT_OURS;
  if (!mayMove(ctx, of.warehouse)) return '没有该仓库的操作权限';
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM warehouse.document WHERE company_id = ${ctx.companyId} AND id = ${of.document}`.execute(ctx.db);
  const state = rows[0]?.state;
  if (state === undefined) return NOT_OURS;
  if (state !== holder.state) return wrongState(holder.kind, of.number, state);
  return of.movable === 0 ? '没有可改派的数量：已释放、已出库或已拣货' : null;
}

const wrongState = (kind: StockKind, number: string, state: string): string =>
  `单据 ${number} 状态为【${kind.def.states[state]?.title ?? state}】，不能改派预留`;

/** Documents that a reservation may go to, each with what it lacks. */
export async function reassignTargets(ctx: Ctx, id: string) {
  const of = await reservationOf(ctx, id);
  const obstacle = await obstacleOf(ctx, of);
  const targets = new Map<string, ReassignTarget>();
  for (const lack of obstacle === null ? await lacks(ctx, of) : []) {
    const known = targets.get(lack.id);
    if (known) {
      known.lacking += lack.lacking;
      continue;
    }
    const def = HOLDERS.find(({ kind }) => kind.name === lack.kind)?.kind.def;
    if (!def) continue;
    const { id: documentId, number, partner, plannedOn, lacking } = lack;
    const state = def.states[lack.state]?.title ?? lack.state;
    const path = `${def.detail}?id=${documentId}`;
    targets.set(lack.id, { id: documentId, number, kind: def.title, state, partner, plannedOn, lacking, path });
  }
  return { movable: of.movable, obstacle, targets: [...targets.values()] };
}

async function kindOf(ctx: Ctx, documentId: string): Promise<StockKind> {
  const { rows } = await sql<{ kind: string }>`
    SELECT kind FROM warehouse.document WHERE company_id = ${ctx.companyId} AND id = ${documentId}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound('单据不存在或已删除');
  const holder = HOLDERS.find(({ kind }) => kind.name === row.kind);
  if (!holder) throw refused('该类型的单据不占用库存，不能改派', REFUSED);
  return holder.kind;
}

function requireHolding(doc: StockDocument): StockKind {
  const holder = holderOf(`warehouse.${doc.kind}`);
  if (!holder) throw refused(NOT_OURS, REFUSED);
  if (doc.state !== holder.state) throw conflict(wrongState(holder.kind, doc.number, doc.state));
  return holder.kind;
}

/** Locks both documents, the one with the smaller id first, so that two who swap pieces never wait for each other. */
async function bothLocked(ctx: Ctx, from: string, to: string): Promise<[StockDocument, StockDocument]> {
  const found = new Map<string, StockDocument>();
  for (const id of [from, to].sort()) found.set(id, await locked(ctx, await kindOf(ctx, id), id));
  const [giver, taker] = [found.get(from), found.get(to)];
  if (!giver || !taker) throw notFound();
  return [giver, taker];
}

/** Shares pieces among the lines that lack them, in their order. @throws refused B0841 more than they lack */
async function share(ctx: Ctx, of: Reservation, taker: StockDocument, qty: number): Promise<PlacedLine[]> {
  const open = await unscoped(ctx, () => lacks(ctx, of, taker.id));
  const lacking = open.reduce((sum, lack) => sum + lack.lacking, 0);
  if (qty > lacking) throw refused(`单据 ${taker.number} 只缺 ${of.sku} ${lacking} 件，不能改派 ${qty} 件`, REFUSED);
  const { product, warehouse, location, lot } = of;
  let rest = qty;
  return open.flatMap((lack) => {
    const now = Math.min(rest, lack.lacking);
    rest -= now;
    return now > 0 ? [{ line: lack.line, qty: now, product, warehouse, location, lot }] : [];
  });
}

async function tellBoth(ctx: Ctx, giver: StockDocument, taker: StockDocument, what: string, reason: string) {
  const told: [StockDocument, string][] = [
    [giver, `${what}改派给 ${taker.number}`],
    [taker, `从 ${giver.number} 改派来${what}`],
  ];
  for (const [doc, words] of told) {
    await touch(ctx, doc.id);
    const { def } = requireHolding(doc);
    await note(ctx, def.name, doc.id, { kind: 'note', title: words, body: reason });
    const after = { number: doc.number, from: giver.number, to: taker.number, what, reason };
    await audit(ctx, { action: `${def.title}·改派预留`, resource: def.name, resourceId: doc.id, after });
  }
}

interface Wish {
  id: string;
  documentId: string;
  qty: number;
  reason: string;
}

/**
 * What one document holds, or some of it, is held for another one from now on, at the same place: given back and held
 * again in one transaction, so that nobody comes in between. What is picked stays with its picker.
 * @throws refused B0841 more than may go or than the other lacks; conflict where a document has gone on
 */
export async function reassign(ctx: Ctx, { id, documentId, qty, reason }: Wish) {
  const before = await reservationOf(ctx, id);
  if (!holderOf(before.type)) throw refused(NOT_OURS, REFUSED);
  if (before.document === documentId) throw refused('不能改派给同一张单据', REFUSED);
  const [giver, taker] = await bothLocked(ctx, before.document, documentId);
  requireHolding(giver);
  requireHolding(taker);
  requireMove(ctx, before.warehouse);
  if (taker.warehouse !== before.warehouse) {
    const { name } = await warehouseOf(ctx, before.warehouse);
    throw refused(`单据 ${taker.number} 不从【${name}】出货，不能改派`, REFUSED);
  }
  await ownProduct(ctx, before.product);
  // Only now: another may have picked, released or passed on of it while this waited for the documents.
  const of = await reservationOf(ctx, id);
  if (qty > of.movable) throw refused(`该预留可改派 ${of.movable} 件，不能改派 ${qty} 件（已拣货的不能改派）`, REFUSED);
  const lines = await share(ctx, of, taker, qty);
  await passOn(ctx, giver, { ...of, reservation: id, qty }, reason);
  await holdAt(ctx, taker, lines, reason);
  await tellBoth(ctx, giver, taker, `${of.sku} ${qty} 件`, reason);
  return { moved: qty, message: `${of.sku} ${qty} 件已从 ${giver.number} 改派给 ${taker.number}` };
}
