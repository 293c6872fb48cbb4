import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import { stageTitle } from './check.ts';
import type { TermStage } from './suppliers.ts';

const maySee = (ctx: Ctx, id: string) => {
  const reach = ctx.dataScope?.read.warehouse;
  return !ctx.dataScope || reach === null || (reach?.includes(id) ?? false);
};

/** Whether goods that come there make an order an overseas one. */
export function isAbroad(place: Pick<Warehouse, 'country' | 'kind'>): boolean {
  return place.country !== 'CN' || !['LOCAL', 'TRANSIT'].includes(place.kind);
}

/** Warehouses that the caller may see, and suppliers with what an order takes over from them. */
export async function purchaseChoices(ctx: Ctx) {
  const places = [...(await warehouses(ctx)).values()].filter(
    (one) => !one.disabled && one.kind !== 'FBA' && one.kind !== 'AWD' && maySee(ctx, one.id),
  );
  const { rows } = await sql<{
    id: string;
    name: string;
    code: string;
    grade: string;
    currency: string;
    invoiceType: string;
    taxRate: string;
    terms: TermStage[];
    orderable: boolean;
  }>`
    SELECT id, short_name AS name, code, grade, currency, invoice_type AS "invoiceType", invoice_rate::text AS "taxRate", terms,
           state = 'active' AND grade <> 'D' AS orderable
      FROM supplier.supplier WHERE company_id = ${ctx.companyId} AND state <> 'blacklisted' ORDER BY short_name LIMIT 5000`.execute(
    ctx.db,
  );
  const offered = places.map(({ id, name, quality, ...place }) => ({ id, name, quality, overseas: isAbroad(place) }));
  return {
    // Pages propose the first one, and most goods come to a warehouse at home.
    warehouses: offered.sort((a, b) => Number(a.overseas) - Number(b.overseas)),
    suppliers: rows.map((row) => ({ ...row, terms: row.terms.map(stageTitle).join('，') })),
  };
}
