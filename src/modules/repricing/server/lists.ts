import { type Selectable, sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatMoney } from '#kit/contract/format.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { Database } from '#kit/server/db/database.ts';
import { notFound } from '#kit/server/errors.ts';
import { cutAs, listQuery, page, type Query } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type BindingFilter, BindingRow } from '../contract/bindings.ts';
import { type RunFilter, RunRow, type runDetail } from '../contract/runs.ts';
import type { UnitCost } from './cost.ts';

const plain = (value: string | null): string | null => (value === null ? null : new Decimal(value).toFixed());

interface DbBinding {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  listing_id: string;
  min_price: string;
  max_price: string;
  other_cost: string;
  pause_code: string | null;
  pause_words: string;
  name: string | null;
  image: string | null;
  asin: string | null;
  price: string | null;
  currency: string | null;
  at: string | null;
  words: string | null;
  floor: string | null;
}

function bindingsOf(ctx: Ctx, { ruleId, state, keyword }: BindingFilter) {
  let query = ctx.db.selectFrom('repricing.binding as b').where('b.company_id', '=', ctx.companyId);
  if (ruleId) query = query.where('b.rule_id', '=', ruleId);
  if (state) query = query.where('b.pause_code', state === 'on' ? 'is' : 'is not', null);
  if (keyword) query = query.where(sql<string>`lower(b.seller_sku)`, 'like', containingLower(keyword));
  return query.selectAll('b');
}

/** The listing and the last decision of each row of a page. */
function shownBindings(ctx: Ctx, rows: Query<DbBinding>): Query<DbBinding> {
  const shown = cutAs(ctx, rows as Query<unknown> as Query<Selectable<Database['repricing.binding']>>, 'b')
    .leftJoin('listing.product as p', (join) =>
      join.onRef('p.company_id', '=', 'b.company_id').onRef('p.listing_id', '=', 'b.listing_id'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('repricing.run as u')
          .select(['u.at', 'u.words', 'u.floor'])
          .whereRef('u.company_id', '=', 'b.company_id')
          .whereRef('u.binding_id', '=', 'b.id')
          .orderBy('u.at', 'desc')
          .orderBy('u.id', 'desc')
          .limit(1)
          .as('u'),
      (join) => join.onTrue(),
    )
    .selectAll('b')
    .select(['p.name', 'p.image', 'p.asin', 'p.price', 'p.currency', 'u.at', 'u.words', 'u.floor']);
  return listQuery(shown);
}

/** Listings under rules, with the last decision for each. */
export async function bindingPage(ctx: Ctx, request: PageRequest<BindingFilter>): Promise<PageOf<BindingRow>> {
  const stores = await storeNames(ctx);
  return page<DbBinding, BindingRow>(ctx, request, {
    row: BindingRow,
    query: listQuery(bindingsOf(ctx, request.filter)),
    around: (rows) => shownBindings(ctx, rows),
    sort: { product: 'b.seller_sku', minPrice: 'b.min_price', maxPrice: 'b.max_price' },
    order: [['b.seller_sku', 'asc']],
    key: 'b.id',
    map: (row) => ({
      id: row.id,
      product: { name: row.name ?? '', code: row.seller_sku, image: row.image, extra: row.asin },
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      price: row.price,
      minPrice: new Decimal(row.min_price).toFixed(),
      maxPrice: new Decimal(row.max_price).toFixed(),
      otherCost: new Decimal(row.other_cost).toFixed(),
      floor: plain(row.floor),
      state: row.pause_code === null ? 'on' : 'paused',
      reason: row.pause_words,
      lastAt: row.at,
      lastWords: row.words,
      currency: row.currency ?? '',
      listingId: row.listing_id,
    }),
  });
}

interface DbRun {
  id: string;
  at: string;
  rule_id: string;
  rule_name: string;
  listing_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  currency: string;
  outcome: RunRow['outcome'];
  old_price: string | null;
  target: string | null;
  new_price: string | null;
  floor: string | null;
  words: string;
  settled: RunRow['settled'];
}

function runsOf(ctx: Ctx, { outcome, ruleId, listingId, keyword }: RunFilter) {
  let query = ctx.db.selectFrom('repricing.run as u').where('u.company_id', '=', ctx.companyId);
  if (outcome?.length) query = query.where('u.outcome', 'in', outcome);
  if (ruleId) query = query.where('u.rule_id', '=', ruleId);
  if (listingId) query = query.where('u.listing_id', '=', listingId);
  if (keyword) query = query.where(sql<string>`lower(u.seller_sku)`, 'like', containingLower(keyword));
  return query;
}

function runRow(row: DbRun, stores: ReadonlyMap<string, string>): RunRow {
  return {
    id: row.id,
    at: row.at,
    sellerSku: row.seller_sku,
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    ruleName: row.rule_name,
    outcome: row.outcome,
    oldPrice: plain(row.old_price),
    target: plain(row.target),
    newPrice: plain(row.new_price),
    floor: plain(row.floor),
    words: row.words,
    settled: row.settled,
    currency: row.currency,
    listingId: row.listing_id,
    ruleId: row.rule_id,
  };
}

/** Decisions, newest first. */
export async function runPage(ctx: Ctx, request: PageRequest<RunFilter>): Promise<PageOf<RunRow>> {
  const stores = await storeNames(ctx);
  return page<DbRun, RunRow>(ctx, request, {
    row: RunRow,
    query: listQuery(runsOf(ctx, request.filter).selectAll('u')),
    sort: { at: 'u.at' },
    order: [['u.at', 'desc']],
    key: 'u.id',
    map: (row) => runRow(row, stores),
  });
}

interface Facts {
  offersAt: string | null;
  offers: MarketOffer[];
  min: string;
  max: string;
  cost: UnitCost | null;
  dayOpen: string | null;
  sinceMin: number | null;
}

/** What a decision was made from, in words; costs only for those who may see them. */
function factsOf(ctx: Ctx, { min, max, cost, dayOpen, sinceMin }: Facts, currency: string) {
  const money = (value: string | null) => (value === null ? null : formatMoney(value, currency));
  const costs = can(ctx, 'fin:cost:view')
    ? [
        { label: '采购成本', value: cost && `${formatMoney(cost.purchaseCny, 'CNY')}（汇率 ${cost.rate}）` },
        { label: '配送费', value: money(cost?.fulfilment ?? null) },
        { label: '其它成本', value: money(cost?.other ?? null) },
      ]
    : [];
  return [
    { label: '最低价', value: money(min) },
    { label: '最高价', value: money(max) },
    { label: '站点当日 0 点售价', value: money(dayOpen) },
    { label: '距上次调价', value: sinceMin === null ? null : `${Math.floor(sinceMin)} 分钟` },
    ...costs,
  ];
}

/** One decision with the offers and limits that it was made from. @throws 404 */
export async function runOf(ctx: Ctx, id: string): Promise<Reply<typeof runDetail>> {
  const row = await runsOf(ctx, {}).selectAll('u').where('u.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('记录不存在或已删除');
  const facts = row.inputs as unknown as Facts;
  const shown = runRow(row as unknown as DbRun, await storeNames(ctx));
  return {
    ...shown,
    floor: can(ctx, 'fin:cost:view') ? shown.floor : null,
    offers: facts.offers,
    offersAt: facts.offersAt,
    facts: factsOf(ctx, facts, row.currency),
  };
}
