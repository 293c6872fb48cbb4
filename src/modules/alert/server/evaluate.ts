import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { careSelect } from '#modules/analysis/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { VIEW } from '../contract/alerts.ts';
import { type AlertKind, kindsOf } from './kinds.ts';

/** What an evaluation did to the alerts of a kind. */
export interface Evaluated {
  opened: number;
  changed: number;
  closed: number;
}

/** The figures of now with who answers for them and the threshold that holds there: the narrowest rule, else the usual one. */
async function gather(ctx: Ctx, kind: AlertKind): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.alert_now`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE alert_now ON COMMIT DROP AS
    SELECT s.account_id, s.marketplace_id, s.seller_sku, s.figure::numeric(20, 4) AS figure, left(s.words, 300) AS words, c.owner_id,
           coalesce(r.threshold, ${kind.threshold}::numeric) AS threshold, coalesce(r.enabled, true) AS enabled
      FROM (${kind.subjects(ctx)}) AS s
      LEFT JOIN (${careSelect(ctx)}) AS c ON c.account_id = s.account_id AND c.marketplace_id = s.marketplace_id
       AND c.seller_sku = s.seller_sku
      LEFT JOIN LATERAL (
        SELECT r.threshold, r.enabled FROM alert.rule AS r
         WHERE r.company_id = ${ctx.companyId} AND r.kind = ${kind.code} AND (r.scope = 'COMPANY'
            OR (r.scope = 'ACCOUNT' AND r.scope_id = s.account_id) OR (r.scope = 'OWNER' AND r.scope_id = c.owner_id)
            OR (r.scope = 'TAG' AND r.scope_id = ANY (c.tag_ids)))
         ORDER BY array_position(ARRAY['TAG', 'OWNER', 'ACCOUNT', 'COMPANY'], r.scope), r.id LIMIT 1) AS r ON true`.execute(
    ctx.db,
  );
  await sql`ANALYZE pg_temp.alert_now`.execute(ctx.db);
}

const SAME = sql`n.account_id = a.account_id AND n.marketplace_id = a.marketplace_id AND n.seller_sku = a.seller_sku`;

