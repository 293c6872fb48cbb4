import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { analyseIfGrown } from '#kit/server/db/statistics.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { LandCounts, ReportSource } from '#modules/marketplace/server/index.ts';
import { reconcileClosed } from './balance/reconcile.ts';
import { supersedeCovered } from './coverage.ts';
import { insertFeeTotals, insertLines } from './load-lines.ts';
import { FileRefused, type SettlementHead, settlementV1, settlementV2 } from './readers.ts';
import { type Staged, stageLines } from './stage.ts';
import { touch } from './touched.ts';

export const FORMS = {
  [settlementV1.type]: { reader: settlementV1, form: 'v1' },
  [settlementV2.type]: { reader: settlementV2, form: 'v2' },
} as const;

/** Opens the reader of the file's form. @throws FileRefused FOREIGN for a type that is no settlement */
export function readingOf(source: ReportSource) {
  const found = FORMS[source.reportType];
  if (!found) throw new FileRefused('FOREIGN', `「${source.reportType}」不是结算报告`);
  const options = { charset: source.charset, marketplaceId: source.marketplaceIds[0] };
  return { form: found.form, reading: found.reader.read(source.open, options) };
}

interface Version {
  id: string;
  version: number;
  sha256: string;
  superseded_at: string | null;
  /** Somebody took the upload back: the same file may come again. */
  reverted: boolean;
}

/**
 * Detail rows of a file whose bytes are a version of a settlement already, which nobody took back: whatever it says, it
 * changes nothing, so that it is not even opened. Undefined where it must be read, as it is when somebody wishes it.
 */
async function loadedBefore(ctx: Ctx, { account, sha256, afresh }: ReportSource): Promise<number | undefined> {
  if (afresh) return undefined;
  const { rows } = await sql<{ n: number }>`
    SELECT s.file_rows AS n FROM settlement.settlement AS s
      JOIN settlement.source_doc AS d ON d.company_id = s.company_id AND d.id = s.id
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ${account.id} AND s.sha256 = ${sha256}
       AND s.file_rows IS NOT NULL AND d.superseded_why IS DISTINCT FROM 'REVERTED'
       AND NOT EXISTS (SELECT FROM settlement.settlement AS o
                        WHERE o.company_id = s.company_id AND o.settlement_id = s.settlement_id
                          AND o.account_id <> s.account_id)
     LIMIT 1`.execute(ctx.db);
  return rows[0]?.n;
}

