import type { ColumnSpec } from './headers.ts';
import { cellAt, extraOf } from './headers.ts';
import { currencyScale } from './markets.ts';
import { decimalCell, integerCell } from './numbers.ts';
import { FileRefused } from './refusal.ts';
import { dateMemory, reportReader } from './report.ts';
import type { SettlementExtra } from './settlement-proof.ts';
import { HEAD_COLUMNS, SettlementProof } from './settlement-proof.ts';
import type { SettlementLine } from './settlement-shape.ts';
import { AMOUNT_TYPE } from './settlement-shape.ts';
import { PendingQuantities } from './settlement-v1-quantity.ts';

/** The 36 columns; the three of promotions are missing from the file of a period without any. */
export const V1_COLUMNS = [
  ...HEAD_COLUMNS,
  { name: 'transaction-type', required: true },
  { name: 'order-id', required: true },
  { name: 'merchant-order-id' },
  { name: 'adjustment-id' },
  { name: 'shipment-id' },
  { name: 'marketplace-name' },
  { name: 'shipment-fee-type' },
  { name: 'shipment-fee-amount', required: true },
  { name: 'order-fee-type' },
  { name: 'order-fee-amount', required: true },
  { name: 'fulfillment-id', aliases: ['fulfilment-id'] },
  { name: 'posted-date', required: true },
  { name: 'order-item-code' },
  { name: 'merchant-order-item-id' },
  { name: 'merchant-adjustment-item-id' },
  { name: 'sku', required: true },
  { name: 'quantity-purchased' },
  { name: 'price-type', required: true },
  { name: 'price-amount', required: true },
  { name: 'item-related-fee-type', required: true },
  { name: 'item-related-fee-amount', required: true },
  { name: 'misc-fee-amount' },
  { name: 'other-fee-amount', required: true },
  { name: 'other-fee-reason-description' },
  { name: 'promotion-id' },
  { name: 'promotion-type' },
  { name: 'promotion-amount' },
  { name: 'direct-payment-type' },
  { name: 'direct-payment-amount' },
  { name: 'other-amount', required: true },
] as const satisfies readonly ColumnSpec<string>[];

type V1Column = (typeof V1_COLUMNS)[number]['name'];

/** Columns that carry money, and what the line of form V2 says in their place. */
const MONEY: readonly { amount: V1Column; kind?: V1Column; type: keyof typeof AMOUNT_TYPE }[] = [
  { amount: 'shipment-fee-amount', kind: 'shipment-fee-type', type: 'shipmentFee' },
  { amount: 'order-fee-amount', kind: 'order-fee-type', type: 'orderFee' },
  { amount: 'price-amount', kind: 'price-type', type: 'price' },
  { amount: 'item-related-fee-amount', kind: 'item-related-fee-type', type: 'itemFee' },
  { amount: 'misc-fee-amount', type: 'other' },
  { amount: 'other-fee-amount', kind: 'other-fee-reason-description', type: 'other' },
  { amount: 'promotion-amount', kind: 'promotion-type', type: 'promotion' },
  { amount: 'direct-payment-amount', kind: 'direct-payment-type', type: 'directPayment' },
  { amount: 'other-amount', type: 'other' },
];

/** Reimbursements come as a transaction type in capitals: WAREHOUSE_DAMAGE, MISSING_FROM_INBOUND … */
const REIMBURSEMENT = /^[A-Z]+(?:_[A-Z]+)+$/;

