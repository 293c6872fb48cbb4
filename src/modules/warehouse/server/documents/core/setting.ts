import { actsForFlow } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import type { DocumentSetting } from '../../../contract/documents/choices.ts';
import type { StockDocument, StockKind } from './load.ts';

const DEFAULTS: DocumentSetting = {
  separateApprover: true,
  receiveTolerance: '0',
  recountShare: '0.02',
  recountAmount: '200',
  holdDays: 0,
};

/** How the company handles its documents. */
export async function settingOf(ctx: Ctx): Promise<DocumentSetting> {
  const row = await ctx.db
    .selectFrom('warehouse.document_setting')
    .select([
      'separate_approver as separateApprover',
      'receive_tolerance as receiveTolerance',
      'recount_share as recountShare',
      'recount_amount as recountAmount',
      'hold_days as holdDays',
    ])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ?? DEFAULTS;
}

/** Whether the company wants another person than the maker of a document to approve it. */
export const separateApprover = async (ctx: Ctx): Promise<boolean> => (await settingOf(ctx)).separateApprover;

export async function putSetting(ctx: Ctx, setting: DocumentSetting): Promise<DocumentSetting> {
  const before = await settingOf(ctx);
  const values = {
    separate_approver: setting.separateApprover,
    receive_tolerance: setting.receiveTolerance,
    recount_share: setting.recountShare,
    recount_amount: setting.recountAmount,
    hold_days: setting.holdDays,
  };
  await ctx.db
    .insertInto('warehouse.document_setting')
    .values({ company_id: ctx.companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute();
  await audit(ctx, { action: '修改单据设置', resource: 'warehouse.documentSetting', before, after: setting });
  return settingOf(ctx);
}

/**
 * Who made a document does not approve it, unless nobody else could: a company of one person is not locked out.
 * @throws refused B0820
 */
export async function requireOtherApprover(ctx: Ctx, kind: StockKind, doc: StockDocument): Promise<void> {
  if (actsForFlow(ctx) || ctx.userId === null || doc.createdBy !== ctx.userId) return;
  if (!(await separateApprover(ctx))) return;
  const able = await membersWith(ctx, kind.audit);
  if (able.some((id) => id !== ctx.userId)) throw refused('制单人不能审核自己的单据，请由其他人审核', 'B0820');
}
