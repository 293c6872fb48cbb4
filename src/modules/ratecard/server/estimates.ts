import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { COUNTRIES } from '../contract/calculator.ts';
import {
  type EstimateFilter,
  EstimateInput,
  EstimateRow,
  type readEstimate,
  type saveEstimate,
} from '../contract/estimates.ts';
import { type CountryCode, TypedInput } from '../contract/input.ts';
import { planned } from '../contract/planned.ts';
import { resultRow, targetRows } from '../contract/results.ts';
import { plans } from './plans.ts';

const RESOURCE = 'ratecard.estimate';

interface DbRow {
  id: string;
  calcId: string;
  productId: string;
  country: CountryCode;
  price: string;
  profit: string;
  margin: string | null;
  breakEven: string | null;
  planName: string;
  day: string;
  remark: string;
  createdBy: string;
  createdAt: string;
  currency: string;
}

function selected(ctx: Ctx, { keyword, countries }: EstimateFilter) {
  let query = ctx.db
    .selectFrom('ratecard.estimate as e')
    .where('e.company_id', '=', ctx.companyId)
    .select([
      sql<string>`e.calc_id || ' ' || e.country`.as('id'),
      'e.calc_id as calcId',
      'e.product_id as productId',
      sql<CountryCode>`e.country`.as('country'),
      'e.price',
      'e.profit',
      'e.margin',
      'e.break_even as breakEven',
      'e.plan_name as planName',
      'e.day',
      'e.remark',
      'e.created_by_name as createdBy',
      'e.created_at as createdAt',
      'e.currency',
    ]);
  if (countries?.length) query = query.where('e.country', 'in', countries);
  if (keyword) {
    query = query.where('e.product_id', 'in', (product) =>
      product
        .selectFrom('product.local_product as p')
        .select('p.id')
        .where('p.company_id', '=', ctx.companyId)
        .where((or) => or.or([or('p.sku', 'ilike', containing(keyword)), or('p.name', 'ilike', containing(keyword))])),
    );
  }
  return query;
}

/** Calculations that were kept, the newest first. */
export async function estimatePage(ctx: Ctx, request: PageRequest<EstimateFilter>): Promise<PageOf<EstimateRow>> {
  const found = await page<DbRow, DbRow>(ctx, request, {
    row: EstimateRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: { createdAt: 'e.created_at', margin: 'e.margin' },
    order: [
      ['e.created_at', 'desc'],
      ['e.calc_id', 'desc'],
    ],
    key: 'e.country',
    map: (row) => row,
  });
  const products = await localProducts(
    ctx,
    found.records.map(({ productId }) => productId),
  );
  const records = found.records.map(({ productId, ...row }) => ({
    ...row,
    product: products.get(productId)?.cell ?? { name: '产品已删除', code: '' },
  }));
  return { ...found, records };
}

/** What a plan is in a calculation: a copy, so that later changes of the plan leave it alone. */
async function planOf(ctx: Ctx, id: string | undefined): Promise<EstimateInput['plan']> {
  if (id === undefined) return null;
  const found = (await plans(ctx)).find((plan) => plan.id === id);
  if (!found) throw notFound('利润方案不存在或已删除');
  const { name, freightBy, sites } = found;
  return { name, freightBy, sites };
}

/** Rows of a calculation: the countries that can be reckoned. */
function reckoned({ typed, sites, plan }: EstimateInput) {
  return COUNTRIES.flatMap((site) => {
    const of = planned(plan ?? undefined, site.country, typed, sites[site.country]);
    const row = resultRow(of.typed, of.at, site);
    if (row.price === null || row.profit === null) return [];
    const breakEven = targetRows(of.typed, of.at, site).find(({ margin }) => margin === '0')?.price ?? null;
    const { price, profit, margin, currency } = row;
    return [{ country: site.country, currency, price, profit, margin, break_even: breakEven }];
  });
}

/**
 * Keeps a calculation for a product as the caller typed it in.
 * @throws 404 for a plan that is not there; refused B1722 for a product that is not, B1723 where no country can be reckoned
 */
export async function putEstimate(
  ctx: Ctx,
  { productId, planId, typed, sites, remark = '' }: z.output<typeof saveEstimate.body>,
): Promise<Reply<typeof saveEstimate>> {
  const product = (await localProducts(ctx, [productId])).get(productId);
  if (!product) throw refused('产品：不存在或已删除', 'B1722');
  const input = { typed: TypedInput.parse(typed), sites, plan: await planOf(ctx, planId) };
  const rows = reckoned(input);
  if (rows.length === 0) throw refused('没有可以测算的站点，请检查尺寸、重量与汇率', 'B1723');
  const calcId = randomUUID();
  const shared = {
    company_id: ctx.companyId,
    calc_id: calcId,
    product_id: productId,
    plan_name: input.plan?.name ?? '',
    day: typed.day,
    input: JSON.stringify(input),
    remark,
    created_by_name: ctx.userName,
  };
  await ctx.db
    .insertInto('ratecard.estimate')
    .values(rows.map((row) => ({ ...row, ...shared })))
    .execute();
  await audit(ctx, {
    action: '保存测算',
    resource: RESOURCE,
    resourceId: calcId,
    after: { sku: product.sku, planName: shared.plan_name },
  });
  return { calcId, countries: rows.length };
}

/** What a calculation was made of, to go on from. @throws 404 */
export async function estimateInput(ctx: Ctx, calcId: string): Promise<Reply<typeof readEstimate>> {
  const row = await ctx.db
    .selectFrom('ratecard.estimate')
    .select(['input', 'product_id'])
    .where('company_id', '=', ctx.companyId)
    .where('calc_id', '=', calcId)
    .limit(1)
    .executeTakeFirst();
  if (!row) throw notFound('测算记录不存在或已删除');
  const product = (await localProducts(ctx, [row.product_id])).get(row.product_id);
  const cell = product?.cell ?? { name: '产品已删除', code: '' };
  return { ...EstimateInput.parse(row.input), product: { ...cell, id: row.product_id } };
}

/** Removes a calculation with all its countries. @throws 404 */
export async function dropEstimate(ctx: Ctx, calcId: string): Promise<'success'> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('ratecard.estimate')
    .where('company_id', '=', ctx.companyId)
    .where('calc_id', '=', calcId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('测算记录不存在或已删除');
  await audit(ctx, { action: '删除测算', resource: RESOURCE, resourceId: calcId });
  return 'success';
}
