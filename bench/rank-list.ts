import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { refresh } from '#modules/analysis/server/refresh.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { median, report, step } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const BASE = '/api/amazon/api/v1/sales/rank';
/** A call that knows its session and little else: what any answer costs, however it is found. */
const IDLE = '/admin/api/v1/favourites';
const ROUNDS = 15;
const US = 'ATVPDKIKX0DER';
/** The present day of the site. */
const TODAY = `(now() AT TIME ZONE 'America/Los_Angeles')::date`;

/** `count` listings on sale with nine days of ranks, the offers of their products, and nine days of Buy Boxes and visits. */
async function seed(
  { admin }: BenchWorld,
  { companyId }: Principal,
  account: AccountRef,
  count: number,
): Promise<void> {
  const of = [companyId, account.id];
  const products = `generate_series(1, ${count}) AS n`;
  await admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, price, status,
       fulfilled_by, source, as_of, first_seen_at, opened_at)
     SELECT $1, $2, '${US}', 'SKU-' || n, 'B0' || n, 'Garden chair number ' || n, 'USD', 10 + n % 90, 'ACTIVE', 'AMAZON', 'api', now(),
            now(), now() - interval '300 days' FROM ${products}`,
    of,
  );
  await loadBare(admin, 'listing.rank_day', async () => {
    await admin.query(
      `INSERT INTO listing.rank_day (company_id, account_id, marketplace_id, asin, day, group_title, group_rank, class_title, class_rank, as_of)
       SELECT $1, $2, '${US}', 'B0' || n, ${TODAY} - d, 'Patio', 1 + n * 7919::bigint % 900000 + d * (n % 11 - 5) * 50 + 3000, 'Chairs',
              1 + n % 5000 + d, now() FROM ${products}, generate_series(0, 8) AS d`,
      of,
    );
  });
  await loadBare(admin, 'listing.offer_book', async () => {
    await admin.query(
      `INSERT INTO listing.offer_book (company_id, account_id, marketplace_id, asin, as_of, source, currency, offers, offer_count,
         own_price, own_featured, featured_price, featured_seller, lowest_price, owned_sec, lost_sec, unseen_sec)
       SELECT $1, $2, '${US}', 'B0' || n, now(), 'poll', 'USD',
              (SELECT jsonb_agg(jsonb_build_object('sellerId', 'ASELLER' || o, 'own', o = 1, 'fba', true, 'featured', o = 1, 'landed', (10 + o)::text,
                 'price', (10 + o)::text, 'shipping', '0', 'positive', '97', 'ratings', 120)) FROM generate_series(1, 1 + n % 4) AS o),
              1 + n % 4, 11, n % 12 <> 0, 11, 'ASELLER1', 11, 9 * 3600 * (n % 24), 9 * 3600 * (24 - n % 24), 0 FROM ${products}`,
      of,
    );
  });
  await loadBare(admin, 'listing.offer_seen_day', async () => {
    await admin.query(
      `INSERT INTO listing.offer_seen_day (company_id, account_id, marketplace_id, asin, day, owned, lost, unseen, gaps, owned_before, lost_before)
       SELECT $1, $2, '${US}', 'B0' || n, ${TODAY} - d, 3600 * (n % 24), 3600 * (24 - n % 24), 0, 0, (8 - d) * 3600 * (n % 24),
              (8 - d) * 3600 * (24 - n % 24) FROM ${products}, generate_series(0, 8) AS d`,
      of,
    );
  });
  await admin.query('VACUUM (ANALYZE) listing.listing');
}

/** The page by hand on the same tables without any rights: the rows, their week, their offers and their share. */
const pageBy = (where: string, order: string, shares = '') => `
  SELECT m.*, b.*, (z.owned_before - a.owned_before)::numeric / nullif(z.owned_before + z.lost_before - a.owned_before - a.lost_before, 0), r.*
    FROM (SELECT m.* FROM analysis.listing_metric AS m ${shares}
           WHERE m.company_id = $1 AND m.state = 'ACTIVE' AND NOT m.hidden ${where} ORDER BY ${order} LIMIT 20) AS m
    LEFT JOIN listing.offer_book AS b ON b.company_id = $1 AND (b.account_id, b.marketplace_id, b.asin) = (m.account_id, m.marketplace_id, m.asin)
    LEFT JOIN listing.offer_seen_day AS a ON a.company_id = $1 AND (a.account_id, a.marketplace_id, a.asin) = (m.account_id, m.marketplace_id, m.asin)
     AND a.day = ${TODAY} - 7
    LEFT JOIN listing.offer_seen_day AS z ON z.company_id = $1 AND (z.account_id, z.marketplace_id, z.asin) = (m.account_id, m.marketplace_id, m.asin)
     AND z.day = ${TODAY}
    LEFT JOIN LATERAL (
      SELECT min(group_rank), percentile_disc(0.5) WITHIN GROUP (ORDER BY group_rank), min(class_rank),
             percentile_disc(0.5) WITHIN GROUP (ORDER BY class_rank), max(as_of) FROM listing.rank_day AS r
       WHERE r.company_id = $1 AND (r.account_id, r.marketplace_id, r.asin) = (m.account_id, m.marketplace_id, m.asin) AND r.day > ${TODAY} - 7) AS r ON true`;
const countBy = (where: string) => `
  SELECT count(*) FROM (SELECT FROM analysis.listing_metric AS m WHERE m.company_id = $1 AND m.state = 'ACTIVE' AND NOT m.hidden ${where} LIMIT 10001) AS c`;
const LOST = `AND EXISTS (SELECT FROM listing.offer_book AS o WHERE o.company_id = $1 AND (o.account_id, o.marketplace_id, o.asin) =
  (m.account_id, m.marketplace_id, m.asin) AND o.own_price IS NOT NULL AND NOT o.own_featured)`;
const SHARES = `
  LEFT JOIN listing.offer_seen_day AS a ON a.company_id = $1 AND (a.account_id, a.marketplace_id, a.asin) = (m.account_id, m.marketplace_id, m.asin)
   AND a.day = ${TODAY} - 7
  LEFT JOIN listing.offer_seen_day AS z ON z.company_id = $1 AND (z.account_id, z.marketplace_id, z.asin) = (m.account_id, m.marketplace_id, m.asin)
   AND z.day = ${TODAY}`;
const SHARE = `(z.owned_before - a.owned_before)::numeric / nullif(z.owned_before + z.lost_before - a.owned_before - a.lost_before, 0)`;

interface Question {
  name: string;
  path: string;
  body: object;
  byHand: readonly string[];
}

const list = (name: string, body: object, where: string, order: string, shares = ''): Question => ({
  name,
  path: '/list',
  body: { pagesize: 20, ...body },
  byHand: [pageBy(where, order, shares), countBy(where)],
});
const PACE = 'm.sort_daily DESC, m.listing_id DESC';
const WORD = `AND m.search LIKE '%number 12%'`;

const QUESTIONS: readonly Question[] = [
  list('first page', {}, '', PACE),
  list('lost', { filter: { tab: 'lost' } }, LOST, PACE),
  list('fallen', { filter: { tab: 'fallen' } }, 'AND m.fall_bp > 3000', PACE),
  list('by fall', { sort: 'fall', order: 'desc' }, '', 'm.fall_bp DESC NULLS LAST, m.listing_id DESC'),
  list('by rank', { sort: 'classRank', order: 'asc' }, '', 'm.class_rank ASC NULLS LAST, m.listing_id'),
  list('by share', { sort: 'share', order: 'asc' }, '', `${SHARE} ASC NULLS LAST, m.listing_id`, SHARES),
  list('a word', { filter: { keyword: 'number 12' } }, WORD, PACE),
  {
    name: 'counts of the tabs',
    path: '/counts',
    body: { filter: {} },
    byHand: [
      `SELECT count(*), count(*) FILTER (WHERE m.fall_bp > 3000), count(*) FILTER (WHERE o.asin IS NOT NULL) FROM analysis.listing_metric AS m
         LEFT JOIN listing.offer_book AS o ON o.company_id = $1 AND (o.account_id, o.marketplace_id, o.asin) =
           (m.account_id, m.marketplace_id, m.asin) AND o.own_price IS NOT NULL AND NOT o.own_featured
        WHERE m.company_id = $1 AND m.state = 'ACTIVE' AND NOT m.hidden`,
    ],
  },
];

async function inTurn(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const begin = performance.now();
      await work();
      if (round >= ROUNDS / 5) times[index]?.push(performance.now() - begin);
    }
  }
  return times.map(median);
}

/** 排名与购物车 of `count` listings against SQL written by hand on the same tables, behind a call that does nothing else. */
export async function rankList(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step('seed', () => seed(world, principal, account, count));
  await step('made', () =>
    inTenant(world.runtime, principal, (ctx) => refresh(ctx, { accountId: account.id }), { timeoutMs: 600_000 }),
  );
  await world.admin.query('VACUUM (ANALYZE) analysis.listing_metric');
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  for (const { name, path, body, byHand } of QUESTIONS) {
    const [ours = 0, hand = 0] = await inTurn([
      async () => {
        const answer = await app.inject({ method: 'POST', url: `${BASE}${path}`, headers, payload: body });
        if (answer.json<{ code: number }>().code !== 201) throw new Error(`${name}: ${answer.body.slice(0, 300)}`);
      },
      async () => {
        await app.inject({ method: 'GET', url: IDLE, headers });
        for (const text of byHand) await world.admin.query(text, [principal.companyId]);
      },
    ]);
    report(`ranks, ${count} listings, ${name}`, ours, hand, 'ms', '<= 1.5');
  }
}
