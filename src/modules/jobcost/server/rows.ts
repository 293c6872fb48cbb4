import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { originsOf } from '#modules/warehouse/server/index.ts';
import type { BatchRow } from '../contract/batches.ts';
import type { Component } from '../contract/fields.ts';
import type { Told } from './relation.ts';

/** What a batch cost in all by part, CNY with four decimals: pieces left in layers, pieces issued, and late value of these. */
export function costsOf(
  row: Pick<Told, 'rest' | 'issued' | 'variance' | 'first_leg' | 'other'>,
): Record<Component, string> {
  const total = new Decimal(sum([row.rest, row.issued, row.variance]));
  return {
    purchase: total.minus(row.first_leg).minus(row.other).toFixed(4),
    firstLeg: new Decimal(row.first_leg).toFixed(4),
    other: new Decimal(row.other).toFixed(4),
  };
}

const each = (amount: string, pieces: number): string | null =>
  pieces === 0 ? null : round(new Decimal(amount).div(pieces), 4);

/** Rows of batches as the list and the page of one show them, with the documents that their pieces came from. */
export async function toRows(ctx: Ctx, told: readonly Told[]): Promise<BatchRow[]> {
  const stores = await storeNames(ctx);
  const origins = await originsOf(
    ctx,
    told.map(({ posting_id, moves }) => ({ posting: posting_id, moves })),
  );
  const byMove = Map.groupBy(origins, ({ posting, move }) => `${posting} ${move}`);
  return told.map((row): BatchRow => {
    const costs = costsOf(row);
    const numbers = row.moves.flatMap((move) => byMove.get(`${row.posting_id} ${move}`) ?? []);
    return {
      id: row.id,
      product: { name: row.title || row.name || row.sku, code: row.sku, image: row.image },
      msku: row.msku,
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      state: row.state,
      number: row.number,
      shipmentNos: row.shipment_nos,
      shippedOn: ctx.clock.dayOf(new Date(row.shipped_at)),
      receivedOn: row.received_at === null ? null : ctx.clock.dayOf(new Date(row.received_at)),
      shipped: row.shipped,
      received: row.received,
      issued: row.gone - row.lost,
      left: row.here,
      gap: row.shipped - row.received,
      closed: row.closed,
      ...costs,
      purchaseUnit: each(costs.purchase, row.shipped),
      firstLegUnit: each(costs.firstLeg, row.shipped),
      cost: sum([row.rest, row.issued, row.variance]),
      issuedCost: row.issued,
      leftCost: row.rest,
      variance: row.variance,
      provisional: row.estimated,
      origins: [...new Set(numbers.map(({ number }) => number))].join('、'),
      orderId: row.order_id,
    };
  });
}
