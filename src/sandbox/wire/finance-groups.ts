import type { SimEventGroup } from '../business/types.ts';
import { iso } from './clock.ts';
import { invalidInput } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, integer, text } from './query.ts';

const SAFETY_MS = 2 * 60_000;
const LONGEST_MS = 180 * 86_400_000;
const TOKEN_LIFE_MS = 24 * 3_600_000;

/** An amount as version 0 spells it; decimal texts of up to 15 digits survive the way through a binary number. */
const money = (amount: string, currency: string) => ({ CurrencyCode: currency, CurrencyAmount: Number(amount) });

function groupsStarted(call: Call, asOf: number): readonly SimEventGroup[] {
  const latest = asOf - SAFETY_MS;
  const from = instant(call.query, 'FinancialEventGroupStartedAfter');
  const before = instant(call.query, 'FinancialEventGroupStartedBefore');
  // The model calls it optional; its own example of a refusal says that it is not.
  if (from === undefined) throw invalidInput('Date range is invalid.');
  if (from > latest) {
    throw invalidInput('FinancialEventGroupStartedAfter must be more than two minutes ago');
  }
  if (before !== undefined && before > latest) {
    throw invalidInput('FinancialEventGroupStartedBefore must be more than two minutes ago');
  }
  if (before !== undefined) {
    if (before <= from) {
      throw invalidInput('FinancialEventGroupStartedBefore must be later than FinancialEventGroupStartedAfter');
    }
    // Amazon's own rule: a period that is too long is not an error, it is empty.
    if (before - from > LONGEST_MS) return [];
  }
  return call.world.business
    .eventGroups(call.account, asOf)
    .filter(({ startAt }) => startAt >= from && startAt < (before ?? latest));
}

function groupShape(group: SimEventGroup): object {
  const { currency, endAt, transfer } = group;
  return {
    FinancialEventGroupId: group.groupId,
    ProcessingStatus: endAt === undefined ? 'Open' : 'Closed',
    ...(transfer ? { FundTransferStatus: transfer.status } : {}),
    OriginalTotal: money(group.total, currency),
    ...(transfer?.at === undefined
      ? {}
      : {
          ConvertedTotal: money(group.total, currency),
          FundTransferDate: iso(transfer.at),
          TraceId: transfer.traceId,
          AccountTail: transfer.accountTail,
        }),
    BeginningBalance: money(group.beginning, currency),
    FinancialEventGroupStart: iso(group.startAt),
    ...(endAt === undefined ? {} : { FinancialEventGroupEnd: iso(endAt) }),
  };
}

function listFinancialEventGroups(call: Call): Answer {
  const size = integer(call.query, 'MaxResultsPerPage', { min: 1, max: 100, fallback: 10 });
  const open = openPage(call, 'NextToken', text(call.query, 'NextToken'), TOKEN_LIFE_MS);
  const { page, nextToken } = cutPage(call, open, groupsStarted(call, open.asOf), size);
  return {
    body: {
      payload: {
        ...(nextToken === undefined ? {} : { NextToken: nextToken }),
        FinancialEventGroupList: page.map(groupShape),
      },
    },
  };
}

/** What is left of Finances v0: the groups of events, which the newer version does not list. */
export const financeGroupOperations: Operation[] = [
  {
    name: 'listFinancialEventGroups',
    method: 'GET',
    path: '/finances/v0/financialEventGroups',
    plan: { rate: 0.5, burst: 30 },
    handle: listFinancialEventGroups,
  },
];
