import type { Ctx } from '#kit/server/context.ts';
import { limitOf } from '../../contract/money.ts';
import { settingOf } from '../setting.ts';
import type { OrderLine } from './load.ts';
import { supplierOf } from './suppliers.ts';

/**
 * Most pieces that may come of a line of an order: by its own tolerance, else its supplier's, else the company's.
 * @throws refused B1001 for a supplier that does not exist
 */
export async function limitsFor(
  ctx: Ctx,
  supplierId: string,
): Promise<(line: Pick<OrderLine, 'qty' | 'receiveTolerance'>) => number> {
  const company = (await settingOf(ctx)).receiveTolerance;
  const supplier = (await supplierOf(ctx, supplierId)).receiveTolerance;
  return ({ qty, receiveTolerance }) => limitOf(qty, receiveTolerance ?? supplier ?? company);
}
