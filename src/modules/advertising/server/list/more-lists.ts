import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { onDays } from '#kit/server/list/days.ts';
import { containing } from '#kit/server/list/words.ts';
import { type ChangeFilter, ChangeRow, type PlacementFilter, PlacementRow } from '../../contract/more-lists.ts';
import { CHANGE_STREAMS } from '../streams.ts';
import { type AdList, type AnyRow, conditions, METRIC_SORT, metricsOf, SUMS, sumsOf } from './base.ts';
import { nameOf } from './lists.ts';

interface Placement extends AnyRow {
  placement: string;
  campaign: string;
  percent: number | null;
}

/** What is added to the bids of a campaign of Sponsored Products at a placement, percent. */
const PERCENT = sql`
  CASE WHEN e.ad_product = 'SP' THEN
    CASE m.placement WHEN 'Top of Search on-Amazon' THEN e.top_percent WHEN 'Other on-Amazon' THEN e.rest_percent
                     WHEN 'Detail Page on-Amazon' THEN e.page_percent END END`;

/** Campaigns by where they were shown, with their figures there. */
export const placementList = (ctx: Ctx, filter: PlacementFilter): AdList<Placement, PlacementRow> => ({
  title: '广告位',
  resource: 'advertising.placement',
  row: PlacementRow,
  measured: true,
  rows: sql`
    SELECT md5(e.id::text || m.placement) AS id, e.account_id, e.marketplace_id, e.ad_product, e.currency,
           e.name AS campaign, m.placement, ${PERCENT} AS percent, ${SUMS}
      FROM advertising.campaign AS e
      CROSS JOIN LATERAL (SELECT e.id, e.cost_type) AS c
      JOIN ${sumsOf(ctx, 'advertising.placement_day', ['campaign_id', 'placement'], filter)} AS m
        ON m.profile_id = e.profile_id AND m.ad_product = e.ad_product AND m.campaign_id = e.campaign_id
     WHERE ${conditions(ctx, filter, 'e.name')}`,
  sort: { ...METRIC_SORT, placement: 'r.placement', campaign: 'r.campaign' },
  order: [
    ['r.cost', 'desc'],
    ['r.impressions', 'desc'],
  ],
  map: (row, store) => ({
    id: row.id,
    store,
    adProduct: row.ad_product,
    placement: row.placement,
    campaign: row.campaign,
    percent: row.percent === null ? null : String(row.percent / 100),
    currency: row.currency,
    ...metricsOf(row),
  }),
});

interface Change {
  id: string;
  account_id: string;
  marketplace_id: string;
  ad_product: string;
  at: string;
  campaign: string | null;
  entity_type: string;
  name: string | null;
  text: string | null;
  match_type: string | null;
  entity_id: string;
  change_type: string;
  old_value: string;
  new_value: string;
}

/** States and amounts as the other lists show them; everything else as Amazon writes it. */
const STATES: Readonly<Record<string, string>> = { ENABLED: '投放中', PAUSED: '已暂停', ARCHIVED: '已归档' };
const wordOf = (value: string): string => STATES[value.toUpperCase()] ?? value;

/** What was changed of campaigns and what belongs to them, the newest first. */
export function changeList(ctx: Ctx, { dates, sites, products, campaign, fields, keyword }: ChangeFilter) {
  const like = keyword?.trim() ? containing(keyword) : undefined;
  const list: AdList<Change, ChangeRow> = {
    title: '广告操作记录',
    resource: 'advertising.change',
    row: ChangeRow,
    measured: false,
    streams: CHANGE_STREAMS,
    rows: sql`
      SELECT h.id::text AS id, h.account_id, h.marketplace_id, h.ad_product, h.at, c.name AS campaign, h.entity_type,
             g.name, t.text, t.match_type, h.entity_id, h.change_type, h.old_value, h.new_value
        FROM advertising.change AS h
        LEFT JOIN advertising.campaign AS c ON c.company_id = h.company_id AND c.profile_id = h.profile_id
         AND c.ad_product = h.ad_product AND c.campaign_id = h.campaign_id
        LEFT JOIN advertising.target AS t ON t.company_id = h.company_id AND t.profile_id = h.profile_id
         AND t.ad_product = h.ad_product AND t.target_id = h.entity_id
        LEFT JOIN advertising.ad_group AS g ON g.company_id = h.company_id AND g.profile_id = h.profile_id
         AND g.ad_product = h.ad_product AND g.ad_group_id = h.entity_id
       WHERE h.company_id = ${ctx.companyId}
         AND ${onDays('h.at', dates)}
         ${sites?.length ? sql`AND h.marketplace_id || '-' || h.account_id = ANY(${sites}::text[])` : sql``}
         ${products?.length ? sql`AND h.ad_product = ANY(${products}::text[])` : sql``}
         ${campaign ? sql`AND c.id = ${campaign}` : sql``}
         ${fields?.length ? sql`AND h.change_type = ANY(${fields}::text[])` : sql``}
         ${like ? sql`AND concat_ws(' ', c.name, t.text, g.name) ILIKE ${like}` : sql``}`,
    sort: { at: 'r.at' },
    order: [['r.at', 'desc']],
    map: (row, store) => ({
      id: row.id,
      at: new Date(row.at).toISOString(),
      store,
      adProduct: row.ad_product,
      campaign: row.campaign ?? '',
      kind: row.entity_type,
      name: objectOf(row),
      field: row.change_type,
      before: wordOf(row.old_value),
      after: wordOf(row.new_value),
      source: 'AMAZON',
    }),
  };
  return list;
}

/** The name of what was changed; what is no longer known by name is named by its id. */
function objectOf({ entity_type: type, campaign, name, text, match_type: match, entity_id: id }: Change): string {
  if (type === 'CAMPAIGN') return campaign ?? id;
  if (match !== null) return nameOf(text ?? '', match);
  return name ?? id;
}
