import type { Reply } from '#kit/contract/endpoint.ts';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import type { PlacementLeg, placementCosts } from '../../../contract/placement.ts';
import { rowOf } from '../../order/detail.ts';
import { FEWEST, type ShelfDays, shelfDays } from '../../transit/speed.ts';
import { type PricedChannel, pricedChannels } from '../../transport/compare/cards.ts';
import { quoteOf } from '../../transport/compare/quote.ts';
import { scalesOf } from '../../transport/rules/weigh.ts';
import { reaches } from '../../transport/rules/zone.ts';
import { isFixed } from '../decide.ts';
import { loadView } from '../load.ts';
import type { PlacedShipment, View } from '../types.ts';
import { comparePlacements } from './rules.ts';

type Freight = Pick<PlacementLeg, 'freight' | 'currency' | 'freightCny' | 'why'>;

interface Given {
  view: View;
  channel: PricedChannel | undefined;
  day: string;
  /** CNY for one unit. */
  rates: ReadonlyMap<string, string>;
  shelves: ReadonlyMap<string, ShelfDays>;
}

const piecesOf = (items: readonly { qty: number }[]): number => items.reduce((total, { qty }) => total + qty, 0);

/** Why the channel's card says nothing of a shipment; nothing where it can be asked. */
function unreachable({ view, channel }: Given, { center, postalCode = '' }: PlacedShipment): string | undefined {
  if (!channel) return '发货单未选择渠道';
  const country = countryOf(view.order.marketplaceId);
  if (channel.country !== country) return `渠道「${channel.name}」的目的国是 ${channel.country}`;
  if (reaches(channel.zone, { code: center, postalCode, country })) return undefined;
  return `渠道「${channel.name}」的分区「${channel.zone}」不含该仓`;
}

/** What the order's channel asks for the boxes of a shipment, or why nobody can say; never 0 for what is not known. */
function freightOf(given: Given, shipment: PlacedShipment): Freight {
  const { view, channel, day, rates } = given;
  const none = (why: string): Freight => ({ freight: null, currency: '', freightCny: null, why });
  const why = unreachable(given, shipment);
  if (why !== undefined || !channel) return none(why ?? '');
  const numbers = new Set(shipment.boxes ?? []);
  const boxes = view.boxes.filter(({ no }) => numbers.has(no));
  if (piecesOf(boxes.flatMap(({ items }) => items)) !== piecesOf(shipment.items)) {
    return none('亚马逊没有给出该货件的箱子，重新生成配送方案后再看');
  }
  const quote = quoteOf(channel, scalesOf(boxes.map((box) => ({ ...box, count: 1 }))), day, rates);
  if (quote.total === null) return none(quote.why ?? '');
  return {
    freight: quote.total,
    currency: quote.currency,
    freightCny: quote.totalCny,
    why: quote.totalCny === null ? `没有 ${quote.currency} 的汇率` : '',
  };
}

function legOf(given: Given, shipment: PlacedShipment): PlacementLeg {
  const { seen, p90 } = given.shelves.get(shipment.center) ?? { seen: 0, p90: null };
  const daysWhy = p90 === null ? `近180天 ${seen} 个货件，不足 ${FEWEST} 个` : '';
  return {
    shipmentId: shipment.shipmentId,
    center: shipment.center,
    ...freightOf(given, shipment),
    days: p90,
    daysWhy,
  };
}

/**
 * What each placement that Amazon offers comes to with our own freight, by the card of the order's channel and the rates of
 * today; empty where there is none to choose from. @throws notFound
 */
export async function costsOf(ctx: Ctx, id: string): Promise<Reply<typeof placementCosts>> {
  await rowOf(ctx, id);
  const day = ctx.clock.today();
  const view = await loadView(ctx, id);
  const offers = view?.inbound.placement ?? [];
  if (!view || offers.length === 0 || isFixed(view, 'takePlacement')) return { channel: '', day, options: [] };
  const { channelId } = view.order;
  const [channel] = channelId === null ? [] : await pricedChannels(ctx, { channelId }, day);
  const currencies = [...offers.flatMap(({ fee }) => fee?.code ?? []), channel?.card?.currency ?? []].flat();
  const rates = await ratesOn(ctx, currencies, day);
  const centers = offers.flatMap(({ shipments }) => shipments.map(({ center }) => center));
  const given: Given = { view, channel, day, rates, shelves: await shelfDays(ctx, [...new Set(centers)]) };
  const now = (await marketplaceNow(ctx.runtime)).getTime();
  const placed = offers.map(({ optionId, fee, expiresAt, shipments }) => ({
    optionId,
    fee,
    pieces: piecesOf(shipments.flatMap(({ items }) => items)),
    expired: expiresAt !== null && Date.parse(expiresAt) <= now,
    legs: shipments.map((shipment) => legOf(given, shipment)),
  }));
  return {
    channel: channel ? `${channel.carrier} ${channel.name}` : '',
    day,
    options: comparePlacements(placed, rates),
  };
}
