import { sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { careSelect } from '#modules/analysis/server/index.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import type { personRank } from '../contract/cards.ts';
import type { HomeFilter } from '../contract.ts';
import { conversionOf } from './fx.ts';
import { scopeOf } from './scope.ts';
import { ofAccounts, spansSql } from './source.ts';

interface Row {
  owner_id: string | null;
  currency: string;
  month: string;
  current: boolean;
  units: number;
  net_sales: string;
}

const wire = (value: string) => new Decimal(value).toDecimalPlaces(6).toFixed();

/**
 * Units and net sales by who answers for the SKUs now, from the SKU days of the period and the one before. Each month is
 * converted by its own rate; an amount without a rate is left out and named.
 */
export async function personRankOf(ctx: Ctx, asked: HomeFilter): Promise<Reply<typeof personRank>> {
  const scope = await scopeOf(ctx, { ...asked, zone: 'site' });
  const { rows } = await sql<Row>`
    SELECT c.owner_id, s.currency, to_char(s.local_date, 'YYYY-MM') AS month, s.local_date >= p.day_from AS current,
           sum(s.units)::int AS units, sum(s.product_sales - s.discount) AS net_sales
      FROM ${spansSql(scope.spans)}
      JOIN sales.sku_day AS s ON s.company_id = ${ctx.companyId} AND s.marketplace_id = p.marketplace_id
       AND s.local_date BETWEEN p.previous_from AND p.day_to
      LEFT JOIN (${careSelect(ctx)}) AS c
        ON c.account_id = s.account_id AND c.marketplace_id = s.marketplace_id AND c.seller_sku = s.seller_sku
     WHERE ${ofAccounts('s', asked.accountIds)}
     GROUP BY 1, 2, 3, 4`.execute(ctx.db);
  const counts = await skusByOwner(ctx, scope.spans, asked);
  const currencies = [...new Set(rows.map((row) => row.currency))].sort();
  const conversion = await conversionOf(ctx, currencies, asked.currency === 'auto' ? 'CNY' : asked.currency);
  const { members } = await chartOf(ctx);
  const people = [...Map.groupBy(rows, (row) => row.owner_id)].map(([id, own]) => {
    const part = (current: boolean) => own.filter((row) => row.current === current);
    const units = (current: boolean) => part(current).reduce((total, row) => total + row.units, 0);
    const sales = (current: boolean) => sum(part(current).map((row) => conversion.convert(row.net_sales, row) ?? '0'));
    const [now, before] = [sales(true), sales(false)];
    return {
      id,
      name: id === null ? '未分配' : (members.get(id)?.name ?? '—'),
      skus: counts.get(id) ?? 0,
      units: units(true),
      previous: units(false),
      change: scope.unfinished ? null : changeOf(units(true), units(false)),
      sales: can(ctx, AMOUNTS) ? wire(now) : null,
      salesChange: scope.unfinished || !can(ctx, AMOUNTS) ? null : changeOf(now, before),
    };
  });
  return {
    range: scope.range,
    currency: conversion.currency,
    rows: people
      .filter(({ units, previous }) => units > 0 || previous > 0)
      .sort((a, b) => new Decimal(b.sales ?? b.units).cmp(a.sales ?? a.units) || b.units - a.units),
    missingRates: conversion.missing(),
  };
}

/** SKUs of each person that sold something in the period. */
async function skusByOwner(ctx: Ctx, spans: Parameters<typeof spansSql>[0], { accountIds }: HomeFilter) {
  const { rows } = await sql<{ owner_id: string | null; skus: number }>`
    SELECT c.owner_id, count(*)::int AS skus
      FROM (SELECT DISTINCT s.account_id, s.marketplace_id, s.seller_sku FROM ${spansSql(spans)}
              JOIN sales.sku_day AS s ON s.company_id = ${ctx.companyId} AND s.marketplace_id = p.marketplace_id
               AND s.local_date BETWEEN p.day_from AND p.day_to AND s.units > 0
             WHERE ${ofAccounts('s', accountIds)}) AS s
      LEFT JOIN (${careSelect(ctx)}) AS c
        ON c.account_id = s.account_id AND c.marketplace_id = s.marketplace_id AND c.seller_sku = s.seller_sku
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.owner_id, row.skus]));
}
