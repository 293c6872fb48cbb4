import type { ColumnSpec } from './headers.ts';
import { cellAt, extraOf } from './headers.ts';
import { currencyScale } from './markets.ts';
import { decimalCell, integerCell } from './numbers.ts';
import { FileRefused } from './refusal.ts';
import { dateMemory, reportReader } from './report.ts';
import type { SettlementExtra } from './settlement-proof.ts';
import { HEAD_COLUMNS, SettlementProof } from './settlement-proof.ts';
import type { SettlementLine } from './settlement-shape.ts';

/** The 24 columns of the report; Amazon writes them in English in every marketplace. */
export const V2_COLUMNS = [
  ...HEAD_COLUMNS,
  { name: 'transaction-type', required: true },
  { name: 'order-id', required: true },
  { name: 'merchant-order-id' },
  { name: 'adjustment-id' },
  { name: 'shipment-id' },
  { name: 'marketplace-name' },
  { name: 'amount-type', required: true },
  { name: 'amount-description', required: true },
  { name: 'amount', required: true },
  { name: 'fulfillment-id', aliases: ['fulfilment-id'] },
  { name: 'posted-date', required: true },
  { name: 'posted-date-time' },
  { name: 'order-item-code' },
  { name: 'merchant-order-item-id' },
  { name: 'merchant-adjustment-item-id' },
  { name: 'sku', required: true },
  { name: 'quantity-purchased' },
  { name: 'promotion-id' },
] as const satisfies readonly ColumnSpec<string>[];

type V2Column = (typeof V2_COLUMNS)[number]['name'];

/**
 * GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2: one line per amount with amount-type and amount-description. Refused
 * unless the amounts add up to total-amount to the cent.
 */
export const settlementV2 = reportReader<V2Column, SettlementLine, SettlementExtra>({
  type: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2',
  title: '结算报告（V2）',
  columns: V2_COLUMNS,
  amounts: [],
  reach: ['settlement-id'],
  dates: ['settlement-start-date', 'settlement-end-date', 'deposit-date', 'posted-date', 'posted-date-time'],
  survey: (columns, options) => new SettlementProof(columns, [{ name: 'amount', at: columns.index.amount }], options),
  convert: ({ index: at, extra }, facts) => {
    const scale = currencyScale(facts.currency);
    const date = dateMemory(facts);
    return {
      row({ cells, line }, out) {
        if (cellAt(cells, at['total-amount']).trim() !== '') return;
        if (cells.length <= at.amount)
          throw new FileRefused('ROW_WIDTH', `只有 ${cells.length} 列，没有金额`, { line });
        const amountType = cellAt(cells, at['amount-type']).trim();
        const amountDescription = cellAt(cells, at['amount-description']).trim();
        const amount = decimalCell(cellAt(cells, at.amount), facts.decimal, { line, column: 'amount' }, scale);
        if (amount === null && amountType + amountDescription !== '') {
          throw new FileRefused('VALUE', '金额为空', { line, column: 'amount' });
        }
        const time = cellAt(cells, at['posted-date-time']);
        const posted = time.trim() === '' ? cellAt(cells, at['posted-date']) : time;
        const more = extra.length > 0 ? extraOf(cells, extra) : undefined;
        out.push({
          lineNo: line,
          part: 1,
          transactionType: cellAt(cells, at['transaction-type']).trim(),
          amountType,
          amountDescription,
          amount: amount ?? '0',
          orderId: cellAt(cells, at['order-id']),
          merchantOrderId: cellAt(cells, at['merchant-order-id']),
          adjustmentId: cellAt(cells, at['adjustment-id']),
          shipmentId: cellAt(cells, at['shipment-id']),
          marketplaceName: cellAt(cells, at['marketplace-name']),
          fulfillmentId: cellAt(cells, at['fulfillment-id']),
          postedAt: date(posted, { line, column: 'posted-date' })?.instant ?? null,
          orderItemCode: cellAt(cells, at['order-item-code']),
          merchantOrderItemId: cellAt(cells, at['merchant-order-item-id']),
          merchantAdjustmentItemId: cellAt(cells, at['merchant-adjustment-item-id']),
          sku: cellAt(cells, at.sku),
          quantity: integerCell(cellAt(cells, at['quantity-purchased']), facts.decimal, {
            line,
            column: 'quantity-purchased',
          }),
          promotionId: cellAt(cells, at['promotion-id']),
          ...(more ? { extra: more } : {}),
        });
      },
    };
  },
});