/** transaction-type, amount-type and amount-description that form V2 would have for an amount of this form. */
function meaning(column: V1Column, transactionType: string, kind: string, feeType: string, isItem: boolean) {
  if (column === 'other-amount') {
    const reimbursed = REIMBURSEMENT.test(transactionType);
    return {
      transactionType: isItem ? transactionType : 'other-transaction',
      amountType: reimbursed ? AMOUNT_TYPE.reimbursement : AMOUNT_TYPE.other,
      amountDescription: transactionType,
    };
  }
  if (transactionType === 'ServiceFee' && feeType !== '') {
    // Form V2 names the service in amount-type; its tax stands beside it in this form.
    const tax = column === 'other-fee-amount';
    return { transactionType, amountType: feeType, amountDescription: tax ? kind : 'TransactionTotalAmount' };
  }
  const money = MONEY.find((one) => one.amount === column);
  const amountDescription = kind === '' && column === 'misc-fee-amount' ? 'MiscFee' : kind;
  return { transactionType, amountType: AMOUNT_TYPE[money?.type ?? 'other'], amountDescription };
}

/**
 * GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE: one amount column per kind. Normalised into the lines of form V2; a physical
 * line with two amounts becomes two lines (part 1 and 2). Refused unless all amounts add up to total-amount.
 */
export const settlementV1 = reportReader<V1Column, SettlementLine, SettlementExtra>({
  type: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE',
  title: '结算报告（V1，每种费用一列）',
  columns: V1_COLUMNS,
  amounts: [],
  reach: ['settlement-id'],
  dates: ['settlement-start-date', 'settlement-end-date', 'deposit-date', 'posted-date'],
  survey: (columns, options) =>
    new SettlementProof(
      columns,
      MONEY.map(({ amount }) => ({ name: amount, at: columns.index[amount] })),
      options,
    ),
  convert: ({ index: at, extra }, facts) => {
    const scale = currencyScale(facts.currency);
    const date = dateMemory(facts);
    const money = MONEY.filter((one) => at[one.amount] >= 0);
    const pending = new PendingQuantities();
    return {
      row({ cells, line }, out) {
        if (cellAt(cells, at['total-amount']).trim() !== '') return;
        const transactionType = cellAt(cells, at['transaction-type']).trim();
        if (transactionType === '') throw new FileRefused('VALUE', '不能为空', { line, column: 'transaction-type' });
        const orderItemCode = cellAt(cells, at['order-item-code']);
        const feeType = cellAt(cells, at['item-related-fee-type']).trim();
        const more = extra.length > 0 ? extraOf(cells, extra) : undefined;
        const base: SettlementLine = {
          lineNo: line,
          part: 1,
          transactionType,
          amountType: '',
          amountDescription: '',
          amount: '0',
          orderId: cellAt(cells, at['order-id']),
          merchantOrderId: cellAt(cells, at['merchant-order-id']),
          adjustmentId: cellAt(cells, at['adjustment-id']),
          shipmentId: cellAt(cells, at['shipment-id']),
          marketplaceName: cellAt(cells, at['marketplace-name']),
          fulfillmentId: cellAt(cells, at['fulfillment-id']),
          postedAt: date(cellAt(cells, at['posted-date']), { line, column: 'posted-date' })?.instant ?? null,
          orderItemCode,
          merchantOrderItemId: cellAt(cells, at['merchant-order-item-id']),
          merchantAdjustmentItemId: cellAt(cells, at['merchant-adjustment-item-id']),
          sku: cellAt(cells, at.sku),
          quantity: integerCell(cellAt(cells, at['quantity-purchased']), facts.decimal, {
            line,
            column: 'quantity-purchased',
          }),
          promotionId: cellAt(cells, at['promotion-id']),
          ...(more ? { extra: more } : {}),
        };
        let part = 0;
        for (const { amount: column, kind } of money) {
          const amount = decimalCell(cellAt(cells, at[column]), facts.decimal, { line, column }, scale);
          if (amount === null) continue;
          part++;
          const said = kind === undefined ? '' : cellAt(cells, at[kind]).trim();
          const quantity = part === 1 ? base.quantity : null;
          const next = {
            ...base,
            ...meaning(column, transactionType, said, feeType, orderItemCode !== ''),
            amount,
            part,
          };
          out.push(pending.settle({ ...next, quantity }));
        }
        if (part === 0) pending.add(base);
      },
      finish: (out) => {
        for (const line of pending.rest()) out.push(line);
      },
    };
  },
});
