import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { ISSUE } from '../contract/fields.ts';
import { forgetBuyers } from './invoice/buyer.ts';
import { generate } from './invoice/generate.ts';
import { upload } from './invoice/upload.ts';

/** Name under which people choose where they hear of documents that are due. */
export const VAT_EVENT = 'vat.due';

/** Documents of one turn and company: the next turn goes on. */
const PER_TURN = 100;
/** Amazon wants an invoice within a day of the shipment; people are told so many hours after it. */
const WARN_HOURS = 20;

/** Waiting documents of marketplaces that issue by themselves, the oldest first. */
async function waiting(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id FROM vat.invoice AS i
      JOIN vat.site AS s ON s.company_id = i.company_id AND s.account_id = i.account_id
       AND s.marketplace_id = i.marketplace_id AND s.auto
     WHERE i.company_id = ${ctx.companyId} AND i.state = 'pending' AND i.problem = ''
     ORDER BY i.type DESC, i.shipped_at LIMIT ${PER_TURN}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** What could not be issued may be possible by now: another profile, another rate, an accepted invoice before a credit note. */
async function tryAgain(ctx: Ctx): Promise<void> {
  await sql`
    UPDATE vat.invoice AS i SET problem = '' FROM vat.site AS s
     WHERE i.company_id = ${ctx.companyId} AND s.company_id = i.company_id AND s.account_id = i.account_id
       AND s.marketplace_id = i.marketplace_id AND s.auto AND i.state = 'pending' AND i.problem <> ''`.execute(ctx.db);
}

/** Issues what waits and sends what is issued, one document a transaction: one that fails holds up none of the others. */
export async function issueByItself(runtime: Runtime, companyId: string): Promise<void> {
  const ids = await inTenant(runtime, systemPrincipal(companyId), waiting);
  for (const id of ids) {
    try {
      await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
        const { done } = await generate(ctx, [id]);
        if (done > 0) await upload(ctx, [id]);
      });
    } catch (error) {
      runtime.log.error({ err: error, invoice: id }, 'a VAT invoice could not be issued');
    }
  }
}

/** Tells of documents that are refused, or not with Amazon though the day is nearly over: one message a day and kind. */
export async function remindDue(ctx: Ctx, now: string): Promise<void> {
  const { rows } = await sql<{ refused: number; late: number }>`
    SELECT count(*) FILTER (WHERE i.state = 'rejected')::int AS refused,
           count(*) FILTER (WHERE i.type = 'INVOICE' AND i.state IN ('pending', 'generated') AND i.wanted_at IS NULL
             AND i.shipped_at < ${now}::timestamptz - make_interval(hours => ${WARN_HOURS}))::int AS late
      FROM vat.invoice AS i
      JOIN vat.site AS s ON s.company_id = i.company_id AND s.account_id = i.account_id
       AND s.marketplace_id = i.marketplace_id
     WHERE i.company_id = ${ctx.companyId}`.execute(ctx.db);
  const { refused = 0, late = 0 } = rows[0] ?? {};
  const tell = (kind: string, title: string, content: string) =>
    remind(ctx, {
      event: VAT_EVENT,
      to: { permission: ISSUE },
      title,
      content,
      dedupeKey: `${VAT_EVENT}.${kind}:${ctx.clock.today()}`,
    });
  if (refused > 0) await tell('refused', `${refused} 张VAT发票被亚马逊拒绝`, '请在「VAT发票」查看原因，更正后重传。');
  if (late > 0) {
    await tell(
      'late',
      `${late} 张VAT发票临近24小时上传期限`,
      '亚马逊要求发货后24小时内上传发票，请在「VAT发票」生成并上传。',
    );
  }
}

/** Every company that issues documents. */
async function eachCompany(runtime: Runtime, work: (companyId: string) => Promise<void>): Promise<void> {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('vat.site').select('company_id').distinct().execute(),
  );
  for (const { company_id: companyId } of companies) {
    try {
      await work(companyId);
    } catch (error) {
      runtime.log.error({ err: error, companyId }, 'VAT invoices of a company failed');
    }
  }
}

const autoJob = job('vat.auto', async (runtime) => {
  const now = (await marketplaceNow(runtime)).toISOString();
  await eachCompany(runtime, async (companyId) => {
    await issueByItself(runtime, companyId);
    await inTenant(runtime, systemPrincipal(companyId), (ctx) => remindDue(ctx, now));
  });
});

const dailyJob = job('vat.daily', async (runtime) => {
  const now = (await marketplaceNow(runtime)).toISOString();
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('vat.invoice').select('company_id').distinct().execute(),
  );
  for (const { company_id: companyId } of companies) {
    await inTenant(runtime, systemPrincipal(companyId), (ctx) => forgetBuyers(ctx, now));
  }
});

const againJob = job('vat.again', (runtime) =>
  eachCompany(runtime, (companyId) => inTenant(runtime, systemPrincipal(companyId), tryAgain)),
);

export const vatJobs: JobDef[] = [autoJob, dailyJob, againJob];
export const VAT_CRONS: CronItem[] = [
  { pattern: '*/10 * * * *', job: 'vat.auto' },
  { pattern: '5 */2 * * *', job: 'vat.again' },
  { pattern: '20 1 * * *', job: 'vat.daily' },
];
