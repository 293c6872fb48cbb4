import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Offer } from '../../contract/inquiry.ts';
import { bestOf, priceOffer } from './compare.ts';

type DbOffer = Omit<Offer, 'valid' | 'best' | 'buyQty' | 'unitPrice' | 'amount' | 'baseUnit' | 'baseAmount'> & {
  inquiryId: string;
  invoiceRate: string;
};

/** Offers of inquiries by inquiry, for as many pieces as each asks for: valid ones first, the cheapest of them before. */
export async function offersOf(ctx: Ctx, asked: ReadonlyMap<string, number>): Promise<Map<string, Offer[]>> {
  if (asked.size === 0) return new Map();
  const { rows } = await sql<DbOffer>`
    SELECT o.inquiry_id AS "inquiryId", o.supplier_id AS "supplierId", s.short_name AS supplier, s.code AS "supplierCode",
           s.state = 'active' AND s.grade <> 'D' AS orderable, o.currency, o.tax_included AS "taxIncluded", o.moq,
           o.order_multiple AS "orderMultiple", o.lead_days AS "leadDays", o.valid_from AS "validFrom",
           o.valid_to AS "validTo", o.remark, o.created_by_name AS by, o.created_at AS at,
           CASE WHEN s.invoice_type = 'none' THEN '0' ELSE s.invoice_rate::text END AS "invoiceRate",
           (SELECT jsonb_agg(jsonb_build_object('minQty', t.min_qty, 'unitPrice', trim_scale(t.unit_price)::text) ORDER BY t.min_qty)
              FROM product.offer_tier AS t
             WHERE t.company_id = o.company_id AND t.inquiry_id = o.inquiry_id AND t.supplier_id = o.supplier_id) AS tiers
      FROM product.offer AS o
      JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
     WHERE o.company_id = ${ctx.companyId} AND o.inquiry_id = ANY (${[...asked.keys()]}::uuid[])
     ORDER BY s.short_name`.execute(ctx.db);
  const today = ctx.clock.today();
  const rates = await ratesOn(
    ctx,
    rows.map((row) => row.currency),
    today,
  );
  const byInquiry = new Map<string, Offer[]>();
  for (const { inquiryId, invoiceRate, ...row } of rows) {
    const price = priceOffer({ ...row, invoiceRate }, asked.get(inquiryId) ?? 1, rates.get(row.currency));
    if (!price) continue;
    const valid = row.validFrom <= today && (row.validTo === null || row.validTo >= today);
    byInquiry.set(inquiryId, [...(byInquiry.get(inquiryId) ?? []), { ...row, ...price, valid, best: false }]);
  }
  return new Map([...byInquiry].map(([id, offers]) => [id, ranked(offers)]));
}

function ranked(offers: readonly Offer[]): Offer[] {
  const best = bestOf(offers);
  const cost = ({ baseAmount }: Offer) => new Decimal(baseAmount ?? Number.POSITIVE_INFINITY);
  return offers
    .map((offer, index) => ({ ...offer, best: index === best }))
    .sort((a, b) => Number(b.valid) - Number(a.valid) || Number(b.best) - Number(a.best) || cost(a).cmp(cost(b)));
}
