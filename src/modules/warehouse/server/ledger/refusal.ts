import { refusals } from '#kit/server/db/refusals.ts';

/** Our code for what the ledger raises for want of pieces. */
export const SHORTAGE = 'B0801';

/** What the ledger of stock refused, as an answer that a person may read; its `extra` says which products and documents. */
export const refusalOf = refusals({
  WH001: SHORTAGE,
  WH002: 'B0802',
  WH003: 'B0803',
  WH004: 'B0804',
  WH005: 'B0805',
  WH006: 'B0806',
  WH007: 'B0807',
  WH008: 'B0808',
  WH009: 'B0813',
});
