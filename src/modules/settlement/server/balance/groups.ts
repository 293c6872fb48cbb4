import { Decimal } from '#kit/contract/decimal.ts';

/** A group of financial events as version 0 of the finances API tells it; everything may be missing. */
interface ApiMoney {
  CurrencyCode?: string | null;
  CurrencyAmount?: number | string | null;
}
export interface ApiEventGroup {
  FinancialEventGroupId?: string;
  ProcessingStatus?: string;
  FundTransferStatus?: string | null;
  OriginalTotal?: ApiMoney | null;
  ConvertedTotal?: ApiMoney | null;
  FundTransferDate?: string | null;
  TraceId?: string | null;
  AccountTail?: string | null;
  BeginningBalance?: ApiMoney | null;
  FinancialEventGroupStart?: string | null;
  FinancialEventGroupEnd?: string | null;
}

/** A group ready to be stored; amounts are decimal text. */
export interface EventGroup {
  groupId: string;
  currency: string;
  processing: 'open' | 'closed';
  startAt: string | null;
  endAt: string | null;
  beginning: string | null;
  total: string | null;
  transferStatus: string | null;
  transferAt: string | null;
  converted: string | null;
  convertedCurrency: string | null;
  traceId: string | null;
  accountTail: string | null;
}

function amountOf(money: ApiMoney | null | undefined): string | null {
  const text = String(money?.CurrencyAmount ?? '');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? new Decimal(text).toFixed() : null;
}

function instantOf(text: string | null | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** Reads one group; undefined for one without id or currency, which cannot be kept. Never throws. */
export function parseGroup(group: ApiEventGroup): EventGroup | undefined {
  const currency = group.OriginalTotal?.CurrencyCode ?? group.BeginningBalance?.CurrencyCode;
  if (!group.FinancialEventGroupId || !currency) return undefined;
  return {
    groupId: group.FinancialEventGroupId,
    currency,
    processing: group.ProcessingStatus?.toLowerCase() === 'open' ? 'open' : 'closed',
    startAt: instantOf(group.FinancialEventGroupStart),
    endAt: instantOf(group.FinancialEventGroupEnd),
    beginning: amountOf(group.BeginningBalance),
    total: amountOf(group.OriginalTotal),
    transferStatus: group.FundTransferStatus ?? null,
    transferAt: instantOf(group.FundTransferDate),
    converted: amountOf(group.ConvertedTotal),
    convertedCurrency: group.ConvertedTotal?.CurrencyCode ?? null,
    traceId: group.TraceId ?? null,
    accountTail: group.AccountTail ?? null,
  };
}
