import { type ApiTransaction, contentHash, linesOf, Mismatch, type TransactionLine } from './leaves.ts';

/** A transaction ready to be stored: attributes and lines, or the reason why it is kept aside. */
export interface ParsedTransaction {
  transactionId: string;
  status: 'DEFERRED' | 'RELEASED' | 'DEFERRED_RELEASED';
  transactionType: string;
  postedAt: string;
  marketplaceId: string | null;
  currency: string;
  /** Total as stated; '0' where it could not be read. */
  total: string;
  settlementId: string | null;
  eventGroupId: string | null;
  orderId: string | null;
  shipmentId: string | null;
  deferredId: string | null;
  releaseId: string | null;
  maturesAt: string | null;
  contentHash: string;
  lines: TransactionLine[];
  problem: string | null;
  raw: ApiTransaction | null;
}

const STATUSES = new Set(['DEFERRED', 'RELEASED', 'DEFERRED_RELEASED']);

/** The model lists capitals, its own example says "Released": how it is spelled makes no difference. */
function statusOf(text = ''): ParsedTransaction['status'] {
  const status = text.toUpperCase();
  return STATUSES.has(status) ? (status as ParsedTransaction['status']) : 'RELEASED';
}

/** Money that is deferred counts as such even after its release, which is a transaction of its own. */
export function stageOf(status: ParsedTransaction['status']): 'DEFERRED' | 'RELEASED' {
  return status === 'RELEASED' ? 'RELEASED' : 'DEFERRED';
}

/**
 * Reads one transaction of the API. Never throws: a transaction whose tree does not add up comes back with `problem`,
 * its raw form and no lines. One without id or date cannot be stored at all and gives undefined.
 */
export function parseTransaction(transaction: ApiTransaction): ParsedTransaction | undefined {
  const { transactionId, postedDate } = transaction;
  const posted = Date.parse(postedDate ?? '');
  if (!transactionId || Number.isNaN(posted)) return undefined;
  const related = new Map(
    (transaction.relatedIdentifiers ?? []).map((one) => [one.relatedIdentifierName, one.relatedIdentifierValue]),
  );
  const status = statusOf(transaction.transactionStatus);
  const maturity = transaction.contexts?.find((context) => context.maturityDate !== undefined)?.maturityDate;
  const { lines, problem } = safeLines(transaction);
  const stated = transaction.totalAmount?.currencyAmount;
  return {
    transactionId,
    status,
    transactionType: transaction.transactionType ?? '',
    postedAt: new Date(posted).toISOString(),
    marketplaceId: transaction.marketplaceDetails?.marketplaceId ?? null,
    currency: transaction.totalAmount?.currencyCode ?? 'XXX',
    total: problem === null && stated !== undefined ? String(stated) : '0',
    settlementId: related.get('SETTLEMENT_ID') ?? null,
    eventGroupId: related.get('FINANCIAL_EVENT_GROUP_ID') ?? null,
    orderId: related.get('ORDER_ID') ?? null,
    shipmentId: related.get('SHIPMENT_ID') ?? null,
    deferredId: related.get('DEFERRED_TRANSACTION_ID') ?? null,
    releaseId: related.get('RELEASE_TRANSACTION_ID') ?? null,
    maturesAt: maturity ?? null,
    contentHash: problem === null ? contentHash(stageOf(status), lines) : `!${problem}`,
    lines,
    problem,
    raw: problem === null ? null : transaction,
  };
}

function safeLines(transaction: ApiTransaction): { lines: TransactionLine[]; problem: string | null } {
  try {
    return { lines: linesOf(transaction), problem: null };
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return { lines: [], problem: error.message };
  }
}
