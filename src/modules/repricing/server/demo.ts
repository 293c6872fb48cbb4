import { sql } from 'kysely';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { saveRule } from '../contract/rules.ts';
import { DEFAULTS } from '../contract/settings.ts';
import { bind } from './bind.ts';
import { moveRule, save } from './rules.ts';

interface Offered {
  site: string;
  sku: string;
  currency: string;
  price: string;
}

/** Listings of one site that are on sale, the last by SKU first: readers begin at the other end. */
async function offered(ctx: Ctx): Promise<Offered[]> {
  const { rows } = await sql<Offered>`
    SELECT marketplace_id || '-' || account_id AS site, seller_sku AS sku, currency, price::text AS price
      FROM listing.product
     WHERE company_id = ${ctx.companyId} AND state = 'ACTIVE' AND fulfilled_by = 'AMAZON' AND currency = 'USD'
       AND price IS NOT NULL
     ORDER BY seller_sku DESC OFFSET 2 LIMIT 4`.execute(ctx.db);
  return rows;
}

/** Rules of the demo: one that is on trial for four listings, and one that nobody has finished yet. */
export async function demoRules(ctx: Ctx): Promise<void> {
  const goods = await offered(ctx);
  const [first] = goods;
  if (!first) return;
  const asked = (name: string, change: object) => saveRule.body.parse({ ...DEFAULTS, ...change, name });
  await save(ctx, asked('最低价引流', { strategy: 'LOWEST', offset: '-0.05' }));
  const { id } = await save(ctx, asked('守住购物车', { strategy: 'HOLD_AND_RAISE' }));
  const times = ({ price, currency }: Offered, share: string) =>
    round(new Decimal(price).times(share), currencyScale(currency));
  const lines = goods
    .filter(({ site }) => site === first.site)
    .map((one) => ({ sku: one.sku, minPrice: times(one, '0.85'), maxPrice: times(one, '1.2') }));
  await bind(ctx, { ruleId: id, site: first.site, lines });
  const { version } = await ctx.db
    .selectFrom('repricing.rule')
    .select('version')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await moveRule(ctx, { id, version }, 'shadow');
}
