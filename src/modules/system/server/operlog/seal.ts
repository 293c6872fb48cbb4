import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import type { Seal } from '../../contract/operlog.ts';
import { type Anchor, type Break, breakOf, endOf, linksOf, proofOf, type Sealed, type SealRow } from './chain.ts';

const ROWS_PER_SEAL = 1000;
/** Seals of one transaction of a check. */
const SEALS_PER_STEP = 10;
const NOTHING = Buffer.alloc(0);

/** A check found that somebody touched the log: the row that breaks the chain, if there is one, and what is wrong. */
export const auditBroken = event<{ auditId: string | null; problem: string }>('system.auditBroken');

/** Key of the chain, from a secret that lies outside the database. */
function keyOf(runtime: Runtime): Buffer {
  return createHash('sha256').update(`audit seal|${runtime.secrets.pepper}`).digest();
}

/** Everything that a row says, in a form that does not depend on how it is stored. */
const digest = sql`sha256(convert_to(jsonb_build_array(
  a.company_id, a.id, to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), a.actor_id, a.actor_name, a.ip,
  a.action, a.resource, a.resource_id, a.before, a.after, a.request_id)::text, 'UTF8'))`;

/** Seals of one company are written and checked one after the other. */
async function alone(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ctx.companyId}, 7))`.execute(ctx.db);
}

async function lastSeal(ctx: Ctx): Promise<(SealRow & { purged_to: string | null }) | undefined> {
  return ctx.db
    .selectFrom('system.audit_seal')
    .select(['no', 'ids', 'links', 'before', 'purged_to'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function unsealed(ctx: Ctx, after: string | undefined): Promise<Sealed[]> {
  const { rows } = await sql<Sealed>`
    SELECT a.id, ${digest} AS digest FROM kit.audit a
     WHERE a.company_id = ${ctx.companyId} AND a.id < system.id_at((SELECT system.audit_settled()))
       ${after ? sql`AND a.id > ${after}::uuid` : sql``}
     ORDER BY a.id LIMIT ${ROWS_PER_SEAL}`.execute(ctx.db);
  return rows;
}

/**
 * Puts what the log says by now under seal, in the order of ids. Writers of the log do nothing for it: only rows that
 * nobody can still be writing in front of are taken. Answers how many were sealed.
 */
async function seal(ctx: Ctx): Promise<number> {
  const key = keyOf(ctx.runtime);
  const newest = await lastSeal(ctx);
  let last: SealRow | undefined = newest;
  let after = newest?.ids.at(-1) ?? newest?.purged_to ?? undefined;
  for (let total = 0; ; ) {
    const rows = await unsealed(ctx, after);
    if (rows.length === 0) return total;
    const before = last ? Buffer.from(endOf(last)) : NOTHING;
    const next: SealRow = {
      no: (last?.no ?? 0) + 1,
      ids: rows.map((row) => row.id),
      links: linksOf(key, before, rows),
      before,
    };
    await ctx.db
      .insertInto('system.audit_seal')
      .values({ company_id: ctx.companyId, ...next, ids: [...next.ids] })
      .execute();
    total += rows.length;
    last = next;
    after = next.ids.at(-1);
  }
}

async function rowsOf(ctx: Ctx, seal: SealRow, after: string | undefined): Promise<Sealed[]> {
  // From the end of the seal before, so that nothing can be slipped in between two of them.
  const { rows } = await sql<Sealed>`
    SELECT a.id, ${digest} AS digest FROM kit.audit a
     WHERE a.company_id = ${ctx.companyId} AND a.id <= ${seal.ids.at(-1) ?? null}::uuid
       ${after ? sql`AND a.id > ${after}::uuid` : sql``}
     ORDER BY a.id LIMIT ${2 * ROWS_PER_SEAL}`.execute(ctx.db);
  return rows;
}

/** What is left of the beginning of the log, as it stands in the database; undefined where nothing went yet. */
async function anchorOf(ctx: Ctx): Promise<(Anchor & { proof: Buffer }) | undefined> {
  const row = await ctx.db
    .selectFrom('system.audit_seal')
    .select(['no', 'links', 'purged_to', 'purged', 'proof'])
    .where('company_id', '=', ctx.companyId)
    .where('purged_to', 'is not', null)
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.purged_to || !row.proof) return undefined;
  return { no: row.no, purgedTo: row.purged_to, purged: Number(row.purged), link: row.links, proof: row.proof };
}

/** Why a beginning is not what was left of the log; undefined where it is. */
async function anchorBreak(ctx: Ctx, anchor: Anchor & { proof: Buffer }): Promise<Break | undefined> {
  const proof = proofOf(keyOf(ctx.runtime), ctx.companyId, anchor);
  if (proof.length !== anchor.proof.length || !timingSafeEqual(proof, anchor.proof)) {
    return { id: null, problem: `第${anchor.no}段封存记录被改动` };
  }
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM kit.audit WHERE company_id = ${ctx.companyId} AND id <= ${anchor.purgedTo}::uuid LIMIT 1`.execute(
    ctx.db,
  );
  return rows[0] && { id: rows[0].id, problem: '该条日志是封存之后插入的' };
}

