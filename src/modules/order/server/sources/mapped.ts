import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf, marketplaceOfChannel } from '#modules/marketplace/contract/marketplaces.ts';
import { ORDER_LIST } from '#modules/marketplace/contract/uploads.ts';
import type { AccountRef, LandCounts, MappedOrderLine, OrderListLoader } from '#modules/marketplace/server/index.ts';
import { statusOf } from '../../contract/status.ts';
import { type FactRow, NO_LINE, type Refused } from '../landing/fact.ts';
import { landOrders } from '../landing/land.ts';

export interface MappedOrders {
  account: AccountRef;
  /** Marketplace of lines that name no channel that we know. */
  marketplaceId: string;
  rows: AsyncIterable<readonly MappedOrderLine[]>;
}

/** A list that has no status column speaks of orders that went out. */
function statusOrShipped(text: string) {
  return text.trim() === '' ? ('SHIPPED' as const) : statusOf(text);
}

function rowOf(line: MappedOrderLine, marketplaceId: string, refused: Refused[]): FactRow[] {
  const quantity = Number(line.quantity);
  const status = statusOrShipped(line.status);
  if (status === undefined || quantity < 0) {
    const reason = status === undefined ? `订单状态未知：${line.status.slice(0, 60)}` : '数量为负';
    refused.push({ amazonOrderId: line.orderNumber, reason });
    return [];
  }
  const site = marketplaceOfChannel(line.channel)?.id ?? marketplaceId;
  return [
    {
      version: 0,
      head: {
        amazonOrderId: line.orderNumber,
        marketplaceId: site,
        sellerOrderId: null,
        salesChannel: line.channel || null,
        channel: /^non[-\s]?amazon/i.test(line.channel) ? 'NON_AMAZON' : 'AMAZON',
        fulfilledBy: 'AMAZON',
        status,
        purchasedAt: line.orderedAt,
        lastUpdatedAt: null,
        earliestShipAt: null,
        latestShipAt: null,
        earliestDeliverAt: null,
        latestDeliverAt: null,
        serviceLevel: null,
        programs: [],
        isBusiness: false,
        // A list says nothing of replacements, and an empty price is no sign of one.
        isReplacement: false,
        originalOrderId: null,
        buyerCancelRequested: false,
        shipCountry: line.country || null,
        shipState: line.state || null,
        postalPrefix: line.postalCode.slice(0, 3) || null,
        currency: line.currency || marketplaceOf(site)?.currency || null,
        orderTotal: null,
        packages: [],
      },
      line: {
        ...NO_LINE,
        sku: line.sku || line.asin,
        asin: line.asin || null,
        quantity,
        shippedQuantity: status === 'SHIPPED' ? quantity : 0,
        itemPrice: line.amount,
      },
    },
  ];
}

/**
 * Lands a seller's own order list, read through a mapping (`orders.mapped`). It never replaces what Amazon itself said
 * of an order; the same list twice changes nothing, a corrected list replaces the lines of its orders.
 */
export function landMappedOrders(ctx: Ctx, { account, marketplaceId, rows }: MappedOrders): Promise<LandCounts> {
  const refused: Refused[] = [];
  async function* facts() {
    for await (const batch of rows) yield batch.flatMap((line) => rowOf(line, marketplaceId, refused));
  }
  return landOrders(ctx, account, { source: 'upload', kind: ORDER_LIST, rows: facts(), refused });
}

/** Lists that users upload through a mapping. */
export const mappedOrders: OrderListLoader = {
  title: '订单列表',
  load: (ctx, account, marketplaceId, lines) => landMappedOrders(ctx, { account, marketplaceId, rows: lines }),
};
