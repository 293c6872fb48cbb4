import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { LIVE_STATUSES } from '../auth/accounts.ts';
import { BACKFILL_PRIORITY } from './backfill.ts';
import { catalogue } from './catalogue.ts';
import { noteServed } from './served.ts';
import { begin, classesInOrder, type SlotClass } from './slots.ts';
import { priorityOf } from './start.ts';
import { holdUnit, type Unit, type UnitKind } from './unit.ts';

interface Due {
  company_id: string;
  kind: UnitKind;
  id: string;
}

/** A unit that the queue offers, as it stands: absent where nothing is left to do. */
interface Offered {
  class: SlotClass;
  /** Of the queue; smaller is more urgent. */
  priority: number;
  /** Another worker has it until then. */
  heldUntil: Date | null;
}

const accountLives = (row: string) => sql`EXISTS (
  SELECT FROM marketplace.seller_account AS a
   WHERE a.company_id = ${sql.ref(`${row}.company_id`)} AND a.id = ${sql.ref(`${row}.account_id`)}
     AND a.status = ANY (${[...LIVE_STATUSES]}::text[]))`;

/** For whoever takes it: what another worker is taking, or writes while it loads, is passed over. */
const locked = (row: string, take: boolean) => (take ? sql`FOR NO KEY UPDATE OF ${sql.ref(row)} SKIP LOCKED` : sql``);

function dueStream(behind: boolean, urgent: readonly string[] | undefined, take: boolean) {
  const only = urgent ? sql`AND c.stream = ANY (${[...urgent]}::text[])` : sql``;
  return sql`
    (SELECT 'sync' AS kind, c.id, c.not_before AS due_at FROM marketplace.sync_cursor AS c
      WHERE c.company_id = t.company_id AND c.state = 'ready' AND c.behind = ${sql.lit(behind)}
        AND c.not_before <= kit.now() AND (c.lease_until IS NULL OR c.lease_until < kit.now()) ${only} AND ${accountLives('c')}
      ORDER BY c.not_before LIMIT 1 ${locked('c', take)})`;
}

function dueReport(past: boolean, most: number | undefined, take: boolean) {
  const only = most === undefined ? sql`` : sql`AND r.priority <= ${most}::int`;
  return sql`
    (SELECT 'report' AS kind, r.id, r.next_at AS due_at FROM marketplace.report_request AS r
      WHERE r.company_id = t.company_id AND r.status IN ('planned', 'requested', 'ready', 'downloaded')
        AND r.past = ${sql.lit(past)} AND r.next_at <= kit.now() AND (r.taken_until IS NULL OR r.taken_until < kit.now())
        ${only} AND ${accountLives('r')}
      ORDER BY r.next_at, r.priority LIMIT 1 ${locked('r', take)})`;
}

const dueBackfill = (take: boolean) => sql`
    (SELECT 'backfill' AS kind, b.id, b.next_at AS due_at FROM marketplace.sync_backfill AS b
      WHERE b.company_id = t.company_id AND b.state = 'running' AND b.next_at <= kit.now()
        AND (b.taken_until IS NULL OR b.taken_until < kit.now()) AND ${accountLives('b')}
      ORDER BY b.next_at LIMIT 1 ${locked('b', take)})`;

/** What bounds the choice within the offered unit's own class: its streams, and the queue's priority of its reports. */
export interface Urgency {
  streams: readonly string[];
  most: number;
}

function dueOf(slot: SlotClass, urgency: Urgency | undefined, take = false) {
  if (slot === 'gap') return dueStream(true, urgency?.streams, take);
  const report = dueReport(slot === 'backfill', urgency?.most, take);
  const other = slot === 'live' ? dueStream(false, urgency?.streams, take) : dueBackfill(take);
  return sql`
    (SELECT kind, id, due_at
       FROM (SELECT kind, id, due_at FROM ${other} AS other
             UNION ALL SELECT kind, id, due_at FROM ${report} AS report) AS either
      ORDER BY due_at LIMIT 1)`;
}

/**
 * The company whose turn it is in a class, and what has been due longest there. The turns are walked in their order and end
 * at the first company that has something due; all steps read an index and nothing else. With `free`, companies that
 * another worker is choosing for at this moment are passed over.
 */
export function nextTurn(slot: SlotClass, urgency?: Urgency, free = false) {
  return sql<Due>`
    SELECT t.company_id, due.kind, due.id FROM marketplace.sync_turn AS t
     CROSS JOIN LATERAL ${dueOf(slot, urgency)} AS due
     WHERE t.class = ${sql.lit(slot)} ORDER BY t.served_at, t.company_id LIMIT 1
     ${free ? sql`FOR NO KEY UPDATE OF t SKIP LOCKED` : sql``}`;
}

