import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Setting } from '../contract/config.ts';
import { kindOf, kindsOf } from './kinds.ts';

/** How a kind of document is handled until the company says otherwise. */
const DEFAULTS: Omit<Setting, 'docType' | 'docTitle'> = {
  enabled: false,
  exempt: null,
  selfApprove: false,
  dedup: 'all',
  withdraw: 'untouched',
  tolerance: '0',
  batch: true,
  admins: [],
  delegationDays: 30,
  updatedAt: null,
  updatedByName: '',
};

async function stored(ctx: Ctx): Promise<Map<string, Omit<Setting, 'docTitle'>>> {
  const rows = await ctx.db
    .selectFrom('approval.setting')
    .select([
      'doc_type as docType',
      'enabled',
      'exempt',
      'self_approve as selfApprove',
      'dedup',
      'withdraw',
      'tolerance',
      'batch',
      'admins',
      'delegation_days as delegationDays',
      'updated_at as updatedAt',
      'updated_by_name as updatedByName',
    ])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Map(rows.map((row) => [row.docType, row as unknown as Omit<Setting, 'docTitle'>]));
}

/** How the company handles each kind of document that flows can approve. */
export async function settings(ctx: Ctx): Promise<Setting[]> {
  const own = await stored(ctx);
  return kindsOf(ctx.runtime).map(({ def }) => ({
    docType: def.name,
    docTitle: def.title,
    ...DEFAULTS,
    ...own.get(def.name),
  }));
}

export async function settingOf(ctx: Ctx, docType: string): Promise<Setting> {
  const { def } = kindOf(ctx.runtime, docType);
  const own = (await stored(ctx)).get(docType);
  return { docType, docTitle: def.title, ...DEFAULTS, ...own };
}

export async function putSetting(
  ctx: Ctx,
  setting: Omit<Setting, 'docTitle' | 'updatedAt' | 'updatedByName'>,
): Promise<Setting> {
  const before = await settingOf(ctx, setting.docType);
  const values = {
    enabled: setting.enabled,
    exempt: setting.exempt === null ? null : JSON.stringify(setting.exempt),
    self_approve: setting.selfApprove,
    dedup: setting.dedup,
    withdraw: setting.withdraw,
    tolerance: setting.tolerance,
    batch: setting.batch,
    admins: setting.admins,
    delegation_days: setting.delegationDays,
    updated_at: ctx.runtime.clock.now().toISOString(),
    updated_by_name: ctx.userName,
  };
  await ctx.db
    .insertInto('approval.setting')
    .values({ company_id: ctx.companyId, doc_type: setting.docType, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'doc_type']).doUpdateSet(values))
    .execute();
  const after = await settingOf(ctx, setting.docType);
  await audit(ctx, {
    action: '修改审批设置',
    resource: 'approval.setting',
    resourceId: setting.docType,
    before,
    after,
  });
  return after;
}
