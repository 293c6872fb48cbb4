import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { CashExpectation, CashSource } from '#kit/server/cash.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { transferOf } from './balance/list.ts';
import { type Cycle, cyclesOf, payoutDay, periodEnd } from './cycle.ts';
import { isOpen } from './open.ts';

const VIEW = 'fin:settlement:view';
const BALANCES = { path: '/amazon/payment/balance', title: '余额核对' };
const OPEN = { path: '/amazon/report/open', title: '未结算明细' };
/** A period that closed longer ago has either been paid, or will not be: Amazon tells of eighty days only. */
const LONGEST_WAY = 30;

type Place = { accountId: string; marketplaceId: string | null };

const storeOf = (names: ReadonlyMap<string, string>, { accountId, marketplaceId }: Place) => ({
  key: marketplaceId && `${marketplaceId}-${accountId}`,
  name: names.get(accountId) ?? '',
  country: countryOf(marketplaceId ?? ''),
});

interface Group extends Place {
  id: string;
  groupId: string;
  currency: string;
  processing: 'open' | 'closed';
  startAt: string | null;
  endAt: string | null;
  amount: string;
  transfer: string | null;
  transferAt: string | null;
}

/** Periods that run, and those that closed lately, at what they hold; in the currency of the bank where Amazon changed it. */
async function groupsOf(ctx: Ctx): Promise<Group[]> {
  const since = dayAfter(ctx.clock.today(), -LONGEST_WAY);
  const { rows } = await sql<Group>`
    SELECT g.id, g.account_id AS "accountId", g.marketplace_id AS "marketplaceId", g.group_id AS "groupId", g.processing,
           CASE WHEN g.converted IS NULL THEN g.currency ELSE coalesce(g.converted_currency, g.currency) END AS currency,
           trim_scale(CASE WHEN g.processing = 'open' THEN coalesce(g.total, g.ours)
                           ELSE coalesce(g.converted, g.total) END)::text AS amount,
           g.start_at AS "startAt", g.end_at AS "endAt", g.transfer_status AS transfer, g.transfer_at AS "transferAt"
      FROM settlement.event_group AS g
     WHERE g.company_id = ${ctx.companyId} AND (g.processing = 'open' OR g.end_at >= ${since}::date)
     ORDER BY g.start_at, g.id`.execute(ctx.db);
  return rows.filter(({ amount }) => amount !== null && new Decimal(amount).gt(0));
}

/** The payout of a period; undefined for one that has arrived, or failed: that money is part of the next period. */
function payoutOf(ctx: Ctx, group: Group, cycle: Cycle, today: string, bankDays: number) {
  const dayOf = (at: string) => ctx.clock.dayOf(new Date(at));
  if (group.processing === 'open') {
    if (group.startAt === null) return undefined;
    const end = periodEnd(dayOf(group.startAt), cycle, today);
    return {
      day: payoutDay(end, cycle, bankDays),
      certainty: 'estimated' as const,
      title: '本账期当前余额',
      basis: `预计 ${end} 关账，${cycle.lagDays} 天后转账，${bankDays} 天到账`,
    };
  }
  if (group.endAt === null) return undefined;
  const transfer = transferOf(group.transfer);
  if (transfer === 'failed') return undefined;
  const sent = group.transferAt === null ? dayAfter(dayOf(group.endAt), cycle.lagDays) : dayOf(group.transferAt);
  const day = dayAfter(sent, bankDays);
  if (transfer === 'succeeded' && day <= today) return undefined;
  return {
    day,
    certainty: group.transferAt === null ? ('estimated' as const) : ('certain' as const),
    title: '账期转账中',
    basis: `${group.transferAt === null ? '预计' : ''} ${sent} 转账，${bankDays} 天到账`.trim(),
  };
}

/** Payouts of periods that run or whose money is on its way. */
export const payoutCash: CashSource = {
  kind: 'payout',
  title: '平台回款',
  sort: 5,
  permission: VIEW,
  async expect(ctx, { today, bankDays }) {
    const names = await storeNames(ctx);
    const cycles = await cyclesOf(ctx);
    return (await groupsOf(ctx)).flatMap((group): CashExpectation[] => {
      const payout = payoutOf(ctx, group, cycles(group.accountId, group.currency), today, bankDays);
      if (!payout) return [];
      return [
        {
          key: group.id,
          direction: 'IN',
          ...payout,
          amount: group.amount,
          currency: group.currency,
          number: group.groupId,
          party: 'Amazon',
          store: storeOf(names, group),
          to: { ...BALANCES, query: { 'f.search': group.groupId } },
        },
      ];
    });
  },
};

/**
 * Money that Amazon holds back, by the day of its release; it is paid out with the period in which that falls. What is told no
 * release is taken to be free with the next period.
 */
export const deferredCash: CashSource = {
  kind: 'deferred',
  title: '递延释放',
  sort: 8,
  permission: VIEW,
  async expect(ctx, { today, bankDays }) {
    const names = await storeNames(ctx);
    const cycles = await cyclesOf(ctx);
    const started = new Map<string, string>();
    for (const { accountId, currency, processing, startAt } of await groupsOf(ctx)) {
      if (processing === 'open' && startAt) started.set(`${accountId} ${currency}`, ctx.clock.dayOf(new Date(startAt)));
    }
    const { rows } = await sql<Place & { currency: string; release: string | null; amount: string }>`
      SELECT d.account_id AS "accountId", d.marketplace_id AS "marketplaceId", d.currency,
             greatest(kit.day(d.matures_at), ${today}::date)::text AS release, trim_scale(sum(d.total))::text AS amount
        FROM settlement.source_doc AS d
       WHERE d.company_id = ${ctx.companyId} AND d.status = 'DEFERRED' AND ${isOpen('d')}
       GROUP BY 1, 2, 3, 4 ORDER BY 4, 1, 2, 3`.execute(ctx.db);
    return rows
      .filter(({ amount }) => new Decimal(amount).gt(0))
      .map((row): CashExpectation => {
        const { accountId, marketplaceId, currency, release, amount } = row;
        const cycle = cycles(accountId, currency);
        const known = started.get(`${accountId} ${currency}`) ?? today;
        const end = periodEnd(known, cycle, release ?? dayAfter(periodEnd(known, cycle, today), 1));
        const store = storeOf(names, row);
        return {
          key: `${accountId}:${marketplaceId ?? ''}:${currency}:${release ?? ''}`,
          direction: 'IN',
          day: payoutDay(end, cycle, bankDays),
          amount,
          currency,
          certainty: 'estimated',
          title: release === null ? '递延款' : `递延款 ${release} 释放`,
          number: '',
          party: 'Amazon',
          basis: `${release === null ? '未告知释放日，' : ''}随 ${end} 关账的账期转账`,
          store,
          to: {
            ...OPEN,
            query: { 'f.state': 'deferred', 'f.currency': currency, ...(store.key ? { 'f.stores': store.key } : {}) },
          },
        };
      });
  },
};