/** Opens what is bad now: what was never told, and what has come back. */
async function open(ctx: Ctx, kind: AlertKind): Promise<string[]> {
  const bad = kind.below ? sql`n.figure <= n.threshold` : sql`n.figure >= n.threshold`;
  const { rows } = await sql<{ id: string }>`
    WITH opened AS (
      INSERT INTO alert.alert AS a (company_id, kind, account_id, marketplace_id, seller_sku, figure, threshold, words, owner_id)
      SELECT ${ctx.companyId}, ${kind.code}, n.account_id, n.marketplace_id, n.seller_sku, n.figure, n.threshold,
             coalesce(n.words, ''), n.owner_id
        FROM pg_temp.alert_now AS n
       WHERE n.enabled AND ${bad} AND NOT EXISTS (
             SELECT FROM alert.alert AS a WHERE a.company_id = ${ctx.companyId} AND a.kind = ${kind.code} AND ${SAME}
                AND a.state = 'OPEN')
      ON CONFLICT (company_id, kind, account_id, marketplace_id, seller_sku) DO UPDATE
         SET state = 'OPEN', times = a.times + 1, opened_at = kit.now(), seen_at = kit.now(), closed_at = NULL,
             figure = excluded.figure, threshold = excluded.threshold, words = excluded.words, owner_id = excluded.owner_id,
             version = a.version + 1
      RETURNING id, figure, threshold),
    told AS (
      INSERT INTO alert.figure (company_id, alert_id, what, figure, threshold)
      SELECT ${ctx.companyId}, id, 'OPEN', figure, threshold FROM opened)
    SELECT id FROM opened`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Alerts that are still open when the time is over for which nobody wanted to hear of them: they are told of again, once. */
async function wake(ctx: Ctx, kind: AlertKind): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE alert.alert SET muted_until = NULL, mute_reason = '', version = version + 1
     WHERE company_id = ${ctx.companyId} AND kind = ${kind.code} AND state = 'OPEN' AND muted_until <= kit.now()
    RETURNING id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Closes what is well again: beyond its threshold by the slack of its kind, told of no more, or watched no more. */
async function close(ctx: Ctx, kind: AlertKind): Promise<number> {
  const well = kind.below
    ? sql`n.figure > n.threshold * (1 + ${kind.slack}::numeric)`
    : sql`n.figure < n.threshold * (1 - ${kind.slack}::numeric)`;
  const { rows } = await sql<{ n: number }>`
    WITH closed AS (
      UPDATE alert.alert AS a SET state = 'CLOSED', closed_at = kit.now(), version = a.version + 1,
             figure = coalesce(w.figure, a.figure), threshold = coalesce(w.threshold, a.threshold)
        FROM (SELECT a.id, n.figure, n.threshold FROM alert.alert AS a
                LEFT JOIN pg_temp.alert_now AS n ON ${SAME}
               WHERE a.company_id = ${ctx.companyId} AND a.kind = ${kind.code} AND a.state = 'OPEN'
                 AND (n.figure IS NULL OR NOT n.enabled OR ${well})) AS w
       WHERE a.company_id = ${ctx.companyId} AND a.id = w.id
      RETURNING a.id, w.figure, a.threshold),
    told AS (
      INSERT INTO alert.figure (company_id, alert_id, what, figure, threshold)
      SELECT ${ctx.companyId}, id, 'CLOSE', figure, threshold FROM closed)
    SELECT count(*)::int AS n FROM closed`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** Brings the figures of alerts that stay open up to now; those that are the same only say that they were seen. */
async function follow(ctx: Ctx, kind: AlertKind): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    WITH seen AS (
      UPDATE alert.alert AS a SET seen_at = kit.now(), figure = n.figure, threshold = n.threshold, words = coalesce(n.words, ''),
             owner_id = n.owner_id
        FROM pg_temp.alert_now AS n
       WHERE a.company_id = ${ctx.companyId} AND a.kind = ${kind.code} AND a.state = 'OPEN' AND ${SAME}
      RETURNING a.id, new.figure, new.threshold,
                (old.figure, old.threshold) IS DISTINCT FROM (new.figure, new.threshold) AS moved),
    told AS (
      INSERT INTO alert.figure (company_id, alert_id, what, figure, threshold)
      SELECT ${ctx.companyId}, id, 'CHANGE', figure, threshold FROM seen WHERE moved)
    SELECT count(*) FILTER (WHERE moved)::int AS n FROM seen`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

const NAMED = 10;

/** One message for each reader, kind and run: to whoever answers for the listings, else to all who may see alerts. */
async function tell(ctx: Ctx, kind: AlertKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ reader: string | null; n: number; skus: string[] }>`
    SELECT coalesce(assignee_id, owner_id) AS reader, count(*)::int AS n, (array_agg(seller_sku ORDER BY seller_sku))[1:${sql.lit(
      NAMED,
    )}] AS skus
      FROM alert.alert
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND (muted_until IS NULL OR muted_until <= kit.now())
     GROUP BY 1`.execute(ctx.db);
  for (const { reader, n, skus } of rows) {
    await remind(ctx, {
      to: reader === null ? { permission: VIEW } : [reader],
      title: `${kind.title}：${n} 个商品`,
      content: `${skus.join('、')}${n > skus.length ? ' 等' : ''}\n请在预警中心处理。`,
      event: ALERT_EVENT,
      documentType: ALERT_KIND,
      documentId: kind.code,
    });
  }
}

export const ALERT_EVENT = 'alert.opened';
/** What a reminder opens: the alerts of a kind. */
export const ALERT_KIND = 'alert.kind';

/**
 * Looks at all listings of a company for a kind at once: opens, follows and closes alerts, and tells of those that were
 * opened and of those that are still open when their time of silence ends.
 * A run that changes nothing tells nothing. One at a time for a kind and company.
 */
export async function evaluate(ctx: Ctx, kind: AlertKind): Promise<Evaluated> {
  const key = `alert:${ctx.companyId}:${kind.code}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
  await gather(ctx, kind);
  const closed = await close(ctx, kind);
  const changed = await follow(ctx, kind);
  const opened = await open(ctx, kind);
  await tell(ctx, kind, [...opened, ...(await wake(ctx, kind))]);
  return { opened: opened.length, changed, closed };
}

/** The same for all kinds, by code. */
export async function evaluateAll(ctx: Ctx): Promise<Map<string, Evaluated>> {
  const found = new Map<string, Evaluated>();
  for (const [code, kind] of kindsOf(ctx)) found.set(code, await evaluate(ctx, kind));
  return found;
}
