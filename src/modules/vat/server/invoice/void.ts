import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { lockInvoice } from './row.ts';

/**
 * Nothing that has a number is made void: the series would have a hole. What Amazon has accepted is taken back by a credit note,
 * what it has not is corrected under its number.
 * @throws 404, 409; refused B1464 always
 */
export async function refuseVoid(ctx: Ctx, { id, version }: { id: string; version: number }): Promise<never> {
  const row = await lockInvoice(ctx, id, version);
  if (row.state === 'accepted') throw refused('发票已被亚马逊接受，不能作废，请开红字发票', 'B1464');
  if (row.state === 'pending') throw refused('发票尚未生成，无需作废', 'B1464');
  throw refused('发票号不能作废，请更正后重传', 'B1464');
}
