import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { ignoreIssues, issueRow, issuesSelect, type StoredIssue } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import {
  type exportIssues as exportDef,
  type IssueFilter,
  IssueRow,
  type ignoreListingIssues,
} from '../contract/issues.ts';
import { like } from './filter.ts';

const TITLE = 'Listing异常';

interface DbIssue extends StoredIssue {
  listing_id: string | null;
  name: string | null;
  image: string | null;
  asin: string | null;
  units30: number | null;
  owner_id: string | null;
  days: number;
}

/** Which issues a tab shows; a day of the company that is over ignores no more. */
const tabs = (ctx: Ctx): Record<string, RawBuilder<unknown>> => ({
  standing: sql`i.resolved_at IS NULL AND (i.ignored_until IS NULL OR i.ignored_until < ${ctx.clock.today()}::date)`,
  ignored: sql`i.resolved_at IS NULL AND i.ignored_until >= ${ctx.clock.today()}::date`,
  resolved: sql`i.resolved_at IS NOT NULL`,
});

/** Issues with their listings as `i`; what is in rows of hidden listings is not shown, as the wall does not show them. */
function rowsOf(ctx: Ctx, { tab, sites, severity, actions, owners, keyword }: IssueFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`m.hidden IS NOT TRUE`];
  const shown = tab && tabs(ctx)[tab];
  if (shown) all.push(shown);
  if (sites?.length) all.push(sql`(i.marketplace_id || '-' || i.account_id) = ANY (${sites}::text[])`);
  if (severity?.length) all.push(sql`i.severity = ANY (${severity}::text[])`);
  if (actions?.length) all.push(sql`i.actions && ${actions}::text[]`);
  if (owners?.length) all.push(sql`m.owner_id = ANY (${owners}::uuid[])`);
  if (keyword?.trim()) all.push(sql`(m.search LIKE ${like(keyword)} OR lower(i.message) LIKE ${like(keyword)})`);
  return sql`(
    SELECT i.*, m.listing_id, m.name, m.image, m.asin, m.units30, m.owner_id,
           extract(day FROM coalesce(i.resolved_at, kit.now()) - i.first_seen_at)::int AS days
      FROM (${issuesSelect(ctx)}) AS i
      LEFT JOIN analysis.listing_metric AS m ON m.company_id = ${ctx.companyId} AND m.account_id = i.account_id
       AND m.marketplace_id = i.marketplace_id AND m.seller_sku = i.seller_sku
     WHERE ${sql.join(all, sql` AND `)})`;
}

interface Names {
  stores: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

async function namesOf(ctx: Ctx): Promise<Names> {
  const { members } = await chartOf(ctx);
  return { stores: await storeNames(ctx), people: new Map([...members].map(([id, { name }]) => [id, name])) };
}

function shownRow(row: DbIssue, { stores, people }: Names): IssueRow {
  const { actions, attributes, ...issue } = issueRow(row);
  return {
    ...issue,
    product: { name: row.name ?? row.seller_sku, code: row.seller_sku, image: row.image, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    action: actions[0] ?? null,
    attributes: attributes.join('、'),
    units30: row.units30,
    owner: row.owner_id === null ? null : (people.get(row.owner_id) ?? null),
    days: row.days,
    ignoredReason: row.ignored_reason,
    resolvedAt: row.resolved_at,
    listingId: row.listing_id,
  };
}

function listOf(ctx: Ctx, filter: IssueFilter): ListDef<DbIssue, DbIssue> {
  const relation = sql<DbIssue>`${rowsOf(ctx, filter)}`.as<'i'>(sql.ref('i'));
  return {
    row: IssueRow,
    query: listQuery<DbIssue>(ctx.db.selectFrom(relation).selectAll()),
    sort: { units30: 'i.units30', firstSeenAt: 'i.first_seen_at', lastSeenAt: 'i.last_seen_at', days: 'i.days' },
    order: [
      ['cardinality(i.actions)', 'desc'],
      ['i.units30', 'desc'],
    ],
    key: 'i.id',
  };
}

/** Issues of listings, what stops a sale and sells most first. */
export async function issuePage(ctx: Ctx, request: PageRequest<IssueFilter>): Promise<PageOf<IssueRow>> {
  const names = await namesOf(ctx);
  return page<DbIssue, IssueRow>(ctx, request, { ...listOf(ctx, request.filter), map: (row) => shownRow(row, names) });
}

/** How many issues each tab has under the other filters. */
export async function issueCounts(ctx: Ctx, { tab: _, ...filter }: IssueFilter): Promise<Record<string, number>> {
  const counts = Object.entries(tabs(ctx)).map(
    ([name, when]) => sql`count(*) FILTER (WHERE ${when})::int AS ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, number>>`
    SELECT count(*)::int AS all, ${sql.join(counts)} FROM ${rowsOf(ctx, filter)} AS i`.execute(ctx.db);
  return rows[0] ?? {};
}

/** The issues of a filter as a file. */
export function exportIssues(open: OpenCtx, request: z.output<typeof exportDef.body>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const names = await namesOf(ctx);
    return {
      name: TITLE,
      sheet: TITLE,
      format: request.format,
      columns: exportColumns(ctx, IssueRow, request.columns),
      rows: streamed(ctx, request, { ...listOf(ctx, request.filter), map: (row: DbIssue) => shownRow(row, names) }),
      audit: { action: `导出${TITLE}`, resource: 'analysis.issue', filter: request.filter },
    };
  });
}

/**
 * Leaves issues out of what waits until a day is over, with a reason, or takes that back.
 * @throws refused for a day that is over or a missing reason, 404 where one is not the caller's or is over
 */
export async function ignore(ctx: Ctx, { ids, until, reason }: z.output<typeof ignoreListingIssues.body>) {
  if (until !== null && until < ctx.clock.today()) throw refused('忽略至：不能早于今天', 'B0926');
  if (until !== null && reason.trim() === '') throw refused('原因：请填写忽略的原因', 'B0927');
  const count = await ignoreIssues(ctx, ids, { until, reason: reason.trim() });
  if (count < new Set(ids).size) throw notFound('部分问题不存在或已消除，请刷新后重试');
  await audit(ctx, {
    action: until === null ? '取消忽略Listing异常' : '忽略Listing异常',
    resource: 'analysis.issue',
    after: { ids, until, reason },
  });
  return { count };
}
