import { sql } from 'kysely';
import { relativeDays } from '#kit/contract/days.ts';
import type { ViewContent } from '#kit/contract/list-view.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can, type Principal, scopedTo } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { deliver, isSetUp } from '#kit/server/messaging/deliver.ts';
import type { Message } from '#kit/server/messaging/message.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { addressesOf, memberPrincipal } from '#modules/identity/server/index.ts';
import { VIEW } from '../../contract/fields.ts';
import { ReportFilter } from '../../contract/report.ts';
import { digestOf } from '../periods/digest.ts';
import { DELIVER } from './queue.ts';
import { RESOURCE } from './row.ts';
import { mailOf } from './wording.ts';

const TRIES = 3;
const MAX_ERROR = 300;
/** As for messages: the first pause is five times the product's own for retries, later ones four times the one before. */
const PAUSE = 5;

interface Payload {
  companyId: string;
  id: string;
}

interface Waiting {
  id: string;
  member_id: string;
  subscription_id: string;
  attempts: number;
  name: string;
  content: ViewContent;
  company: string;
}

/** The filter that the content of a view means today, in the days of the company. */
export function filterOf({ filter, days }: ViewContent, today: string): ReportFilter {
  const dates = days.dates && relativeDays(days.dates, today);
  return ReportFilter.partial().parse({ ...filter, ...(dates ? { dates } : {}) });
}

async function waitingOne(ctx: Ctx, id: string): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    SELECT d.id, d.member_id, d.subscription_id, d.attempts, s.name, s.content, c.name AS company
      FROM salesreport.delivery AS d
      JOIN salesreport.subscription AS s ON s.company_id = d.company_id AND s.id = d.subscription_id
      JOIN identity.company AS c ON c.company_id = d.company_id
     WHERE d.company_id = ${ctx.companyId} AND d.id = ${id} AND d.state = 'queued'`.execute(ctx.db);
  return rows[0];
}

type Ending = 'sent' | 'outbox' | 'failed' | 'skipped';

async function settle(runtime: Runtime, { companyId, id }: Payload, state: Ending, error: string | null) {
  await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
    sql`UPDATE salesreport.delivery
           SET state = ${state}, error = ${error}, finished_at = kit.instant(), attempts = attempts + 1
         WHERE company_id = ${companyId} AND id = ${id} AND state = 'queued'`.execute(ctx.db),
  );
}

async function failed(runtime: Runtime, payload: Payload, before: number, error: unknown): Promise<void> {
  const words = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
  const attempts = before + 1;
  if (attempts >= TRIES) return settle(runtime, payload, 'failed', words);
  const { companyId, id } = payload;
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    await sql`UPDATE salesreport.delivery SET attempts = ${attempts}::int, error = ${words}
               WHERE company_id = ${companyId} AND id = ${id} AND state = 'queued'`.execute(ctx.db);
    const pause = runtime.config.retryBaseMs * PAUSE * 4 ** (attempts - 1);
    const runAt = new Date(ctx.clock.now().getTime() + pause);
    await enqueue(ctx, DELIVER, payload, { key: `${DELIVER}:${id}:${attempts}`, runAt });
  });
}

/** The report as its reader would see it now: his stores, his columns, and a file only for those who may take one along. */
async function reportFor(runtime: Runtime, reader: Principal, waiting: Waiting, target: string): Promise<Message> {
  return inTenant(runtime, scopedTo(reader, VIEW), async (ctx) => {
    const filter = filterOf(waiting.content, ctx.clock.today());
    const digest = await digestOf(ctx, filter);
    await audit(ctx, {
      action: '邮件发送销售报表',
      resource: RESOURCE,
      resourceId: waiting.subscription_id,
      after: { name: waiting.name, filter },
    });
    const { publicUrl } = runtime.config;
    const mail = mailOf({ name: waiting.name, digest, companyName: waiting.company, publicUrl });
    return {
      channel: 'email',
      target,
      purpose: 'salesReport',
      companyId: ctx.companyId,
      ...mail,
      ...(digest.file ? { attachments: [digest.file] } : {}),
    };
  });
}

/**
 * Sends one mail. Who left, lost the right to see sales or has no address any more gets none. A refusal of the mail server is tried
 * three times. At least once: a process that dies between the mail server's yes and the receipt sends it again.
 */
export async function sendOne(runtime: Runtime, payload: Payload): Promise<void> {
  const { companyId, id } = payload;
  const found = await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const waiting = await waitingOne(ctx, id);
    if (!waiting) return undefined;
    const [address] = await addressesOf(ctx, [waiting.member_id]);
    return { waiting, target: address?.email ?? undefined, reader: await memberPrincipal(ctx, waiting.member_id) };
  });
  if (!found) return;
  const { waiting, target, reader } = found;
  if (!reader || target === undefined)
    return settle(runtime, payload, 'skipped', '收件人已停用、离职或没有验证过的邮箱');
  if (!can(reader, VIEW)) return settle(runtime, payload, 'skipped', '收件人没有查看销售统计的权限');
  try {
    await deliver(runtime, await reportFor(runtime, reader, waiting, target));
  } catch (error) {
    runtime.log.warn({ err: error }, 'sales report not delivered');
    return failed(runtime, payload, waiting.attempts, error);
  }
  const sent = isSetUp(runtime, 'email');
  await settle(runtime, payload, sent ? 'sent' : 'outbox', sent ? null : '未配置邮件服务，内容保存在平台发件箱');
}

export const deliverJob = job<Payload>(DELIVER, sendOne);