/** What has been due longest in a class of one company, and that nobody else is about to take. */
async function take(
  db: Db,
  slot: SlotClass,
  companyId: string,
  urgency: Urgency | undefined,
): Promise<Unit | undefined> {
  const { rows } = await sql<Due>`
    SELECT t.company_id, due.kind, due.id FROM (SELECT ${companyId}::uuid AS company_id) AS t
     CROSS JOIN LATERAL ${dueOf(slot, urgency, true)} AS due`.execute(db);
  const due = rows[0];
  return due && { kind: due.kind, companyId, id: due.id };
}

const OFFERED = {
  sync: (unit: Unit) => sql<Offered & { stream: string }>`
    SELECT CASE WHEN behind THEN 'gap' ELSE 'live' END AS class, stream, 0 AS priority, NULL AS "heldUntil"
      FROM marketplace.sync_cursor WHERE company_id = ${unit.companyId} AND id = ${unit.id} AND state = 'ready'`,
  report: (unit: Unit) => sql<Offered & { stream: string }>`
    SELECT CASE WHEN past THEN 'backfill' ELSE 'live' END AS class, '' AS stream, priority,
           CASE WHEN taken_until > kit.now() THEN taken_until END AS "heldUntil"
      FROM marketplace.report_request
     WHERE company_id = ${unit.companyId} AND id = ${unit.id}
       AND status IN ('planned', 'requested', 'ready', 'downloaded')`,
  backfill: (unit: Unit) => sql<Offered & { stream: string }>`
    SELECT 'backfill' AS class, '' AS stream, ${BACKFILL_PRIORITY}::int AS priority,
           CASE WHEN taken_until > kit.now() THEN taken_until END AS "heldUntil"
      FROM marketplace.sync_backfill WHERE company_id = ${unit.companyId} AND id = ${unit.id} AND state = 'running'`,
};

async function offeredOf(runtime: Runtime, db: Db, unit: Unit): Promise<Offered | undefined> {
  const { rows } = await OFFERED[unit.kind](unit).execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const priority = unit.kind === 'sync' ? priorityOf(runtime, row.stream) : row.priority;
  return { class: row.class, priority, heldUntil: row.heldUntil && new Date(row.heldUntil) };
}

/** What is at least as urgent as one place in the queue. */
function asUrgentAs(runtime: Pick<Runtime, 'modules'>, most: number): Urgency {
  return { streams: catalogue(runtime).flatMap(({ code, priority }) => (priority <= most ? [code] : [])), most };
}

interface Found {
  class: SlotClass;
  companyId: string;
  idle: SlotClass[];
}

async function find(db: Db, offered: Offered, urgency: Urgency): Promise<Found | undefined> {
  const idle: SlotClass[] = [];
  for (const slot of await classesInOrder(db)) {
    const bound = slot === offered.class ? urgency : undefined;
    const [free] = (await nextTurn(slot, bound, true).execute(db)).rows;
    const due = free ?? (await nextTurn(slot, bound).execute(db)).rows[0];
    if (due) return { class: slot, companyId: due.company_id, idle };
    idle.push(slot);
  }
  return undefined;
}

/** Whose unit a worker does, of which class, and what the queue must do with the one that it offered. */
export interface Turn {
  unit: Unit;
  class: SlotClass;
  /** The offered one goes back to its place, or waits for whoever has it. */
  again: { priority: number; at: Date | undefined } | undefined;
}

/**
 * What a worker reads now that the queue offers it `offered`. A queued run, report step or backfill step is a right to do one
 * such thing, not that very one: the class is next that has had least of its share, and within it companies take turns, so
 * that neither the past of many stores nor a company with hundreds of them keeps anybody waiting. Within its own turn a
 * company's queue decides. Undefined where nothing is left of the offered one.
 */
export async function takeTurn(runtime: Runtime, offered: Unit): Promise<Turn | undefined> {
  return inSystem(
    runtime,
    async (db) => {
      const own = await offeredOf(runtime, db, offered);
      if (!own) return undefined;
      const urgency = asUrgentAs(runtime, own.priority);
      const {
        class: slot,
        companyId,
        idle,
      } = (await find(db, own, urgency)) ?? {
        class: own.class,
        companyId: offered.companyId,
        idle: [],
      };
      const mine = slot === own.class && companyId === offered.companyId && (await holdUnit(runtime, db, offered));
      const unit = mine ? offered : await take(db, slot, companyId, slot === own.class ? urgency : undefined);
      if (!unit) {
        const at = own.heldUntil ?? new Date(runtime.clock.ms() + runtime.config.retryBaseMs);
        return { unit: offered, class: slot, again: { priority: own.priority, at } };
      }
      if (!mine) await holdUnit(runtime, db, unit);
      await noteServed(db, slot, companyId);
      await begin(db, slot, idle);
      return { unit, class: slot, again: mine ? undefined : { priority: own.priority, at: undefined } };
    },
    { prepared: true },
  );
}

/** Gives a company that begins to be read a turn of each class: the next one. */
export async function joinTurns(ctx: Pick<Ctx, 'db' | 'companyId'>): Promise<void> {
  await ctx.db
    .insertInto('marketplace.sync_turn')
    .values(['live', 'gap', 'backfill'].map((slot) => ({ company_id: ctx.companyId, class: slot })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
