import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { PRESET_RATES } from '../../contract/rates.ts';
import { requireOpen } from './periods.ts';
import { monthRates } from './rates.ts';

const RESOURCE = 'finance.exchangeRate';

/** @throws refused B0931 for the currency that everything is counted in */
function requireForeign(currency: string): void {
  if (currency === 'CNY') throw refused('人民币为本位币，汇率恒为1', 'B0931');
}

interface MonthRate {
  currency: string;
  /** yyyy-MM */
  month: string;
  /** CNY for one unit. */
  rate: string;
}

async function putMonth(ctx: Ctx, { currency, month, rate }: MonthRate, source: string): Promise<void> {
  await sql`
    INSERT INTO finance.month_rate (company_id, currency, month, rate, source, updated_by_name)
    VALUES (${ctx.companyId}, ${currency}, ${`${month}-01`}::date, ${rate}, ${source}, ${ctx.userName})
    ON CONFLICT (company_id, currency, month) DO UPDATE
       SET rate = excluded.rate, source = excluded.source, updated_by_name = excluded.updated_by_name, updated_at = kit.now()`.execute(
    ctx.db,
  );
}

/** Sets the company's own rate of a month. @throws refused B0904 for a closed month, B0931 */
export async function setMonth(ctx: Ctx, input: MonthRate): Promise<void> {
  requireForeign(input.currency);
  await requireOpen(ctx, input.month);
  const key = `${input.currency} ${input.month}`;
  const before = (await monthRates(ctx)).get(key) ?? null;
  await putMonth(ctx, input, '手工录入');
  await audit(ctx, {
    action: '保存我的汇率',
    resource: RESOURCE,
    resourceId: key,
    before: { rate: before },
    after: input,
  });
}

/** Takes the company's own rate of a month away, so that the official one holds again. @throws refused B0904 */
export async function dropMonth(ctx: Ctx, { currency, month }: Omit<MonthRate, 'rate'>): Promise<void> {
  await requireOpen(ctx, month);
  await sql`
    DELETE FROM finance.month_rate
     WHERE company_id = ${ctx.companyId} AND currency = ${currency} AND month = ${`${month}-01`}::date`.execute(ctx.db);
  await audit(ctx, { action: '取消我的汇率', resource: RESOURCE, resourceId: `${currency} ${month}` });
}

/** Sets the official rate of a day. @throws refused B0904 for a closed month, B0931 */
export async function setDay(ctx: Ctx, input: { currency: string; day: string; rate: string }): Promise<void> {
  requireForeign(input.currency);
  await requireOpen(ctx, input.day.slice(0, 7));
  await putDays(ctx, [input], '手工录入');
  await audit(ctx, {
    action: '保存每日汇率',
    resource: RESOURCE,
    resourceId: `${input.currency} ${input.day}`,
    after: { rate: input.rate },
  });
}

/** Writes rates of days; the last one of a day counts. */
export async function putDays(
  ctx: Ctx,
  rates: readonly { currency: string; day: string; rate: string }[],
  source: string,
): Promise<void> {
  await sql`
    INSERT INTO finance.day_rate (company_id, currency, day, rate, source, updated_by_name)
    SELECT ${ctx.companyId}, r.currency, r.day, r.rate, ${source}, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) AS r(currency text, day date, rate numeric)
    ON CONFLICT (company_id, currency, day) DO UPDATE
       SET rate = excluded.rate, source = excluded.source, updated_by_name = excluded.updated_by_name, updated_at = kit.now()`.execute(
    ctx.db,
  );
}

/** yyyy-MM of the month before. */
function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** Rates that held in the month before become the company's own, for currencies without one. @throws refused B0904 */
export async function copyFromBefore(ctx: Ctx, month: string): Promise<{ copied: number }> {
  await requireOpen(ctx, month);
  const known = await monthRates(ctx);
  const earlier = monthBefore(month);
  let copied = 0;
  for (const currency of Object.keys(PRESET_RATES)) {
    const rate = known.get(`${currency} ${earlier}`);
    if (currency === 'CNY' || rate === undefined || known.has(`${currency} ${month}`)) continue;
    await putMonth(ctx, { currency, month, rate }, '复制上月');
    copied += 1;
  }
  await audit(ctx, { action: '复制上月汇率', resource: RESOURCE, resourceId: month, after: { copied } });
  return { copied };
}
