import { code } from '../business/draws.ts';
import type { SimOrder, SimTransaction } from '../business/index.ts';
import { negate, sumMoney } from './money.ts';
import { unitDraw } from './random.ts';
import { type Cells, dayIn, fbaTable } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

const RETURNS = [
  'Order ID',
  'Order date',
  'Return request date',
  'Return request status',
  'Amazon RMA ID',
  'Merchant RMA ID',
  'Label type',
  'Label cost',
  'Currency code',
  'Return carrier',
  'Tracking ID',
  'Label to be paid by',
  'A-to-Z Claim',
  'Is prime',
  'ASIN',
  'Merchant SKU',
  'Item Name',
  'Return quantity',
  'Return Reason',
  'In policy',
  'Return type',
  'Resolution',
  'Invoice number',
  'Return delivery date',
  'Order Amount',
  'Order quantity',
  'SafeT Action reason',
  'SafeT claim id',
  'SafeT claim state',
  'SafeT claim creation time',
  'SafeT claim reimbursement amount',
  'Refunded Amount',
];

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const RMA = '23456789BCDFGHJKMNPQRSTVWXYZbcdfghjkmnpqrstvwxyz';
const REASONS = ['CR-UNWANTED_ITEM', 'CR-DEFECTIVE', 'CR-QUALITY_UNACCEPTABLE', 'CR-ORDERED_WRONG_ITEM'];
/** Share of refunds for which nothing has to be sent back: such a return has no RMA. */
const RETURNLESS = 0.15;

/** "10-Jul-2026", whatever the language of the site. */
function dated(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${date}-${MONTHS[Number(month) - 1]}-${year}`;
}

/** What a buyer paid for an order, taxes and shipping included. */
function paidFor({ items }: SimOrder): string {
  return sumMoney(
    items.flatMap((item) => [
      item.itemPrice,
      item.itemTax,
      item.shippingPrice,
      item.shippingTax,
      item.giftWrapPrice,
      item.giftWrapTax,
      negate(item.itemDiscount),
      negate(item.shippingDiscount),
    ]),
  );
}

/** What the buyer got back: all that a refund takes off the sale, but for taxes that Amazon withheld itself. */
function refunded({ items }: SimTransaction): string {
  const leaves = items.flatMap(({ breakdowns }) => breakdowns);
  const back = leaves.filter(({ path }) => path[0] === 'Sales' && path[1] !== 'Tax Withheld');
  return negate(sumMoney(back.map(({ amount }) => amount)));
}

/**
 * Returns of orders that the seller ships himself, by the day on which the buyer asked for them. The business knows when the
 * money went back: its sellers agree at once, so that the buyer asked on that day.
 */
const returns = fbaTable(RETURNS, ({ world, account, market, from, until }) => {
  const period = { from, to: until + 1, marketplaceId: market.marketplaceId };
  return world.business.transactions(account, period, until).flatMap((refund): Cells[] => {
    const { orderId, transactionType } = refund;
    if (transactionType !== 'Refund' || orderId === undefined) return [];
    const order = world.business.order(account, orderId, until);
    const [item] = refund.items;
    if (order?.fulfilment !== 'MFN' || !item?.sku) return [];
    const draw = unitDraw('merchant-return', world.seed, order.orderId);
    const isReturnless = draw < RETURNLESS;
    return [
      {
        'Order ID': order.orderId,
        'Order date': dated(dayIn(market, order.purchasedAt)),
        'Return request date': dated(dayIn(market, refund.postedAt)),
        'Return request status': 'Approved',
        'Amazon RMA ID': isReturnless ? '' : `D${code(11, RMA, world.seed, 'rma', order.orderId)}`,
        'Label type': isReturnless ? '' : 'AmazonPrePaidLabel',
        'Label cost': isReturnless ? '' : market.currency === 'JPY' ? '600' : '4.14',
        'Currency code': market.currency,
        'Return carrier': isReturnless ? '' : 'UPS',
        'Tracking ID': isReturnless ? '' : `1Z${code(16, '0123456789', world.seed, 'return', order.orderId)}`,
        'Label to be paid by': isReturnless ? '' : 'Seller',
        'A-to-Z Claim': 'N',
        'Is prime': 'N',
        ASIN: item.asin,
        'Merchant SKU': item.sku,
        'Item Name': order.items.find(({ sku }) => sku === item.sku)?.title,
        'Return quantity': item.quantity,
        'Return Reason': REASONS[Math.floor(draw * REASONS.length)],
        'In policy': 'Y',
        'Return type': 'C-Returns',
        Resolution: 'StandardRefund',
        'Order Amount': paidFor(order),
        'Order quantity': order.items.reduce((sum, { quantityOrdered }) => sum + quantityOrdered, 0),
        'Refunded Amount': refunded(refund),
      },
    ];
  });
});

/** What buyers send back to the seller himself. */
export const returnTypes: Readonly<Record<string, ReportType>> = {
  GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: { maxDays: 60, singleMarketplace: false, table: returns },
};
