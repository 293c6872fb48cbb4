import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type CopyValue, copyRows } from '#kit/server/db/copy.ts';
import type { LandCounts } from '#modules/marketplace/server/index.ts';
import type { AdProduct, Structure } from './facts.ts';
import type { ProfileKey } from './land-days.ts';

/** Whose structure it is, and when it was read. */
export interface StructureOf extends ProfileKey {
  currency: string;
  /** Marketplace time, ISO. */
  asOf: string;
}

interface Kind {
  table: string;
  key: string;
  /** Column to SQL type; the key is the first. */
  columns: Readonly<Record<string, string>>;
  rows: readonly (readonly CopyValue[])[];
}

function kindsOf({ campaigns, adGroups, ads, targets }: Structure, currency: string): Kind[] {
  return [
    {
      table: 'advertising.campaign',
      key: 'campaign_id',
      columns: {
        campaign_id: 'text',
        name: 'text',
        state: 'text',
        targeting: 'text',
        currency: 'text',
        budget: 'numeric',
        strategy: 'text',
        top_percent: 'int',
        start_date: 'date',
        end_date: 'date',
        portfolio_id: 'text',
        serving_status: 'text',
        cost_type: 'text',
        rest_percent: 'int',
        page_percent: 'int',
      },
      rows: campaigns.map((one) => [
        one.campaignId,
        one.name,
        one.state,
        one.targeting,
        currency,
        one.budget,
        one.strategy,
        one.topPercent,
        one.startDate,
        one.endDate,
        one.portfolioId,
        one.servingStatus,
        one.costType,
        one.restPercent,
        one.pagePercent,
      ]),
    },
    {
      table: 'advertising.ad_group',
      key: 'ad_group_id',
      columns: { ad_group_id: 'text', campaign_id: 'text', name: 'text', state: 'text', default_bid: 'numeric' },
      rows: adGroups.map((one) => [one.adGroupId, one.campaignId, one.name, one.state, one.defaultBid]),
    },
    {
      table: 'advertising.product_ad',
      key: 'ad_id',
      columns: {
        ad_id: 'text',
        campaign_id: 'text',
        ad_group_id: 'text',
        seller_sku: 'text',
        asin: 'text',
        state: 'text',
        name: 'text',
        asins: 'text[]',
      },
      rows: ads.map((one) => [
        one.adId,
        one.campaignId,
        one.adGroupId,
        one.sku,
        one.asin,
        one.state,
        one.name,
        `{${one.asins.map((asin) => JSON.stringify(asin)).join(',')}}`,
      ]),
    },
    {
      table: 'advertising.target',
      key: 'target_id',
      columns: {
        target_id: 'text',
        campaign_id: 'text',
        ad_group_id: 'text',
        negative: 'boolean',
        match_type: 'text',
        text: 'text',
        state: 'text',
        bid: 'numeric',
      },
      rows: targets.map((one) => [
        one.targetId,
        one.campaignId,
        one.adGroupId,
        one.negative,
        one.matchType,
        one.text,
        one.state,
        one.bid,
      ]),
    },
  ];
}

/** An entity named twice in one reading moved while it was paged; the later mention is the newer one. */
function distinct(rows: Kind['rows']): Kind['rows'] {
  return [...new Map(rows.map((row) => [row[0], row])).values()];
}

/** Stages the rows of a kind by COPY and writes those that differ; what is no longer there is marked, never deleted. */
async function landKind(ctx: Ctx, of: StructureOf, product: AdProduct, kind: Kind): Promise<LandCounts> {
  const { key, columns } = kind;
  const rows = distinct(kind.rows);
  const names = Object.keys(columns);
  const table = sql.table(kind.table);
  const list = sql.raw(names.join(', '));
  const columnsOf = (alias: string) => sql.raw(names.map((name) => `${alias}.${name}`).join(', '));
  const stage = sql.raw(names.map((name) => `${name} ${columns[name]}`).join(', '));
  await sql`DROP TABLE IF EXISTS pg_temp.stage_ads`.execute(ctx.db);
  await sql`CREATE TEMP TABLE stage_ads (${stage}) ON COMMIT DROP`.execute(ctx.db);
  await copyRows(ctx, 'pg_temp.stage_ads', rows);
  await sql`ANALYZE pg_temp.stage_ads`.execute(ctx.db);
  const assigned = sql.raw(names.map((name) => `${name} = excluded.${name}`).join(', '));
  const merged = await sql<{ fresh: boolean }>`
    INSERT INTO ${table} AS k
      (company_id, account_id, marketplace_id, profile_id, ad_product, as_of, ${list})
    SELECT ${ctx.companyId}, ${of.accountId}, ${of.marketplaceId}, ${of.profileId}, ${product}, ${of.asOf}, ${columnsOf('s')}
      FROM pg_temp.stage_ads AS s
    ON CONFLICT (company_id, profile_id, ad_product, ${sql.ref(key)}) DO UPDATE
       SET ${assigned}, as_of = excluded.as_of, gone_at = NULL, account_id = excluded.account_id
     WHERE k.gone_at IS NOT NULL OR (${columnsOf('k')}) IS DISTINCT FROM (${columnsOf('excluded')})
    RETURNING old.id IS NULL AS fresh`.execute(ctx.db);
  const gone = await sql`
    UPDATE ${table} AS k SET gone_at = ${of.asOf}, as_of = ${of.asOf}
     WHERE company_id = ${ctx.companyId} AND profile_id = ${of.profileId} AND ad_product = ${product} AND gone_at IS NULL
       AND NOT EXISTS (SELECT FROM pg_temp.stage_ads AS s WHERE s.${sql.ref(key)} = k.${sql.ref(key)})`.execute(ctx.db);
  const inserted = merged.rows.filter((row) => row.fresh).length;
  const updated = merged.rows.length - inserted + Number(gone.numAffectedRows ?? 0);
  return { rowsIn: rows.length, inserted, updated, unchanged: rows.length - merged.rows.length };
}

/** Writes what is set up in a profile for one product in the caller's transaction; the same structure again writes nothing. */
export async function landStructure(ctx: Ctx, of: StructureOf, structure: Structure): Promise<LandCounts> {
  const sum = { rowsIn: 0, inserted: 0, updated: 0, unchanged: 0 };
  for (const kind of kindsOf(structure, of.currency)) {
    const counts = await landKind(ctx, of, structure.product, kind);
    sum.rowsIn += counts.rowsIn;
    sum.inserted += counts.inserted;
    sum.updated += counts.updated;
    sum.unchanged += counts.unchanged;
  }
  return sum;
}
