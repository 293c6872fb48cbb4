import type { SimOrder, SimOrderItem } from '../business/types.ts';
import { invalidInput, unauthorized } from './errors.ts';
import { divideMoney, sumMoney } from './money.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { list, listOf, parseInstant, text } from './query.ts';

const LONGEST_MS = 2 * 366 * 86_400_000;

interface Line {
  order: SimOrder;
  item: SimOrderItem;
}

function intervalOf(call: Call): { from: number; to: number; spelled: string } {
  const spelled = text(call.query, 'interval') ?? '';
  const [start, end, ...more] = spelled.split('--');
  if (start === undefined || end === undefined || more.length > 0) {
    throw invalidInput('interval: two instants joined by -- are expected');
  }
  const from = parseInstant('interval', start);
  const to = parseInstant('interval', end);
  if (to <= from) throw invalidInput('interval: the end must be later than the start');
  if (from < call.now - LONGEST_MS) throw invalidInput('interval: must not begin more than two years ago');
  return { from, to, spelled };
}

function linesOf(call: Call, marketplaceId: string, from: number, to: number): Line[] {
  const [asin, sku] = [text(call.query, 'asin'), text(call.query, 'sku')];
  if (asin !== undefined && sku !== undefined) throw invalidInput('asin and sku may not be combined');
  const buyerType = listOf(call.query, 'buyerType', ['All', 'B2B', 'B2C'])[0] ?? 'All';
  const network = listOf(call.query, 'fulfillmentNetwork', ['AFN', 'MFN'])[0];
  const query = { marketplaceIds: [marketplaceId], by: 'created' as const, from, to };
  return call.world.business
    .orders(call.account, query, call.now)
    .filter((order) => order.status !== 'CANCELLED' && order.status !== 'UNFULFILLABLE' && !order.isReplacement)
    .filter((order) => buyerType === 'All' || order.isBusiness === (buyerType === 'B2B'))
    .filter((order) => network === undefined || order.fulfilment === network)
    .flatMap((order) => order.items.map((item) => ({ order, item })))
    .filter(({ item }) => (asin === undefined || item.asin === asin) && (sku === undefined || item.sku === sku));
}

/** Order metrics for the whole interval. Only granularity Total: the finer ones are sums a caller can make itself. */
function getOrderMetrics(call: Call): Answer {
  const [marketplaceId, ...more] = list(call.query, 'marketplaceIds');
  if (marketplaceId === undefined || more.length > 0) throw invalidInput('marketplaceIds: exactly one is required');
  if (!call.account.marketplaceIds.includes(marketplaceId)) {
    throw unauthorized(`The seller does not sell in marketplace ${marketplaceId}`);
  }
  if (text(call.query, 'granularity') !== 'Total') throw invalidInput("granularity: only 'Total' is simulated");
  const { from, to, spelled } = intervalOf(call);
  const lines = linesOf(call, marketplaceId, from, to);
  const currencyCode = call.world.marketplace(marketplaceId).currency;
  const units = lines.reduce((sum, { item }) => sum + item.quantityOrdered, 0);
  const total = sumMoney(lines.map(({ item }) => item.itemPrice)) || '0';
  const average = units === 0 ? '0' : divideMoney(total, units);
  return {
    body: {
      payload: [
        {
          interval: spelled,
          unitCount: units,
          orderItemCount: lines.length,
          orderCount: new Set(lines.map(({ order }) => order.orderId)).size,
          averageUnitPrice: { amount: average, currencyCode },
          totalSales: { amount: total, currencyCode },
        },
      ],
    },
  };
}

/** Sales API v1. */
export const salesOperations: Operation[] = [
  {
    name: 'getOrderMetrics',
    method: 'GET',
    path: '/sales/v1/orderMetrics',
    plan: { rate: 0.5, burst: 15 },
    handle: getOrderMetrics,
  },
];
