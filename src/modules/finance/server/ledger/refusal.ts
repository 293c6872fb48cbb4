import { refusals } from '#kit/server/db/refusals.ts';

/** What the ledger of money refused, as an answer that a person may read. */
export const refusalOf = refusals({
  FN001: 'B0901',
  FN002: 'B0902',
  FN003: 'B0903',
  FN004: 'B0904',
  FN005: 'B0905',
  FN006: 'B0906',
  FN007: 'B0907',
});
