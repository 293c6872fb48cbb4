import type { Ctx } from '#kit/server/context.ts';
import type { RateRow } from '../../contract/settings.ts';
import type { Seller } from '../rules/treat.ts';

/** An entity as documents are issued by it. */
export interface Profile extends Seller {
  entityId: string;
  name: string;
  address: string;
  invoicePattern: string;
  creditPattern: string;
  /** A PNG that stands on its documents. */
  logo: Buffer | null;
}

/** Rates that the company states, the oldest first. */
export async function ratesOf(ctx: Ctx): Promise<RateRow[]> {
  const rows = await ctx.db
    .selectFrom('vat.rate')
    .select(['country', 'rate', 'valid_from as validFrom'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('valid_from')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, rate: String(Number(row.rate)) })) as RateRow[];
}

/** Entities by id, with their registrations and the company's rates. */
export async function profilesOf(ctx: Ctx): Promise<Map<string, Profile>> {
  const entities = await ctx.db.selectFrom('vat.entity').selectAll().where('company_id', '=', ctx.companyId).execute();
  const numbers = await ctx.db
    .selectFrom('vat.registration')
    .select(['entity_id', 'country', 'number'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const rates = await ratesOf(ctx);
  return new Map(
    entities.map((one) => [
      one.id,
      {
        entityId: one.id,
        name: one.name,
        address: one.address,
        ossCountry: one.oss_country,
        invoicePattern: one.invoice_pattern,
        creditPattern: one.credit_pattern,
        logo: one.logo,
        numbers: Object.fromEntries(
          numbers.filter((row) => row.entity_id === one.id).map((row) => [row.country, row.number]),
        ),
        rates,
      },
    ]),
  );
}

/** Which entity issues for a marketplace of an account, by "account marketplace". */
export async function entityBySite(ctx: Ctx): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('vat.site')
    .select(['account_id', 'marketplace_id', 'entity_id'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Map(rows.map((row) => [`${row.account_id} ${row.marketplace_id}`, row.entity_id]));
}
