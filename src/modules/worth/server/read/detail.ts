import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { fbaCode, layersOfProduct } from '#modules/warehouse/server/index.ts';
import { COST, Disposition, type Stage, type WorthFilter } from '../../contract/fields.ts';
import type { WorthLayer, worthDetail } from '../../contract/worth.ts';
import { amountsOf, dayOf, KEYS, linesAt, type Sums, sourceOf } from './at.ts';
import { namer } from './names.ts';

const MOST = 200;

type Found = Sums & {
  id: string;
  stage: Stage;
  place: string;
  sku: string;
  disposition: string;
  source: string;
  product_id: string | null;
};

interface Asked {
  filter: WorthFilter;
  firstKey: string;
  secondKey: string | null;
}

async function lines(ctx: Ctx, day: string, { filter, firstKey, secondKey }: Asked): Promise<Found[]> {
  const { by = 'STAGE', within } = filter;
  const second = within && secondKey !== null ? sql`AND ${sql.raw(KEYS[within])} = ${secondKey}` : sql``;
  const { rows } = await sql<Found>`
    SELECT k.key AS id, k.stage, ${sql.raw(KEYS.PLACE)} AS place,
           CASE WHEN k.seller_sku <> '' THEN k.seller_sku ELSE coalesce(p.sku, '—') END AS sku, k.disposition, k.source,
           k.product_id, k.qty, k.uncosted, k.purchase, k.first_leg, k.duty, k.other, k.total, k.reserve,
           k.total - k.reserve AS net
      FROM ${linesAt(ctx, day, filter)} AND ${sql.raw(KEYS[by])} = ${firstKey} ${second}
     ORDER BY k.total DESC, k.key LIMIT ${MOST}`.execute(ctx.db);
  return rows;
}

const unit = (amount: string, qty: number): string | null =>
  qty === 0 ? null : new Decimal(amount).div(qty).toDecimalPlaces(4).toFixed();

const ON_THE_WAY: readonly Stage[] = ['TRANSFER', 'FIRST_LEG'];

/** Where a line's goods are booked: a warehouse by its id, a stock at Amazon's by the code of the warehouse that stands for it. */
function bookedAt({ place, stage }: Found): string {
  const [account = '', pool] = place.split(':');
  return `${pool === undefined ? account : fbaCode(account, pool)} ${ON_THE_WAY.includes(stage)}`;
}

/** The layers behind the lines, where all of these are of one product. */
async function layers(ctx: Ctx, day: string, found: readonly Found[]): Promise<WorthLayer[]> {
  const products = new Set(found.map((line) => line.product_id));
  const [product] = products;
  if (!product || products.size > 1) return [];
  const places = new Set(found.map(bookedAt));
  const here = (await layersOfProduct(ctx, product, day)).filter(({ warehouse_id, code, moving }) =>
    [warehouse_id, code].some((place) => places.has(`${place} ${moving}`)),
  );
  return here.map((layer) => ({
    id: layer.layer_id,
    number: layer.number,
    warehouse: layer.warehouse,
    inTransit: layer.in_transit,
    originalDate: layer.original_date,
    qty: layer.qty,
    unitCost: unit(layer.amount, layer.qty),
    amount: layer.amount,
    firstLeg: layer.first_leg,
    duty: layer.duty,
    other: layer.other,
    path: layer.path,
  }));
}

/** What is behind a row of the list. Costs only for those who may see them. @throws refused B1605 */
export async function detail(ctx: Ctx, asked: Asked): Promise<Reply<typeof worthDetail>> {
  const day = await dayOf(ctx, asked.filter);
  const costs = can(ctx, COST);
  const names = await namer(ctx);
  const found = await lines(ctx, day, asked);
  return {
    lines: found.map((row) => ({
      id: row.id,
      stage: row.stage,
      place: names('PLACE', row.place),
      sku: row.sku,
      disposition: Disposition.options.find((one) => one === row.disposition) ?? null,
      ...amountsOf(row, costs),
      unitCost: costs ? unit(row.total, row.qty - row.uncosted) : null,
      source: sourceOf(row.source),
    })),
    layers: costs ? await layers(ctx, day, found) : [],
  };
}
