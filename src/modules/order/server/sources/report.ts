import { formatInteger } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOfChannel } from '#modules/marketplace/contract/marketplaces.ts';
import {
  allOrdersByDate,
  allOrdersByUpdate,
  asideWarning,
  type LandCounts,
  type OrderReportLine,
  type ReportCheck,
  type ReportLoader,
  type ReportPlan,
  type ReportSource,
  type RowRefused,
  refuseTooBad,
} from '#modules/marketplace/server/index.ts';
import { statusOf } from '../../contract/status.ts';
import type { FactRow, LineFact, OrderHead } from '../landing/fact.ts';
import { landOrders } from '../landing/land.ts';
import { keepTold, toldAgain, toldBefore } from '../landing/told.ts';
import { ORDER_HISTORY } from './codes.ts';
import { catchUp } from './nightly.ts';

const BY_DATE = allOrdersByDate.type;
const BY_UPDATE = allOrdersByUpdate.type;
const NON_AMAZON = /^non[-\s]?amazon/i;

/** '' is nothing. */
const told = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Report discounts are positive; a file that writes them negative means the same. */
const discount = (amount: string | null): string | null => (amount === null ? null : amount.replace(/^-/, ''));

/**
 * The marketplace of a line: by its sales channel. A channel that is not known stays as the file spells it, never
 * guessed from currency or country; a line without one belongs to the only marketplace that the report is about.
 */
function siteOf(line: OrderReportLine, marketplaceIds: readonly string[]): string {
  const known = marketplaceOfChannel(line.salesChannel)?.id;
  if (known) return known;
  if (line.salesChannel === '' || NON_AMAZON.test(line.salesChannel)) return marketplaceIds[0] ?? '';
  return line.salesChannel;
}

function headOf(line: OrderReportLine, marketplaceIds: readonly string[], status: OrderHead['status']): OrderHead {
  return {
    amazonOrderId: line.amazonOrderId,
    marketplaceId: siteOf(line, marketplaceIds),
    sellerOrderId: told(line.merchantOrderId),
    salesChannel: told(line.salesChannel),
    channel: NON_AMAZON.test(line.salesChannel) ? 'NON_AMAZON' : 'AMAZON',
    fulfilledBy: /^(amazon|afn)$/i.test(line.fulfillmentChannel) ? 'AMAZON' : 'MERCHANT',
    status,
    purchasedAt: line.purchasedAt,
    lastUpdatedAt: line.lastUpdatedAt,
    earliestShipAt: null,
    latestShipAt: null,
    earliestDeliverAt: null,
    latestDeliverAt: null,
    serviceLevel: told(line.shipServiceLevel),
    programs: line.isBusinessOrder ? ['AMAZON_BUSINESS'] : [],
    isBusiness: line.isBusinessOrder,
    isReplacement: null,
    originalOrderId: null,
    buyerCancelRequested: false,
    shipCountry: told(line.shipCountry),
    shipState: told(line.shipState),
    postalPrefix: told(line.shipPostalCode.slice(0, 3)),
    currency: told(line.currency),
    orderTotal: null,
    packages: [],
  };
}

function lineOf(line: OrderReportLine): LineFact {
  const quantity = Number(line.quantity ?? 0);
  return {
    orderItemId: told(line.orderItemId),
    sku: line.sku,
    asin: told(line.asin),
    title: told(line.productName),
    quantity,
    shippedQuantity: /^shipped/i.test(line.itemStatus) ? quantity : 0,
    unitPrice: null,
    itemPrice: line.itemPrice,
    shippingPrice: line.shippingPrice,
    giftWrapPrice: line.giftWrapPrice,
    otherPrice: null,
    itemTax: line.itemTax,
    shippingTax: line.shippingTax,
    giftWrapTax: line.giftWrapTax,
    itemDiscount: discount(line.itemPromotionDiscount),
    shippingDiscount: discount(line.shipPromotionDiscount),
    promotionIds: line.promotionIds.split(',').flatMap((id) => told(id) ?? []),
    cancelReason: null,
  };
}

function problemOf(line: OrderReportLine): string | undefined {
  if (!line.purchasedAt) return '缺少订购时间';
  if (Number(line.quantity ?? 0) < 0) return '数量为负';
  if (statusOf(line.orderStatus) === undefined) return `订单状态未知：${line.orderStatus.slice(0, 60)}`;
  return undefined;
}

