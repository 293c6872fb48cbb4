import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { ledgerValueAt } from '#modules/warehouse/server/index.ts';
import { COST } from '../contract/fields.ts';
import type { freezeMonth, listWorthMonths } from '../contract/months.ts';
import { dayAfter, isFrozen, lockWorth } from './make/days.ts';

type Row = Reply<typeof listWorthMonths>[number];
type Changed = Reply<typeof freezeMonth>;

/** Months that the list shows. */
const SHOWN = 12;

/** @throws refused B1602 where the month of a day is frozen */
export async function requireOpen(ctx: Ctx, day: string): Promise<void> {
  if (await isFrozen(ctx, day)) throw refused(`${day.slice(0, 7)} 货值已冻结，请先解冻`, 'B1602');
}

/** Sums over the lines that hold on a day, ordered goods left out; `own`: of the warehouses that the ledger alone knows. */
async function sumsAt(ctx: Ctx, day: string) {
  const { rows } = await sql<{ total: string; reserve: string; uncosted: number; own: string }>`
    SELECT coalesce(sum(total), 0)::text AS total, coalesce(sum(reserve), 0)::text AS reserve,
           coalesce(sum(uncosted), 0)::int AS uncosted,
           coalesce(sum(total) FILTER (WHERE warehouse_id IS NOT NULL), 0)::text AS own
      FROM worth.line
     WHERE company_id = ${ctx.companyId} AND month = date_trunc('month', ${day}::date)::date AND from_day <= ${day}::date
       AND to_day > ${day}::date AND stage <> 'ORDERED'`.execute(ctx.db);
  const [sums] = rows;
  if (!sums) throw new Error('no sums');
  return sums;
}

/** What our own warehouses were worth on a day: by the lines, and by the entries as they are now. */
export async function proofAt(ctx: Ctx, day: string): Promise<{ here: string; ledger: string; difference: string }> {
  const { own } = await sumsAt(ctx, day);
  const ledger = await ledgerValueAt(ctx, day);
  return { here: own, ledger, difference: new Decimal(own).minus(ledger).toFixed() };
}

/** Months whose last day is known, the newest first; the value is that of the whole company. */
export async function monthRows(ctx: Ctx): Promise<Row[]> {
  return unscoped(ctx, async () => {
    const { rows } = await sql<Omit<Row, 'gross' | 'reserve' | 'net' | 'late' | 'uncosted'> & { day: string }>`
      SELECT to_char(d.month, 'YYYY-MM') AS month, d.day::text AS day, coalesce(m.state, 'OPEN') AS state,
             coalesce(m.version, 0) AS version, coalesce(m.changed_by_name, '') AS "changedBy", m.changed_at AS "changedAt",
             coalesce(m.reason, '') AS reason
        FROM (SELECT date_trunc('month', day)::date AS month, max(day) AS day FROM worth.day
               WHERE company_id = ${ctx.companyId} GROUP BY 1) AS d
        LEFT JOIN worth.month AS m ON m.company_id = ${ctx.companyId} AND m.month = d.month
       WHERE d.day = (d.month + interval '1 month')::date - 1
       ORDER BY 1 DESC LIMIT ${SHOWN}`.execute(ctx.db);
    const found: Row[] = [];
    for (const row of rows) {
      const { total, reserve, uncosted } = await sumsAt(ctx, row.day);
      const late =
        row.state === 'FROZEN' ? new Decimal((await proofAt(ctx, row.day)).difference).neg().toFixed() : null;
      const net = new Decimal(total).minus(reserve).toFixed();
      const amounts = can(ctx, COST)
        ? { gross: total, reserve, net, late }
        : { gross: null, reserve: null, net: null, late: null };
      found.push({ ...row, ...amounts, uncosted });
    }
    return found;
  });
}

async function versionOf(ctx: Ctx, month: string): Promise<{ state: string; version: number }> {
  const { rows } = await sql<{ state: string; version: number }>`
    SELECT state, version FROM worth.month WHERE company_id = ${ctx.companyId} AND month = ${month}::date FOR UPDATE`.execute(
    ctx.db,
  );
  return rows[0] ?? { state: 'OPEN', version: 0 };
}

async function put(
  ctx: Ctx,
  month: string,
  state: 'OPEN' | 'FROZEN',
  sums: { total: string; reserve: string; uncosted: number },
  reason: string,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    INSERT INTO worth.month AS m (company_id, month, state, total, reserve, uncosted, reason, changed_by_name)
    VALUES (${ctx.companyId}, ${month}::date, ${state}, ${sums.total}::numeric, ${sums.reserve}::numeric, ${sums.uncosted},
            ${reason}, ${ctx.userName})
    ON CONFLICT (company_id, month) DO UPDATE
       SET state = excluded.state, total = excluded.total, reserve = excluded.reserve, uncosted = excluded.uncosted,
           reason = excluded.reason, changed_by_name = excluded.changed_by_name, changed_at = kit.now(), version = m.version + 1
    RETURNING version`.execute(ctx.db);
  return rows[0]?.version ?? 0;
}

/**
 * Freezes a month that is over, as its last day is known by now.
 * @throws refused B1603 for a month that is not over or whose last day is not known, B1602 where it is frozen; conflict
 */
export async function freeze(ctx: Ctx, input: { month: string; version: number }): Promise<Changed> {
  const month = `${input.month}-01`;
  const next = dayAfter(`${input.month}-28`, 4).slice(0, 7);
  const last = dayAfter(`${next}-01`, -1);
  return unscoped(ctx, async () => {
    await lockWorth(ctx);
    if (last >= ctx.clock.today()) throw refused(`${input.month} 尚未结束，不能冻结`, 'B1603');
    await requireOpen(ctx, month);
    const { version } = await versionOf(ctx, month);
    if (version !== input.version) throw conflict();
    const { rows } =
      await sql`SELECT FROM worth.day WHERE company_id = ${ctx.companyId} AND day = ${last}::date`.execute(ctx.db);
    if (rows.length === 0) throw refused('当日无库存快照，请先补算', 'B1603');
    const sums = await sumsAt(ctx, last);
    const now = await put(ctx, month, 'FROZEN', sums, '');
    const { total, reserve, uncosted } = sums;
    await audit(ctx, {
      action: '冻结月末货值',
      resource: 'worth.month',
      resourceId: input.month,
      after: { total, reserve, uncosted },
    });
    return { month: input.month, state: 'FROZEN', version: now };
  });
}

/** Opens a frozen month. @throws refused B1604 where it is not frozen; conflict */
export async function reopen(ctx: Ctx, input: { month: string; version: number; reason: string }): Promise<Changed> {
  const month = `${input.month}-01`;
  return unscoped(ctx, async () => {
    await lockWorth(ctx);
    const { state, version } = await versionOf(ctx, month);
    if (state !== 'FROZEN') throw refused(`${input.month} 未冻结`, 'B1604');
    if (version !== input.version) throw conflict();
    const now = await put(ctx, month, 'OPEN', { total: '0', reserve: '0', uncosted: 0 }, input.reason);
    await audit(ctx, {
      action: '解冻月末货值',
      resource: 'worth.month',
      resourceId: input.month,
      after: { reason: input.reason },
    });
    return { month: input.month, state: 'OPEN', version: now };
  });
}
