import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { readSettings, SeriesRow } from '../../contract/settings.ts';
import { USUAL_RATES } from '../rules/rates.ts';
import { profilesOf, ratesOf } from './profile.ts';

type VatSetup = Reply<typeof readSettings>;

/** Countries in whose marketplaces Amazon takes invoices of sellers. */
export const SITES: ReadonlySet<string> = new Set(['DE', 'UK', 'FR', 'IT', 'ES', 'NL', 'PL', 'SE', 'BE', 'IE']);

async function sitesOf(ctx: Ctx): Promise<VatSetup['sites']> {
  const stores = await storeNames(ctx);
  const rows = await ctx.db
    .selectFrom('marketplace.seller_marketplace as m')
    .leftJoin('vat.site as s', (join) =>
      join
        .onRef('s.company_id', '=', 'm.company_id')
        .onRef('s.account_id', '=', 'm.account_id')
        .onRef('s.marketplace_id', '=', 'm.marketplace_id'),
    )
    .select(['m.account_id', 'm.marketplace_id', 's.entity_id', 's.auto'])
    .where('m.company_id', '=', ctx.companyId)
    .where('m.enabled', '=', true)
    .orderBy('m.account_id')
    .orderBy('m.marketplace_id')
    .execute();
  return rows
    .filter((row) => SITES.has(marketplaceOf(row.marketplace_id)?.country ?? ''))
    .map((row) => ({
      site: `${row.marketplace_id}-${row.account_id}`,
      name: `${stores.get(row.account_id) ?? ''} ${countryOf(row.marketplace_id)}`,
      entityId: row.entity_id,
      auto: row.auto ?? false,
    }));
}

async function seriesOf(ctx: Ctx): Promise<SeriesRow[]> {
  const rows = await ctx.db
    .selectFrom('vat.series as s')
    .innerJoin('vat.entity as e', (join) =>
      join.onRef('e.company_id', '=', 's.company_id').onRef('e.id', '=', 's.entity_id'),
    )
    .select(['e.name as entity', 's.country', 's.type', 's.year', 's.pattern', 's.last'])
    .where('s.company_id', '=', ctx.companyId)
    .orderBy('s.year', 'desc')
    .orderBy('e.name')
    .orderBy('s.country')
    .orderBy('s.type')
    .execute();
  return rows as SeriesRow[];
}

/** Entities, sites, rates (the usual ones first) and what the series have given out. */
export async function settings(ctx: Ctx): Promise<VatSetup> {
  const profiles = [...(await profilesOf(ctx)).values()].sort((a, b) => a.name.localeCompare(b.name));
  const versions = await ctx.db
    .selectFrom('vat.entity')
    .select(['id', 'version'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return {
    entities: profiles.map((one) => ({
      id: one.entityId,
      name: one.name,
      address: one.address,
      ossCountry: (one.ossCountry || null) as VatSetup['entities'][number]['ossCountry'],
      invoicePattern: one.invoicePattern,
      creditPattern: one.creditPattern,
      numbers: Object.entries(one.numbers)
        .map(([country, number]) => ({ country, number }) as VatSetup['entities'][number]['numbers'][number])
        .sort((a, b) => a.country.localeCompare(b.country)),
      logo: one.logo && `data:image/png;base64,${one.logo.toString('base64')}`,
      version: versions.find(({ id }) => id === one.entityId)?.version ?? 0,
    })),
    sites: await sitesOf(ctx),
    rates: [...USUAL_RATES, ...(await ratesOf(ctx))],
    series: await seriesOf(ctx),
  };
}
