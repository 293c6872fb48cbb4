import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import type { ReportType } from '../../contract/sync.ts';
import { accountOf, LIVE_STATUSES } from '../auth/accounts.ts';
import { marketplaceNow } from '../settings.ts';
import { type AccountRef, type ReportPlan, reportLoaders, reportPlans } from '../streams.ts';
import { isByDate, ruleOf } from './limits.ts';
import { loaderOf } from './load.ts';
import { enqueueReport } from './plan.ts';
import { zoneOfStock } from './stocks.ts';
import { type WishedReport, withSubjects } from './subjects.ts';
import { midnightOf } from './window.ts';

const DAY_MS = 86_400_000;
const SAFETY_LAG_MS = 5 * 60_000;

export interface ReportWish {
  authid: string;
  type: string;
  start?: string | undefined;
  end?: string | undefined;
  ignore?: string | undefined;
}

function plansOf(ctx: Ctx): ReportPlan[] {
  return extensionsOf(ctx.runtime.modules, reportPlans);
}

/** Every type that some module reads, with what binds it. */
export function requestable(ctx: Ctx): ReportType[] {
  const plans = plansOf(ctx);
  return extensionsOf(ctx.runtime.modules, reportLoaders).flatMap((loader) =>
    loader.reportTypes
      .filter((type) => type.startsWith('GET_'))
      .map((type) => {
        const plan = plans.find((one) => one.reportType === type);
        const { maxDays, intervalMin } = ruleOf(type);
        return { type, title: plan?.title ?? loader.title, maxDays, intervalMin, listed: plan?.how === 'list' };
      }),
  );
}

