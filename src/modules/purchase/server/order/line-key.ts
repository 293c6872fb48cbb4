import { Decimal } from '#kit/contract/decimal.ts';
import type { OrderInput } from '../../contract/order.ts';

type Kept = Pick<
  OrderInput['lines'][number],
  | 'productId'
  | 'gift'
  | 'unitPrice'
  | 'taxRate'
  | 'rebateRate'
  | 'expectedOn'
  | 'receiveTolerance'
  | 'dutyRate'
  | 'importVatRate'
>;

/**
 * What tells lines of an order apart: they hold another product, are a gift, or were agreed otherwise. Lines with one key
 * are one line.
 */
export function lineKey(line: Kept): string {
  const price = line.gift ? '0' : new Decimal(line.unitPrice).toFixed();
  const shares = [line.taxRate, line.rebateRate, line.dutyRate, line.importVatRate].map((share) =>
    new Decimal(share).toFixed(),
  );
  const tolerance = line.receiveTolerance === null ? '' : new Decimal(line.receiveTolerance).toFixed();
  return [line.productId, line.gift, price, ...shares, line.expectedOn, tolerance].join(' ');
}
