import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Outcomes } from '../../contract/invoices.ts';
import { entityBySite, type Profile, profilesOf } from '../settings/profile.ts';
import { issuerOf, plannedCredit } from './credit.ts';
import { issue, type Ready } from './issue.ts';
import { planned } from './plan.ts';
import { type Invoice, linesOf, lockInvoices } from './row.ts';

interface VatSetup {
  profiles: ReadonlyMap<string, Profile>;
  bySite: ReadonlyMap<string, string>;
}

/** Who issues for a row: who issued it before, else who sells in its marketplace. */
function profileOf({ profiles, bySite }: VatSetup, row: Invoice): Profile | undefined {
  return profiles.get(row.entity_id ?? bySite.get(`${row.account_id} ${row.marketplace_id}`) ?? '');
}

/** A row as it may be issued now, or why not; `toIssue` where it is, and not only shown. */
export async function readyOf(
  ctx: Ctx,
  settings: VatSetup,
  row: Invoice,
  toIssue: boolean,
): Promise<Ready | { problem: string }> {
  if (row.state !== 'pending' && row.state !== 'rejected') return { problem: `已生成发票 ${row.number}` };
  if (row.wanted_at !== null) return { problem: '发票正在上传，请等待结果' };
  const lines = await linesOf(ctx, row.id);
  if (row.type === 'CREDIT_NOTE') {
    const made = await plannedCredit(ctx, row, lines, toIssue);
    return 'problem' in made ? made : { row, profile: issuerOf(settings.profiles, made.original), ...made };
  }
  const profile = profileOf(settings, row);
  if (!profile) return { problem: '该站点没有设置开票主体' };
  const made = planned(ctx, row, lines, profile);
  return 'problem' in made ? made : { row, profile, planned: made, original: null };
}

/** Everything that issuing looks up once. */
export async function settingsOf(ctx: Ctx): Promise<VatSetup> {
  return { profiles: await profilesOf(ctx), bySite: await entityBySite(ctx) };
}

async function noteProblem(ctx: Ctx, row: Invoice, problem: string): Promise<void> {
  if (row.state !== 'pending') return;
  await ctx.db
    .updateTable('vat.invoice')
    .set({ problem })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .execute();
}

/**
 * Lets one transaction at a time issue for an entity: each still locks its series, and two that take numbers of several series
 * do not wait for each other.
 */
async function holdEntities(ctx: Ctx): Promise<void> {
  await ctx.db
    .selectFrom('vat.entity')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Issues documents. What cannot be issued is told and keeps its place; nothing of it is written but why. A number is taken only
 * once all that the document needs is known. @throws 404 where an id is of nobody or of somebody else
 */
export async function generate(ctx: Ctx, ids: readonly string[]): Promise<Outcomes> {
  await holdEntities(ctx);
  const rows = await lockInvoices(ctx, ids);
  if (rows.length !== new Set(ids).size) throw notFound('发票不存在或已删除');
  const settings = await settingsOf(ctx);
  const failed: Outcomes['failed'] = [];
  for (const row of rows) {
    const ready = await readyOf(ctx, settings, row, true);
    if ('problem' in ready) {
      failed.push({ orderId: row.order_id, reason: ready.problem });
      await noteProblem(ctx, row, ready.problem);
    } else await issue(ctx, ready);
  }
  return { done: rows.length - failed.length, failed };
}
