import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

type Company = Pick<Ctx, 'companyId'>;

/** SELECT of who answers for which listing, and its tags. */
export function careSelect({ companyId }: Company): RawBuilder<{
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  owner_id: string | null;
  tag_ids: string[];
}> {
  return sql`
    SELECT account_id, marketplace_id, seller_sku, owner_id, tag_ids FROM analysis.listing_care
     WHERE company_id = ${companyId} AND (owner_id IS NOT NULL OR tag_ids <> '{}')`;
}

/** SELECT of how many days the stock of listings that sell will last; of a shared stock the site that sells most stands for all. */
export function coverSelect({ companyId }: Company): RawBuilder<{
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  cover_days: string;
  inbound: number | null;
}> {
  return sql`
    SELECT account_id, marketplace_id, seller_sku, cover_days, inbound FROM analysis.listing_metric
     WHERE company_id = ${companyId} AND leads AND fulfilled_by = 'AMAZON' AND state <> 'GONE' AND units30 > 0
       AND cover_days IS NOT NULL AND NOT hidden`;
}

/** SELECT of listings on sale whose ranks fell within a week, by how many percent: of both ranks the one that fell more. */
export function fallsSelect({ companyId }: Company): RawBuilder<{
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  percent: string;
  class_rank: number | null;
  group_rank: number | null;
}> {
  return sql`
    SELECT account_id, marketplace_id, seller_sku, fall_bp / 100.0 AS percent, class_rank, group_rank
      FROM analysis.listing_metric
     WHERE company_id = ${companyId} AND state = 'ACTIVE' AND fall_bp > 0 AND NOT hidden`;
}