/** The wished days, both included; undefined for a report of the present. @throws AppError B0350 to B0352 */
function daysOf(wish: ReportWish, maxDays: number | null): { start: string; end: string } | undefined {
  if (maxDays === null) return undefined;
  const { start, end } = wish;
  if (!start || !end) throw refused('开始结束日期不能为空', 'B0350');
  const days = (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
  if (days < 1) throw refused('结束日期不能早于开始日期', 'B0351');
  if (days > maxDays) throw refused(`该报表单次最多${maxDays}天`, 'B0352');
  const isWeek = days === 7 && new Date(start).getUTCDay() === 0;
  if (ruleOf(wish.type).weekly && !isWeek) throw refused('该报表须为周日至周六的一整周', 'B0352');
  return { start, end };
}

/** Instants of days of a stock; the same twice for a report of the present. @throws AppError B0353 for what has not come yet */
function windowOf(days: ReturnType<typeof daysOf>, type: string, sites: readonly string[], now: Date): [Date, Date] {
  if (!days) return [now, now];
  const zone = isByDate(type) ? zoneOfStock(sites) : 'UTC';
  const from = midnightOf(days.start, zone);
  const next = midnightOf(new Date(Date.parse(days.end) + DAY_MS).toISOString().slice(0, 10), zone);
  const end = now.getTime() - SAFETY_LAG_MS;
  if (end <= from.getTime()) throw refused('开始日期不能晚于今天', 'B0353');
  // Whole days alone can be asked for by date.
  if (isByDate(type) && end < next.getTime()) throw refused('该报表只能申请已结束的日期', 'B0353');
  return [from, new Date(Math.min(next.getTime(), end))];
}

async function refuseTooSoon(ctx: Ctx, wish: ReportWish, intervalMin: number): Promise<void> {
  if (wish.ignore === 'true' && can(ctx, 'amz:report:adjust')) return;
  const { rows } = await sql<{ soon: boolean }>`
    SELECT EXISTS (SELECT FROM marketplace.report_request
                    WHERE company_id = ${ctx.companyId} AND account_id = ${wish.authid} AND report_type = ${wish.type}
                      AND plan = 'manual' AND created_at > kit.now() - make_interval(mins => ${intervalMin})) AS soon`.execute(
    ctx.db,
  );
  if (rows[0]?.soon) throw refused(`距上次申请不足${intervalMin}分钟`, 'B0354');
}

/** Amazon makes it by itself: its list is looked through now. */
async function lookAtOnce(ctx: Ctx, plan: ReportPlan, authid: string): Promise<{ ids: string[]; message: string }> {
  const cursor = await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({ not_before: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', authid)
    .where('stream', '=', plan.code)
    .where('state', '=', 'ready')
    .returning('id')
    .executeTakeFirst();
  if (cursor) {
    const payload = { companyId: ctx.companyId, cursorId: cursor.id };
    await enqueue(ctx, 'marketplace.sync', payload, { key: `sync:${cursor.id}`, priority: plan.priority });
  }
  return { ids: [], message: '账期报表由亚马逊自动生成，已改为拉取列表' };
}

async function insert(ctx: Ctx, wish: ReportWish, { sites, from, to, subject }: WishedReport): Promise<string> {
  // A window that was asked for before has its row: it begins anew, unless it is still under way.
  const { rows } = await sql<{ id: string }>`
    INSERT INTO marketplace.report_request AS r
      (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to, subject, priority)
    VALUES (${ctx.companyId}, ${wish.authid}, 'manual', ${wish.type}, ${sites}, ${from}, ${to}, ${subject}, -5)
    ON CONFLICT (company_id, account_id, report_type, marketplace_ids, data_from, data_to, subject)
      WHERE data_from IS NOT NULL
    DO UPDATE SET plan = 'manual', status = 'planned', generation = 1, attempts = 0, error = NULL, report_id = NULL,
                  remote_document_id = NULL, document_id = NULL, rows = NULL, created_at = kit.now(), finished_at = NULL,
                  next_at = kit.now(), priority = excluded.priority, past = false, taken_until = NULL,
                  creating_since = NULL, creating_at = NULL, empty_at = NULL,
                  calls = 0, throttled = 0
     WHERE r.status IN ('loaded', 'empty', 'failed')
    RETURNING id`.execute(ctx.db);
  const id = rows[0]?.id;
  if (!id) throw refused('相同区间的报表正在处理中', 'B0355');
  await enqueueReport(ctx, id, -5);
  return id;
}

async function liveAccount(ctx: Ctx, authid: string): Promise<AccountRef> {
  const account = await accountOf(ctx.db, ctx.companyId, authid);
  if (!account) throw notFound('授权不存在或已删除');
  const live = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', authid)
    .where('status', 'in', LIVE_STATUSES)
    .executeTakeFirst();
  if (!live) throw refused('店铺授权已失效，请重新授权', 'B0356');
  if (account.marketplaceIds.length === 0) throw refused('该账号没有启用的站点', 'B0357');
  return account;
}

/** Asks for a report by hand, within the type's period and interval; the shared limits hold as for every other one. */
export async function requestReport(ctx: Ctx, wish: ReportWish): Promise<{ ids: string[]; message: string }> {
  const account = await liveAccount(ctx, wish.authid);
  loaderOf(ctx.runtime, wish.type);
  const plan = plansOf(ctx).find((one) => one.reportType === wish.type);
  if (plan?.how === 'list') {
    const looked = await lookAtOnce(ctx, plan, wish.authid);
    await noteWish(ctx, wish);
    return looked;
  }
  const rule = ruleOf(wish.type);
  const days = daysOf(wish, rule.maxDays);
  const now = await marketplaceNow(ctx.runtime);
  const groups = rule.perSite ? account.marketplaceIds.map((id) => [id]) : [account.marketplaceIds];
  const windows = groups.map((group) => {
    const sites = [...group];
    const [from, to] = windowOf(days, wish.type, sites, now);
    return { sites, from, to, index: 0 };
  });
  await refuseTooSoon(ctx, wish, rule.intervalMin);
  const wanted = plan
    ? await withSubjects(ctx, account, plan, windows)
    : windows.map((one) => ({ ...one, subject: '' }));
  if (wanted.length === 0) throw refused('所选店铺没有在售商品，无法申请该报表', 'B0358');
  const ids: string[] = [];
  for (const one of wanted) ids.push(await insert(ctx, wish, one));
  await noteWish(ctx, wish);
  return { ids, message: `已申请${ids.length}个报表` };
}

function noteWish(ctx: Ctx, wish: ReportWish): Promise<void> {
  const { type, start, end, ignore } = wish;
  return audit(ctx, {
    action: '申请报表',
    resource: 'marketplace.sellerAccount',
    resourceId: wish.authid,
    after: { type, start, end, ignore },
  });
}