/** Rows of report lines; what cannot be taken over goes to `refused`. */
export function reportRows(
  lines: readonly OrderReportLine[],
  marketplaceIds: readonly string[],
  refused: RowRefused[],
): FactRow[] {
  return lines.flatMap((line) => {
    const problem = problemOf(line);
    const status = statusOf(line.orderStatus);
    if (problem !== undefined || status === undefined) {
      refused.push({ lineNo: line.lineNo, reason: problem ?? '', about: line.amazonOrderId });
      return [];
    }
    return [{ version: 0, head: headOf(line, marketplaceIds, status), line: lineOf(line) }];
  });
}

function readingOf(source: ReportSource, aside: RowRefused[]) {
  const reader = source.reportType === BY_UPDATE ? allOrdersByUpdate : allOrdersByDate;
  const marketplaceId = source.marketplaceIds[0];
  return reader.read(source.open, {
    ...(source.charset === undefined ? {} : { charset: source.charset }),
    ...(marketplaceId === undefined ? {} : { marketplaceId }),
    aside,
  });
}

/** Reads a whole file as a load would, but writes nothing. @throws FileRefused */
async function check(source: ReportSource): Promise<ReportCheck> {
  const aside: RowRefused[] = [];
  const reading = readingOf(source, aside);
  const facts = await reading.header;
  const orders = new Set<string>();
  const refused: RowRefused[] = [];
  const unknown = new Set<string>();
  let rows = 0;
  let units = 0;
  let from: string | null = null;
  let to: string | null = null;
  for await (const batch of reading.rows) {
    rows += batch.length;
    for (const { head, line } of reportRows(batch, source.marketplaceIds, refused)) {
      orders.add(head.amazonOrderId);
      units += line.quantity;
      if (from === null || head.purchasedAt < from) from = head.purchasedAt;
      if (to === null || head.purchasedAt > to) to = head.purchasedAt;
      if (head.salesChannel && head.channel === 'AMAZON' && !marketplaceOfChannel(head.salesChannel)) {
        unknown.add(head.salesChannel);
      }
    }
  }
  const left = [...aside, ...refused];
  refuseTooBad(left, rows + aside.length);
  return {
    rows,
    from,
    to,
    summary: `${formatInteger(orders.size)} 个订单 · ${formatInteger(rows)} 行 · ${formatInteger(units)} 件`,
    warnings: [
      ...facts.warnings,
      ...asideWarning(left),
      ...(unknown.size > 0 ? [`未识别的销售渠道，将按原名显示：${[...unknown].slice(0, 5).join('、')}`] : []),
    ],
  };
}

/** All-orders reports, asked for by the engine or uploaded. Repeating a file changes nothing. */
export const allOrdersLoader: ReportLoader = {
  reportTypes: [BY_DATE, BY_UPDATE],
  title: '所有订单报告',
  check,
  load,
};

async function load(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const file = await toldBefore(ctx, source);
  const again = file.known && (await toldAgain(ctx, source));
  if (again) {
    await catchUp(ctx, source);
    return again;
  }
  const aside: RowRefused[] = [];
  const refused: RowRefused[] = [];
  async function* rows() {
    for await (const batch of readingOf(source, aside).rows) yield reportRows(batch, source.marketplaceIds, refused);
  }
  const left = () => [...aside, ...refused];
  const counts = await landOrders(ctx, source.account, {
    source: 'report',
    kind: source.reportType,
    rows: rows(),
    incomplete: () => left().flatMap((row) => row.about || []),
  });
  refuseTooBad(left(), counts.rowsIn + left().length);
  await catchUp(ctx, source);
  const landed = { ...counts, quarantined: (counts.quarantined ?? 0) + left().length, refused: left() };
  await keepTold(ctx, file, landed);
  return landed;
}

/**
 * The past of a new account, in months: two years, unless the installation says less, so that each month of a season has the
 * one of last year to be held against.
 */
export const orderHistory: ReportPlan = {
  code: ORDER_HISTORY,
  title: '历史订单',
  reportType: BY_DATE,
  how: 'request',
  windowDays: 30,
  historyDays: (config) => config.orderHistoryDays,
  priority: 10,
  cadenceSec: 86_400,
  sloMin: 24 * 60,
};
