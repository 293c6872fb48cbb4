import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { copyRows } from '#kit/server/db/copy.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { AdsStreamRun, LandCounts } from '#modules/marketplace/server/index.ts';
import type { AdProduct } from './facts.ts';
import type { ProfileKey } from './land-days.ts';

const DAY_MS = 86_400_000;
/** Changes are kept for 90 days; a little less is asked for, so that the clock does not run past it. */
const KEPT_MS = 89 * DAY_MS;
/** What was changed just before the last reading may be told late. */
const LATE_MS = DAY_MS;
/** Campaigns named in one call, and campaigns of one run: the rest of a large account comes with the next ones. */
const NAMED = 10;
const OF_A_RUN = 2000;
const PAGE = 200;
/** Far more than ten campaigns are changed. */
const MAX_PAGES = 500;
/** What belongs to a campaign is asked for by it. IN_BUDGET is left out: Amazon itself makes those, by the hour. */
const PARTS = ['AD_GROUP', 'AD', 'KEYWORD', 'NEGATIVE_KEYWORD', 'PRODUCT_TARGETING'] as const;
const NOT_PEOPLES = new Set(['IN_BUDGET']);

const Event = z.object({
  changeType: z.string(),
  entityId: z.union([z.string(), z.number()]).transform(String),
  entityType: z.string(),
  previousValue: z.unknown(),
  newValue: z.unknown(),
  timestamp: z.number(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Event = z.infer<typeof Event>;
const Answer = z.object({ events: z.array(Event).nullish(), nextToken: z.string().nullish() });

interface Campaign {
  campaign_id: string;
  ad_product: AdProduct;
  /** Marketplace time up to which its changes are known. */
  known: string | null;
}

export interface ReadChanges {
  campaigns: readonly Campaign[];
  /** Marketplace time up to which they are complete now. */
  upTo: string;
  events: readonly { campaign: Campaign; event: Event }[];
}

/** Campaigns whose changes were read longest ago. Of display none are told. */
async function campaignsOf({ runtime, account, profile }: AdsStreamRun): Promise<Campaign[]> {
  return inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const { rows } = await sql<Campaign>`
      SELECT campaign_id, ad_product, history_to AS known FROM advertising.campaign
       WHERE company_id = ${ctx.companyId} AND profile_id = ${profile.profileId} AND ad_product IN ('SP', 'SB')
         AND gone_at IS NULL
       ORDER BY history_to NULLS FIRST, campaign_id LIMIT ${OF_A_RUN}`.execute(ctx.db);
    return rows;
  });
}

/** The changes of some campaigns; ids that are named as numbers are answered as numbers, as everywhere else. */
async function eventsOf(run: AdsStreamRun, campaigns: readonly Campaign[], toDate: number): Promise<Event[]> {
  const ids = campaigns.map((one) => one.campaign_id);
  const parents = ids.map((campaignId) => ({ campaignId }));
  const eventTypes = {
    CAMPAIGN: { eventTypeIds: ids },
    ...Object.fromEntries(PARTS.map((part) => [part, { parents }])),
  };
  const known = campaigns.map((one) => (one.known ? Date.parse(one.known) - LATE_MS : 0));
  const fromDate = Math.max(toDate - KEPT_MS, Math.min(...known));
  const events: Event[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body = { fromDate, toDate, eventTypes, count: PAGE, ...(nextToken === undefined ? {} : { nextToken }) };
    const answer = await run.api.call<unknown>({
      operation: 'history',
      method: 'POST',
      path: '/history',
      profileId: run.profile.profileId,
      body: { ...body, sort: { key: 'DATE', direction: 'DESC' } },
    });
    const parsed = Answer.parse(answer);
    events.push(...(parsed.events ?? []));
    nextToken = parsed.nextToken ?? undefined;
    if (nextToken === undefined) return events;
  }
  throw new Error('/history 分页没有结束');
}

/** Reads what was changed of campaigns and what belongs to them. @throws ZodError for an answer of another shape */
export async function readChanges(run: AdsStreamRun): Promise<ReadChanges> {
  const upTo = run.window.to;
  const campaigns = await campaignsOf(run);
  const byId = new Map(campaigns.map((one) => [one.campaign_id, one]));
  const events: { campaign: Campaign; event: Event }[] = [];
  for (let at = 0; at < campaigns.length; at += NAMED) {
    for (const event of await eventsOf(run, campaigns.slice(at, at + NAMED), Date.parse(upTo))) {
      const owner = event.entityType === 'CAMPAIGN' ? event.entityId : String(event.metadata?.campaignId ?? '');
      const campaign = byId.get(owner);
      if (campaign && !NOT_PEOPLES.has(event.changeType)) events.push({ campaign, event });
    }
  }
  return { campaigns, upTo, events };
}

const wordOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Writes changes in the caller's transaction; one that is known is not written again. */
export async function landChanges(ctx: Ctx, key: ProfileKey, found: ReadChanges): Promise<LandCounts> {
  const rows = found.events.map(({ campaign, event }) => [
    campaign.ad_product,
    campaign.campaign_id,
    event.entityType,
    event.entityId,
    event.changeType,
    new Date(event.timestamp).toISOString(),
    wordOf(event.previousValue),
    wordOf(event.newValue),
  ]);
  const columns = sql.raw('ad_product, campaign_id, entity_type, entity_id, change_type, at, old_value, new_value');
  await sql`DROP TABLE IF EXISTS pg_temp.stage_ad_change`.execute(ctx.db);
  await sql`CREATE TEMP TABLE stage_ad_change ON COMMIT DROP AS SELECT ${columns} FROM advertising.change WITH NO DATA`.execute(
    ctx.db,
  );
  await copyRows(ctx, 'pg_temp.stage_ad_change', rows);
  const { numAffectedRows } = await sql`
    INSERT INTO advertising.change (company_id, account_id, marketplace_id, profile_id, ${columns})
    SELECT ${ctx.companyId}, ${key.accountId}, ${key.marketplaceId}, ${key.profileId}, ${columns}
      FROM pg_temp.stage_ad_change ORDER BY at, entity_id, change_type
    ON CONFLICT DO NOTHING`.execute(ctx.db);
  const ids = found.campaigns.map((one) => one.campaign_id);
  await sql`
    UPDATE advertising.campaign SET history_to = ${found.upTo}
     WHERE company_id = ${ctx.companyId} AND profile_id = ${key.profileId} AND ad_product IN ('SP', 'SB')
       AND campaign_id = ANY(${ids}::text[])`.execute(ctx.db);
  const inserted = Number(numAffectedRows ?? 0);
  return { rowsIn: rows.length, inserted, updated: 0, unchanged: rows.length - inserted };
}
