import { Decimal } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { AMOUNT_TOLERANCE, PRICE_TOLERANCE } from '../../contract/invoice.ts';

/** A line of an invoice beside its order line. Prices are of one piece, tax included, in the order's currency. */
export interface Compared {
  lineNo: number;
  qty: number;
  unitPrice: string;
  agreed: string;
  /** Pieces that came and did not go back. */
  accepted: number;
  /** Pieces invoiced so far, this invoice and those before it. */
  invoiced: number;
}

/**
 * Three-way match of order, receipt and invoice: each price within 1 % of the agreed one and all of them together within
 * CNY 50 of it; never a piece more than was accepted. @param rate CNY for one unit of the order's currency
 * @returns what does not fit, in words; empty where all does
 */
export function findingOf(lines: readonly Compared[], rate: string): string {
  const found: string[] = [];
  let difference = new Decimal(0);
  for (const line of lines) {
    const by = new Decimal(line.unitPrice).minus(line.agreed);
    difference = difference.plus(by.abs().times(line.qty).times(rate));
    if (by.abs().gt(new Decimal(line.agreed).times(PRICE_TOLERANCE)))
      found.push(`第${line.lineNo}行单价${line.unitPrice}，订单${line.agreed}`);
    if (line.invoiced > line.accepted)
      found.push(`第${line.lineNo}行累计开票${formatInteger(line.invoiced)}，验收${formatInteger(line.accepted)}`);
  }
  if (difference.gt(AMOUNT_TOLERANCE)) found.push(`价差合计¥${difference.toFixed(2)}，超过¥${AMOUNT_TOLERANCE}`);
  return found.join('；');
}