/** All versions of a settlement, newest first; held against other loads of it until the transaction ends. */
async function versionsOf(ctx: Ctx, accountId: string, settlementId: string): Promise<Version[]> {
  const key = `${ctx.companyId}:settlement:${settlementId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
  const rows = await ctx.db
    .selectFrom('settlement.settlement as s')
    .innerJoin('settlement.source_doc as d', (join) =>
      join.onRef('d.company_id', '=', 's.company_id').onRef('d.id', '=', 's.id'),
    )
    .select(['s.id', 's.version', 's.sha256', 's.superseded_at', 's.account_id'])
    .select(sql<boolean>`d.superseded_why IS NOT DISTINCT FROM 'REVERTED'`.as('reverted'))
    .where('s.company_id', '=', ctx.companyId)
    .where('s.settlement_id', '=', settlementId)
    .orderBy('s.version', 'desc')
    .execute();
  if (rows.some((row) => row.account_id !== accountId)) throw new FileRefused('FOREIGN', '结算文件不属于所选店铺');
  return rows;
}

/**
 * Home store of a settlement: lines without a marketplace belong to it. The marketplace that the report was asked for;
 * of several, the one that most lines name. Never the currency alone, because several stores share the euro.
 */
export function homeOf(source: ReportSource, staged: Staged, currency: string): string {
  const asked = source.marketplaceIds.length > 0 ? source.marketplaceIds : source.account.marketplaceIds;
  const lines = (id: string) => staged.markets.find((market) => market.marketplaceId === id)?.lines ?? 0;
  const fits = (id: string) => (marketplaceOf(id)?.currency === currency ? 1 : 0);
  const [home] = asked.toSorted((a, b) => fits(b) - fits(a) || lines(b) - lines(a));
  if (home === undefined) throw new FileRefused('FOREIGN', '结算文件不属于所选店铺：店铺没有已启用的站点');
  return home;
}

function checkRegion(source: ReportSource, staged: Staged): void {
  const { region } = source.account;
  const foreign = staged.markets.find(
    ({ marketplaceId }) => marketplaceId !== null && marketplaceOf(marketplaceId)?.region !== region,
  );
  if (foreign) throw new FileRefused('FOREIGN', `结算文件不属于所选店铺：文件中有站点 ${foreign.name}`);
}

/** Documents that made room for a version: their lines count no longer. */
async function supersedeVersions(ctx: Ctx, versions: readonly Version[], by: string): Promise<string[]> {
  const ids = versions.filter((version) => version.superseded_at === null).map((version) => version.id);
  if (ids.length === 0) return [];
  await ctx.db
    .updateTable('settlement.settlement')
    .set({ superseded_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .execute();
  await ctx.db
    .updateTable('settlement.source_doc')
    .set({
      state: 'SUPERSEDED',
      superseded_why: 'NEW_VERSION',
      superseded_by: by,
      superseded_at: sql<string>`kit.now()`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .execute();
  return ids;
}

async function insertDocument(ctx: Ctx, source: ReportSource, head: SettlementHead, version: number, home: string) {
  const row = await ctx.db
    .insertInto('settlement.source_doc')
    .values({
      company_id: ctx.companyId,
      account_id: source.account.id,
      kind: 'SETTLEMENT',
      external_id: head.settlementId,
      version,
      marketplace_id: home,
      currency: head.currency,
      total: head.totalAmount,
      content_hash: source.sha256,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Writes a settlement file, proved by the reader, into the ledger: COPY, then one INSERT … SELECT, then the proof again
 * on what was stored. The same content again changes nothing; other content for the same id becomes a new version.
 * @throws FileRefused when the file is damaged, foreign, or its lines do not add up; the caller's transaction then ends
 */
export async function loadSettlement(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const known = await loadedBefore(ctx, source);
  if (known !== undefined) return { rowsIn: known, inserted: 0, updated: 0, unchanged: known };
  const { form, reading } = readingOf(source);
  const head = await reading.header;
  const versions = await versionsOf(ctx, source.account.id, head.settlementId);
  if (versions.some((version) => version.sha256 === source.sha256 && !version.reverted)) {
    return { rowsIn: head.detailRows, inserted: 0, updated: 0, unchanged: head.detailRows };
  }
  const staged = await stageLines(ctx, reading.rows);
  checkRegion(source, staged);
  const home = homeOf(source, staged, head.currency);
  const endAt = head.endAt ?? head.depositAt ?? head.startAt;
  if (endAt === null) throw new FileRefused('VALUE', '结算文件缺少结算周期', { column: 'settlement-end-date' });
  const version = (versions[0]?.version ?? 0) + 1;
  const replaced = versions.filter((one) => one.superseded_at === null);
  const id = await insertDocument(ctx, source, head, version, home);
  const gone = await supersedeVersions(ctx, replaced, id);
  const target = { id, accountId: source.account.id, home, currency: head.currency, endAt, staged };
  const lineCount = await insertLines(ctx, target);
  await analyseIfGrown(ctx, 'settlement.money_line', lineCount);
  const totals = await insertFeeTotals(ctx, id);
  const lineSum = sum(totals.map((row) => row.amount));
  const gap = new Decimal(lineSum).minus(head.totalAmount);
  if (!gap.isZero()) throw new FileRefused('UNBALANCED', `结算文件合计与总额不符，差额 ${gap.abs().toFixed()}`);
  await insertSettlement(ctx, source, head, { id, version, form, home, endAt, lineSum, lineCount });
  const covered = await supersedeCovered(ctx, source.account.id);
  await touch(ctx, [id, ...gone, ...covered]);
  await reconcileClosed(ctx, source.account.id, { settlementDoc: id });
  const counts = { rowsIn: head.detailRows, unchanged: 0 };
  return replaced.length === 0
    ? { ...counts, inserted: lineCount, updated: 0 }
    : { ...counts, inserted: 0, updated: lineCount };
}

async function insertSettlement(
  ctx: Ctx,
  source: ReportSource,
  head: SettlementHead,
  made: {
    id: string;
    version: number;
    form: 'v1' | 'v2';
    home: string;
    endAt: string;
    lineSum: string;
    lineCount: number;
  },
): Promise<void> {
  await sql`
    INSERT INTO settlement.settlement
      (company_id, id, account_id, settlement_id, version, form, marketplace_id, currency, start_at, end_at, deposit_at,
       total_amount, line_sum, line_count, order_count, unmapped_count, document_id, file_name, sha256, file_rows)
    SELECT ${ctx.companyId}, ${made.id}::uuid, ${source.account.id}::uuid, ${head.settlementId}, ${made.version}::int,
           ${made.form}, ${made.home}, ${head.currency}, ${head.startAt}::timestamptz, ${made.endAt}::timestamptz,
           ${head.depositAt}::timestamptz, ${head.totalAmount}::numeric, ${made.lineSum}::numeric,
           ${made.lineCount}::int,
           (SELECT count(DISTINCT s.order_id) FROM pg_temp.stage_line AS s
              JOIN pg_temp.stage_kind AS k USING (kind_no) WHERE k.transaction_type = 'Order'),
           (SELECT coalesce(sum(line_count), 0) FROM settlement.fee_total
             WHERE company_id = ${ctx.companyId} AND source_doc_id = ${made.id}::uuid AND fee_code = 'UNMAPPED'),
           ${source.documentId}::uuid, ${source.fileName}, ${source.sha256},
           ${head.detailRows}::int`.execute(ctx.db);
}
