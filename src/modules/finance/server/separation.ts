import { actsForFlow } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { settingOf } from './setting.ts';

/** Whether somebody else than the caller has a right. */
async function othersHave(ctx: Ctx, permission: string): Promise<boolean> {
  return (await membersWith(ctx, permission)).some((id) => id !== ctx.userId);
}

/**
 * Who asked does not approve, unless nobody else could: a company of one person is not locked out. A flow has rules of its own.
 * @param maker who made the document, null for the system; permission the right to approve
 * @throws refused B0923
 */
export async function requireOtherApprover(ctx: Ctx, maker: string | null, permission: string): Promise<void> {
  if (actsForFlow(ctx) || ctx.userId === null || maker !== ctx.userId) return;
  if (await othersHave(ctx, permission)) throw refused('不能审核本人提交的单据', 'B0923');
}

/**
 * Who approved does not pay, unless nobody else could or the company allows it.
 * @param approver who approved it; permission the right to pay; what the sentence, e.g. 「不能支付本人审核的请款单」
 * @throws refused B0934
 */
export async function requireOtherPayer(
  ctx: Ctx,
  approver: string | null,
  permission: string,
  what: string,
): Promise<void> {
  if (ctx.userId === null || approver !== ctx.userId || !(await settingOf(ctx)).separatePayer) return;
  if (await othersHave(ctx, permission)) throw refused(what, 'B0934');
}
