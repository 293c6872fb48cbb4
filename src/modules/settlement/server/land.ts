import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { copyRows } from '#kit/server/db/copy.ts';
import { analyseIfGrown } from '#kit/server/db/statistics.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import {
  type AccountRef,
  itemsAside,
  type LandCounts,
  setAsideItems,
  settleItems,
} from '#modules/marketplace/server/index.ts';
import { MAPPING_VERSION } from '../contract/fee-map.ts';

import { holdMoney, supersedeCovered } from './coverage.ts';
import { touch } from './touched.ts';
import { type ParsedTransaction, stageOf } from './transactions.ts';

/** Code of the stream of transactions. */
export const FINANCES = 'finances';

async function createStages(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.stage_tx, pg_temp.stage_tx_line, pg_temp.stage_tx_new`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_tx (no int PRIMARY KEY, external_id text, status text, transaction_type text,
      posted_at timestamptz, marketplace_id text, currency text, total numeric, settlement_id text,
      event_group_id text, order_id text, shipment_id text, deferred_id text, release_id text,
      matures_at timestamptz, content_hash text, problem text, raw jsonb) ON COMMIT DROP`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_tx_line (no int, line_no int, stage text, transaction_type text, amount_type text,
      amount_description text, fee_code text, pl_section text, order_item_code text, sku text, quantity int,
      amount numeric, zone text) ON COMMIT DROP`.execute(ctx.db);
}

const zones = new Map(MARKETPLACES.map(({ id, timeZone }) => [id, timeZone]));

async function copyTransactions(ctx: Ctx, list: readonly ParsedTransaction[], home: string): Promise<void> {
  await copyRows(
    ctx,
    'pg_temp.stage_tx',
    list.map((one, no) => [
      no,
      one.transactionId,
      one.status,
      one.transactionType,
      one.postedAt,
      one.marketplaceId ?? home,
      one.currency,
      one.total,
      one.settlementId,
      one.eventGroupId,
      one.orderId,
      one.shipmentId,
      one.deferredId,
      one.releaseId,
      one.maturesAt,
      one.contentHash,
      one.problem,
      one.raw === null ? null : JSON.stringify(one.raw),
    ]),
  );
  await copyRows(
    ctx,
    'pg_temp.stage_tx_line',
    list.flatMap((one, no) =>
      one.lines.map((line) => [
        no,
        line.lineNo,
        stageOf(one.status),
        one.transactionType,
        line.amountType,
        line.amountDescription,
        line.feeCode,
        line.section,
        line.orderItemCode,
        line.sku,
        line.quantity,
        line.amount,
        zones.get(one.marketplaceId ?? home) ?? 'UTC',
      ]),
    ),
  );
  await sql`ANALYZE stage_tx`.execute(ctx.db);
}

/** New transactions, and known ones that say something else now, become documents; `old` is the version replaced. */
async function insertDocuments(ctx: Ctx, accountId: string): Promise<{ id: string; old: string | null }[]> {
  await sql`
    CREATE TEMP TABLE stage_tx_new ON COMMIT DROP AS
    SELECT t.no, uuidv7() AS id, d.id AS old, coalesce(d.version, 0) + 1 AS version
      FROM pg_temp.stage_tx AS t
      LEFT JOIN LATERAL (
        SELECT id, version, content_hash FROM settlement.source_doc
         WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND kind = 'TRANSACTION'
           AND external_id = t.external_id
         ORDER BY version DESC LIMIT 1) AS d ON true
     WHERE d.content_hash IS DISTINCT FROM t.content_hash`.execute(ctx.db);
  await sql`
    INSERT INTO settlement.source_doc
      (company_id, id, account_id, kind, external_id, version, state, marketplace_id, currency, total, content_hash,
       status, transaction_type, posted_at, settlement_id, event_group_id, order_id, shipment_id, deferred_id,
       release_id, matures_at, problem, raw)
    SELECT ${ctx.companyId}, n.id, ${accountId}, 'TRANSACTION', t.external_id, n.version,
           CASE WHEN t.problem IS NULL THEN 'ACTIVE' ELSE 'QUARANTINED' END, t.marketplace_id, t.currency, t.total,
           t.content_hash, t.status, t.transaction_type, t.posted_at, t.settlement_id, t.event_group_id, t.order_id,
           t.shipment_id, t.deferred_id, t.release_id, t.matures_at, t.problem, t.raw
      FROM pg_temp.stage_tx_new AS n JOIN pg_temp.stage_tx AS t USING (no)`.execute(ctx.db);
  const { rows } = await sql<{ id: string; old: string | null }>`SELECT id, old FROM pg_temp.stage_tx_new`.execute(
    ctx.db,
  );
  return rows;
}

async function insertLines(ctx: Ctx, accountId: string): Promise<void> {
  const result = await sql`
    INSERT INTO settlement.money_line
      (company_id, source_doc_id, line_no, account_id, source, stage, marketplace_id, marketplace_from,
       transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, ref_kind,
       ref_value, order_item_code, shipment_id, sku, sku_from, quantity, amount, currency, posted_at, posted_date)
    SELECT ${ctx.companyId}, n.id, l.line_no, ${accountId}, 'TRANSACTION', l.stage, t.marketplace_id, 'FILE',
           l.transaction_type, l.amount_type, l.amount_description, l.fee_code, l.pl_section,
           ${MAPPING_VERSION}::smallint, t.order_id, CASE WHEN t.order_id IS NOT NULL THEN 'ORDER' END, t.order_id,
           l.order_item_code, t.shipment_id, l.sku, 'FILE', l.quantity, l.amount, t.currency, t.posted_at,
           (t.posted_at AT TIME ZONE l.zone)::date
      FROM pg_temp.stage_tx_new AS n
      JOIN pg_temp.stage_tx AS t USING (no)
      JOIN pg_temp.stage_tx_line AS l USING (no)`.execute(ctx.db);
  await analyseIfGrown(ctx, 'settlement.money_line', Number(result.numAffectedRows ?? 0));
}

async function supersedeOld(ctx: Ctx): Promise<void> {
  await sql`
    UPDATE settlement.source_doc AS d
       SET state = 'SUPERSEDED', superseded_why = 'NEW_VERSION', superseded_by = n.id, superseded_at = kit.now()
      FROM pg_temp.stage_tx_new AS n
     WHERE d.company_id = ${ctx.companyId} AND d.id = n.old AND d.state <> 'SUPERSEDED'`.execute(ctx.db);
}

/** Two streams read the same transactions: what was released stays so, though an answer from before arrives after it. */
const STATUS = sql`CASE WHEN d.status = 'DEFERRED_RELEASED' THEN d.status ELSE t.status END`;

/** What became known later about a transaction whose money is unchanged: its settlement, its release. */
async function refresh(ctx: Ctx, accountId: string): Promise<number> {
  const result = await sql`
    UPDATE settlement.source_doc AS d
       SET status = ${STATUS}, settlement_id = coalesce(t.settlement_id, d.settlement_id),
           event_group_id = coalesce(t.event_group_id, d.event_group_id),
           release_id = coalesce(t.release_id, d.release_id), matures_at = coalesce(t.matures_at, d.matures_at)
      FROM pg_temp.stage_tx AS t
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.kind = 'TRANSACTION'
       AND d.external_id = t.external_id AND d.content_hash = t.content_hash
       AND (d.status, d.settlement_id, d.event_group_id, d.release_id, d.matures_at) IS DISTINCT FROM
           (${STATUS}, coalesce(t.settlement_id, d.settlement_id), coalesce(t.event_group_id, d.event_group_id),
            coalesce(t.release_id, d.release_id), coalesce(t.matures_at, d.matures_at))`.execute(ctx.db);
  return Number(result.numAffectedRows ?? 0);
}

/** The last of several readings of one transaction counts. */
function distinct(list: readonly ParsedTransaction[]): ParsedTransaction[] {
  return [...new Map(list.map((one) => [one.transactionId, one])).values()];
}

/** Transactions that do not add up wait in the quarantine until they arrive well. */
async function keepBooks(ctx: Ctx, accountId: string, list: readonly ParsedTransaction[]): Promise<void> {
  const waiting = new Set(await itemsAside(ctx, accountId, FINANCES));
  const good = list.filter((one) => one.problem === null && waiting.has(one.transactionId));
  await settleItems(
    ctx,
    accountId,
    FINANCES,
    good.map((one) => one.transactionId),
  );
  const bad = list.flatMap(({ transactionId: key, problem: reason, raw }) => (reason ? [{ key, reason, raw }] : []));
  await setAsideItems(ctx, accountId, FINANCES, bad);
}

/**
 * Writes transactions of an account in the caller's transaction. Repeating it changes nothing; the order in which
 * transactions and settlement files arrive makes no difference to what counts in the end.
 */
export async function landTransactions(
  ctx: Ctx,
  account: AccountRef,
  read: readonly ParsedTransaction[],
): Promise<LandCounts> {
  const list = distinct(read);
  await holdMoney(ctx, account.id);
  await createStages(ctx);
  await copyTransactions(ctx, list, account.marketplaceIds[0] ?? '');
  const refreshed = await refresh(ctx, account.id);
  const made = await insertDocuments(ctx, account.id);
  await analyseIfGrown(ctx, 'settlement.source_doc', made.length);
  await supersedeOld(ctx);
  await insertLines(ctx, account.id);
  // Where nothing is new, nothing can have made room for anything.
  const covered = made.length + refreshed > 0 ? await supersedeCovered(ctx, account.id) : [];
  const old = made.flatMap((row) => (row.old === null ? [] : [row.old]));
  await touch(ctx, [...made.map((row) => row.id), ...old, ...covered]);
  await keepBooks(ctx, account.id, list);
  return {
    rowsIn: read.length,
    inserted: made.length - old.length,
    updated: old.length + refreshed,
    unchanged: read.length - made.length - refreshed,
    quarantined: list.filter((one) => one.problem !== null).length,
  };
}
