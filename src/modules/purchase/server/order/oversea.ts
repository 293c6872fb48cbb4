import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { OVERSEA } from '../../contract/fields.ts';
import type { OrderInput, OrderLineInput } from '../../contract/order.ts';

/** @throws refused B1003 for who may not buy overseas */
export function requireOversea(ctx: Ctx): void {
  if (!can(ctx, OVERSEA)) throw refused('无海外采购权限', 'B1003', { perm: OVERSEA });
}

const taxed = (line: OrderLineInput) =>
  [line.dutyRate, line.dutyAmount, line.importVatRate, line.importVatAmount].some(
    (value) => value !== null && !new Decimal(value).isZero(),
  );

/**
 * Terms of delivery and taxes of imports belong to overseas orders, and a rule needs its named place.
 * @throws refused B1003 for who may not buy overseas, B1125 for an order at home, a rule without a place or a place without a rule
 */
export function requireOverseaTerms(
  ctx: Ctx,
  input: Pick<OrderInput, 'incoterm' | 'incotermPlace' | 'lines'>,
  overseas: boolean,
): void {
  const { incoterm } = input;
  if (incoterm === null && input.incotermPlace !== '') {
    throw refused('填写了指定地点，请选择贸易术语', 'B1125', { field: 'incoterm' });
  }
  if (incoterm === null && !input.lines.some(taxed)) return;
  requireOversea(ctx);
  if (!overseas) throw refused('贸易术语、关税和进口VAT只用于海外采购单', 'B1125');
  if (incoterm !== null && input.incotermPlace === '') {
    throw refused(`请填写${incoterm}的指定地点`, 'B1125', { field: 'incotermPlace' });
  }
}

/** What customs take of a line of an order at home. */
export const NO_TAXES = { dutyRate: '0', dutyAmount: null, importVatRate: '0', importVatAmount: null } as const;

/** A line of an order at home. */
export const withoutTaxes = (line: OrderLineInput): OrderLineInput => ({ ...line, ...NO_TAXES });
