import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { SettledFilter, SettledProof } from '../../contract/settled.ts';
import { nettedSql, sumsSql } from '../source.ts';
import { type Settlement, settledConversion, settledLines, settlementsFor, VIEW_KEYS } from './source.ts';

interface Sum {
  id: string;
  amount: string;
}

/** What the rows of each settlement come to, in its own currency. */
async function rowsOf(ctx: Ctx, settlements: readonly Settlement[]): Promise<ReadonlyMap<string, string>> {
  const conversion = await settledConversion(ctx, settlements, 'ORIGINAL', false);
  const report = nettedSql(sumsSql(settledLines(ctx, settlements, []), conversion, VIEW_KEYS.settlement));
  const { rows } = await sql<Sum>`
    SELECT r.document_id AS id, sum(r.platform_net)::text AS amount FROM ${report} AS r GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** Balances of each settlement, straight from its lines. */
async function balancesOf(ctx: Ctx, settlements: readonly Settlement[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<Sum>`
    SELECT l.source_doc_id AS id, sum(l.amount)::text AS amount FROM settlement.money_line AS l
     WHERE l.company_id = ${ctx.companyId} AND l.source_doc_id = ANY(${settlements.map(({ id }) => id)}::uuid[])
       AND l.pl_section = 'BALANCE'
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** What the settlements of a number come to by their rows and balances, against what their files say; SKUs are no matter. */
export async function settledProofs(ctx: Ctx, filter: SettledFilter): Promise<SettledProof[]> {
  if (!filter.settlementId) return [];
  const settlements = await settlementsFor(ctx, filter);
  if (settlements.length === 0) return [];
  const rows = await rowsOf(ctx, settlements);
  const balances = await balancesOf(ctx, settlements);
  const names = await storeNames(ctx);
  return settlements.map(({ id, settlementId, accountId, marketplaceId, currency, total }) => {
    const sum = rows.get(id) ?? '0';
    const balance = balances.get(id) ?? '0';
    return {
      documentId: id,
      settlementId,
      store: { name: names.get(accountId) ?? '', country: countryOf(marketplaceId) },
      currency,
      total,
      rows: sum,
      balances: balance,
      gap: new Decimal(total).minus(sum).minus(balance).toFixed(),
    };
  });
}
