import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { generalLedger, subjectLedger, trialBalance } from '../contract/ledger.ts';
import { listPeriods } from '../contract/periods.ts';
import { readStatement } from '../contract/statements.ts';
import { bookState, listSubjects, subjectChoices } from '../contract/subjects.ts';
import { countVouchers, listVouchers, voucherData } from '../contract/voucher-calls.ts';

/** What shows subjects, for whoever changes one. */
export const SUBJECT_READS = [listSubjects, subjectChoices, bookState];

/** Reads anew what a step of a voucher changes. */
export async function refreshVouchers(): Promise<void> {
  const papers = [listVouchers, countVouchers, voucherData, bookState, listPeriods];
  const calls = [...papers, trialBalance, generalLedger, subjectLedger, readStatement];
  await Promise.all(calls.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
