import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { adviceOf, type IssueAction, type OpenIssue, type Severity } from '../../contract/issues.ts';
import type { ListingKey } from '../product.ts';

/** An issue as the database has it; instants ISO. */
export interface StoredIssue {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  code: string;
  message: string;
  severity: Severity;
  categories: string[];
  attributes: string[];
  actions: IssueAction[];
  exempt_until: string | null;
  first_seen_at: string;
  last_seen_at: string;
  resolved_at: string | null;
  ignored_until: string | null;
  ignored_reason: string;
  ignored_by_name: string;
}

/** SELECT of all issues of the company, those that are over too, to join. */
export function issuesSelect(ctx: Pick<Ctx, 'companyId'>): RawBuilder<StoredIssue> {
  return sql<StoredIssue>`
    SELECT id, account_id, marketplace_id, seller_sku, code, message, severity, categories, attributes, actions, exempt_until,
           first_seen_at, last_seen_at, resolved_at, ignored_until, ignored_reason, ignored_by_name
      FROM listing.issue WHERE company_id = ${ctx.companyId}`;
}

/** The worst first; what takes the listing from sale before all. */
export const WORST = sql`cardinality(actions) = 0, array_position(ARRAY['ERROR', 'WARNING', 'INFO'], severity), first_seen_at, id`;

/** The same as a screen shows it. */
export const issueRow = (row: StoredIssue): OpenIssue => ({
  id: row.id,
  severity: row.severity,
  message: row.message,
  actions: row.actions,
  advice: adviceOf(row),
  attributes: row.attributes,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  exemptUntil: row.exempt_until,
  ignoredUntil: row.ignored_until,
  code: row.code,
});

/** Issues of a listing that stand, the worst first. */
export async function openIssues(ctx: Ctx, { accountId, marketplaceId, sellerSku }: ListingKey): Promise<OpenIssue[]> {
  const { rows } = await sql<StoredIssue>`
    SELECT * FROM (${issuesSelect(ctx)}) AS i
     WHERE account_id = ${accountId} AND marketplace_id = ${marketplaceId} AND seller_sku = ${sellerSku}
       AND resolved_at IS NULL ORDER BY ${WORST}`.execute(ctx.db);
  return rows.map(issueRow);
}

/**
 * People do not want to hear of some issues until a day (null: again at once), with a reason; what came back after it was over is
 * another issue. Returns how many there were among `ids` that stand.
 */
export async function ignoreIssues(
  ctx: Ctx,
  ids: readonly string[],
  { until, reason }: { until: string | null; reason: string },
): Promise<number> {
  const { rows } = await sql`
    UPDATE listing.issue
       SET ignored_until = ${until}::date, ignored_reason = ${until === null ? '' : reason},
           ignored_by_name = ${until === null ? '' : ctx.userName}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[]) AND resolved_at IS NULL RETURNING 1`.execute(
    ctx.db,
  );
  return rows.length;
}
