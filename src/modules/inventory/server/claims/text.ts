import type { ClaimEvidence, ClaimType } from '../../contract/claims.ts';
import type { Claim } from './load.ts';

const row = (title: string, value: string | number): string[] => (value === '' ? [] : [`- ${title}: ${value}`]);

/** Subject, what happened and what is asked for, by type; `n` pieces are open. */
const WORDS: Record<
  Exclude<ClaimType, 'FEE_OVERCHARGE'>,
  (claim: Claim) => { subject: string; ask: string; reference: string; date: string }
> = {
  FC_LOST: ({ qty }) => ({
    subject: 'Units lost in a fulfillment center',
    ask: `${qty} unit(s) were adjusted as lost (reason code M) and have been neither found nor reimbursed. Please reconcile the adjustment and reimburse the missing units.`,
    reference: 'Ledger reference ID',
    date: 'Adjustment date',
  }),
  FC_DAMAGED: ({ qty }) => ({
    subject: 'Units damaged in a fulfillment center',
    ask: `${qty} unit(s) were damaged at an Amazon fulfillment center (reason code E) and have not been reimbursed. Please reimburse the damaged units.`,
    reference: 'Ledger reference ID',
    date: 'Adjustment date',
  }),
  CUSTOMER_REFUND_NO_RETURN: ({ qty }) => ({
    subject: 'Customer refunded, item not returned',
    ask: `The customer was refunded for ${qty} unit(s) that were not returned to a fulfillment center, and we have not been reimbursed. Please reimburse the units.`,
    reference: 'Order ID',
    date: 'Refund date',
  }),
  REMOVAL_LOST: ({ qty }) => ({
    subject: 'Units missing from a removal order',
    ask: `${qty} unit(s) of a completed removal order were neither shipped, disposed of nor cancelled. Please research the removal order and reimburse the missing units.`,
    reference: 'Removal order ID',
    date: 'Removal shipment date',
  }),
  REVERSED: ({ qty }) => ({
    subject: 'Reimbursement reversed, units not returned to inventory',
    ask: `A reimbursement was reversed for ${qty} unit(s), but these units were not returned to our inventory. Please return them or reimburse them again.`,
    reference: 'Reversal reimbursement ID',
    date: 'Reversal date',
  }),
};

/** Asks for another measurement, with both and the fees that follow; amounts where the evidence has them. */
function remeasureText(claim: Claim, evidence: readonly ClaimEvidence[]): string {
  return [
    `Subject: FBA fulfillment fee overcharge, remeasurement requested - ${claim.reference || claim.fnsku}`,
    '',
    'Hello,',
    '',
    'The FBA fulfillment fee of this item is based on a package measurement that differs from ours. Please remeasure the item (cubiscan), correct its dimensions, weight and size tier, and reimburse the fees that were overcharged in the last 90 days.',
    '',
    'Item',
    ...row('FNSKU', claim.fnsku),
    ...row('MSKU', claim.sku),
    ...row('ASIN', claim.asin),
    '',
    'Measurements and fees per unit',
    ...evidence.map((one) =>
      [`- ${SOURCES[one.source]}: ${one.what}`, one.amount === null ? '' : `fee ${one.amount} ${one.currency}`]
        .filter(Boolean)
        .join(', '),
    ),
    '',
    'Details',
    ...row('Fee report date', claim.day),
    ...row('Units shipped in the last 30 days', claim.lost),
    '',
    'Thank you.',
    '',
  ].join('\n');
}

const SOURCES: Record<ClaimEvidence['source'], string> = {
  LEDGER: 'Inventory ledger',
  RETURN: 'FBA customer return',
  PAID: 'Reimbursement',
  REMOVAL: 'Removal order',
  PARCEL: 'Removal shipment',
  REFUND: 'Refund',
  AMAZON: 'Measured by Amazon',
  OWN: 'Measured by us',
  CARD: 'Fee schedule',
};

/** The case in English, ready to be pasted into Seller Central. Days are those of the marketplace. */
export function caseText(claim: Claim, evidence: readonly ClaimEvidence[]): string {
  if (claim.type === 'FEE_OVERCHARGE') return remeasureText(claim, evidence);
  const { subject, ask, reference, date } = WORDS[claim.type](claim);
  return [
    `Subject: ${subject} - ${claim.reference || claim.fnsku}`,
    '',
    'Hello,',
    '',
    ask,
    '',
    'Item',
    ...row('FNSKU', claim.fnsku),
    ...row('MSKU', claim.sku),
    ...row('ASIN', claim.asin),
    '',
    'Details',
    ...row(reference, claim.reference),
    ...row(date, claim.day),
    ...row('Units affected', claim.lost),
    ...row('Units found or returned', claim.found),
    ...row('Units already reimbursed', claim.paid),
    ...row('Units claimed', claim.qty),
    '',
    'Records',
    ...evidence.map((one) =>
      [`- ${one.day}`, SOURCES[one.source], one.what, one.reference, one.centre, `quantity ${one.quantity}`]
        .filter(Boolean)
        .join(', '),
    ),
    '',
    'Thank you.',
    '',
  ].join('\n');
}