/** Where a check begins: at the first seal, or behind what is left of those that went. */
async function begin(ctx: Ctx): Promise<Walk> {
  const anchor = await anchorOf(ctx);
  if (!anchor) return { no: 1, before: NOTHING, after: undefined, checked: 0, purged: 0, found: undefined };
  const { no, link, purgedTo, purged } = anchor;
  const found = await anchorBreak(ctx, anchor);
  return { no: no + 1, before: Buffer.from(link), after: purgedTo, checked: 0, purged, found };
}

/**
 * Takes the oldest seal with its rows out of the log, if all of them are more than 24 months old and just as they were
 * sealed. Answers how many rows went; 0 where none may.
 */
export async function purgeOldest(ctx: Ctx): Promise<number> {
  await alone(ctx);
  const key = keyOf(ctx.runtime);
  const { no, before, after, purged, found } = await begin(ctx);
  if (found) return 0;
  const seal = await ctx.db
    .selectFrom('system.audit_seal')
    .select(['no', 'ids', 'links', 'before'])
    .where('company_id', '=', ctx.companyId)
    .where('no', '=', no)
    .where(sql<boolean>`ids[cardinality(ids)] < system.id_at(kit.now() - interval '24 months')`)
    .executeTakeFirst();
  const last = seal?.ids.at(-1);
  if (!seal || !last || breakOf(key, seal, before, await rowsOf(ctx, seal, after))) return 0;
  const total = purged + seal.ids.length;
  const proof = proofOf(key, ctx.companyId, { no, purgedTo: last, purged: total, link: endOf(seal) });
  const { rows } = await sql<{ n: string }>`SELECT system.purge_audit(${no}, ${total}, ${proof}) AS n`.execute(ctx.db);
  return Number(rows[0]?.n ?? 0);
}

/** How far a check has come through the chain. */
interface Walk {
  /** Next seal. */
  no: number;
  before: Buffer;
  after: string | undefined;
  checked: number;
  /** Rows that went by age before the check began. */
  purged: number;
  found: Break | undefined;
}

/** Whether what the check was coming to went by age meanwhile: it goes on behind that then. */
async function overtaken(ctx: Ctx, walk: Walk): Promise<boolean> {
  const now = await begin(ctx);
  if (now.no <= walk.no) return false;
  const checked = Math.max(0, walk.checked + walk.purged - now.purged);
  Object.assign(walk, { ...now, checked });
  return true;
}

/** Checks up to `seals` more seals; answers whether the end, or a break, was reached. */
async function walkOn(ctx: Ctx, walk: Walk, seals: number): Promise<boolean> {
  // Neither seals nor rows go while they are compared.
  await alone(ctx);
  const key = keyOf(ctx.runtime);
  for (let n = 0; n < seals; n += 1) {
    const seal: SealRow | undefined = await ctx.db
      .selectFrom('system.audit_seal')
      .select(['no', 'ids', 'links', 'before'])
      .where('company_id', '=', ctx.companyId)
      .where('no', '>=', walk.no)
      .where('purged_to', 'is', null)
      .orderBy('no')
      .limit(1)
      .executeTakeFirst();
    if (seal?.no !== walk.no && (await overtaken(ctx, walk))) {
      if (walk.found) return true;
      continue;
    }
    if (!seal) return true;
    walk.found =
      seal.no === walk.no
        ? breakOf(key, seal, walk.before, await rowsOf(ctx, seal, walk.after))
        : { id: seal.ids[0] ?? null, problem: `缺少第${walk.no}段封存记录` };
    if (walk.found) return true;
    walk.no += 1;
    walk.checked += seal.ids.length;
    walk.before = Buffer.from(endOf(seal));
    walk.after = seal.ids.at(-1);
  }
  return false;
}

/** Rows that were whole under seal before or had gone by age; fewer of both now means that seals were taken away. */
async function seenBefore(ctx: Ctx): Promise<number> {
  const { n } = await ctx.db
    .selectFrom('system.audit_check')
    .select((eb) => eb.fn.max(eb('checked', '+', eb.ref('purged'))).as('n'))
    .where('company_id', '=', ctx.companyId)
    .where('is_whole', '=', true)
    .executeTakeFirstOrThrow();
  return Number(n ?? 0);
}

/** Finishes a check behind everybody else's: what was sealed meanwhile, then what is new, then the result. */
async function conclude(ctx: Ctx, walk: Walk): Promise<Break | undefined> {
  await alone(ctx);
  if (!walk.found) await walkOn(ctx, walk, Number.POSITIVE_INFINITY);
  const missing = walk.found === undefined && walk.checked + walk.purged < (await seenBefore(ctx));
  const found = missing ? { id: null, problem: '末尾的封存记录被删除' } : walk.found;
  // A chain that lost its end is not begun anew as if nothing had happened.
  const fresh = missing ? 0 : await seal(ctx);
  await ctx.db
    .insertInto('system.audit_check')
    .values({
      company_id: ctx.companyId,
      is_whole: found === undefined,
      checked: walk.checked + (found ? 0 : fresh),
      purged: walk.purged,
      problem: found?.problem ?? null,
      audit_id: found?.id ?? null,
      asked_by_name: ctx.userId ? ctx.userName : null,
    })
    .execute();
  if (found) await emit(ctx, auditBroken, { auditId: found.id, problem: found.problem });
  return found;
}

async function sealedRows(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: string | null }>`
    SELECT sum(cardinality(ids)) AS n FROM system.audit_seal WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return Number(rows[0]?.n ?? 0);
}

/** Tells how many of how many sealed rows were checked. */
export type OnProgress = (checked: number, all: number) => Promise<void>;

/**
 * Checks the whole chain of a company, seals what is new and keeps the result; a break is told with auditBroken. It
 * goes through the chain in many short transactions, so that a log of years holds nobody up.
 */
export async function verify(
  runtime: Runtime,
  principal: Principal,
  onProgress: OnProgress = async () => {},
): Promise<Break | undefined> {
  const long = { timeoutMs: 0 };
  const all = await inTenant(runtime, principal, sealedRows, long);
  const walk = await inTenant(runtime, principal, begin, long);
  while (!walk.found) {
    const ended = await inTenant(runtime, principal, (ctx) => walkOn(ctx, walk, SEALS_PER_STEP), long);
    await onProgress(walk.checked, all);
    if (ended) break;
  }
  return inTenant(runtime, principal, (ctx) => conclude(ctx, walk), long);
}

/** What is under seal, and what the last check found. */
export async function sealState(ctx: Ctx): Promise<Seal> {
  const check = await ctx.db
    .selectFrom('system.audit_check')
    .select(['at', 'is_whole', 'checked', 'problem', 'audit_id'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { rows } = await sql<{ sealed: number; at: string | null; end: Buffer | null }>`
    SELECT coalesce(sum(cardinality(ids)), 0) AS sealed, max(sealed_at) AS at,
           (SELECT substring(l.links FROM length(l.links) - 31) FROM system.audit_seal l
             WHERE l.company_id = ${ctx.companyId} ORDER BY l.no DESC LIMIT 1) AS end
      FROM system.audit_seal WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const sum = rows[0];
  return {
    state: check ? (check.is_whole ? 'whole' : 'broken') : 'unchecked',
    checkedAt: check?.at ?? null,
    checked: check?.checked ?? 0,
    sealed: Number(sum?.sealed ?? 0),
    sealedAt: sum?.at ?? null,
    fingerprint: sum?.end?.toString('hex') ?? null,
    problem: check?.problem ?? null,
    auditId: check?.audit_id ?? null,
  };
}
