import type { SimTransaction } from '../business/types.ts';
import { breakdownTree, currencyAmount } from './breakdown.ts';
import { iso } from './clock.ts';
import { invalidInput } from './errors.ts';
import { sumMoney } from './money.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, listOf, text } from './query.ts';

const PAGE_SIZE = 500;
const SAFETY_MS = 2 * 60_000;
const LONGEST_MS = 180 * 86_400_000;
const TOKEN_LIFE_MS = 24 * 3_600_000;

interface Selection {
  from: number;
  to: number;
  related?: { name: string; value: string };
}

function selectionOf(call: Call, asOf: number): Selection {
  const latest = asOf - SAFETY_MS;
  const name = listOf(call.query, 'relatedIdentifierName', ['FINANCIAL_EVENT_GROUP_ID', 'ORDER_ID'])[0];
  const value = text(call.query, 'relatedIdentifierValue');
  if ((name === undefined) !== (value === undefined)) {
    throw invalidInput('relatedIdentifierName and relatedIdentifierValue come together');
  }
  const from = instant(call.query, 'postedAfter');
  if (from === undefined && name === undefined) throw invalidInput('Start date cannot be null');
  if (from !== undefined && from > latest) throw invalidInput('postedAfter must be more than two minutes ago');
  const to = instant(call.query, 'postedBefore') ?? latest;
  if (to > latest) throw invalidInput('postedBefore must be more than two minutes ago');
  if (from !== undefined && to <= from) throw invalidInput('postedBefore must be later than postedAfter');
  const related = name !== undefined && value !== undefined ? { related: { name, value } } : {};
  return { from: from ?? 0, to, ...related };
}

function selected(call: Call, asOf: number): readonly SimTransaction[] {
  const { from, to, related } = selectionOf(call, asOf);
  // Amazon's own rule: a period that is too long is not an error, it is empty.
  if (!related && to - from > LONGEST_MS) return [];
  const marketplaceId = text(call.query, 'marketplaceId');
  const status = listOf(call.query, 'transactionStatus', ['DEFERRED', 'RELEASED', 'DEFERRED_RELEASED'])[0];
  const { sellingPartnerId, region } = call.account;
  const key = ['transactions', sellingPartnerId, region, from, to, marketplaceId, asOf].join('|');
  const query = { from, to, ...(marketplaceId === undefined ? {} : { marketplaceId }) };
  const all = call.world.cachedList(key, () => call.world.business.transactions(call.account, query, asOf));
  return all.filter(
    (transaction) =>
      (status === undefined || transaction.status === status) &&
      (related === undefined ||
        related.value === (related.name === 'ORDER_ID' ? transaction.orderId : transaction.financialEventGroupId)),
  );
}

function transactionShape(call: Call, transaction: SimTransaction): object {
  const { currency, marketplaceId } = transaction;
  const leaves = [...transaction.items.flatMap((item) => item.breakdowns), ...transaction.breakdowns];
  const identifiers = [
    ['ORDER_ID', transaction.orderId],
    ['FINANCIAL_EVENT_GROUP_ID', transaction.financialEventGroupId],
    ['SETTLEMENT_ID', transaction.settlementId],
    ['SHIPMENT_ID', transaction.shipmentId],
    ['REFUND_ID', transaction.refundId],
    ['DEFERRED_TRANSACTION_ID', transaction.deferredTransactionId],
    ['RELEASE_TRANSACTION_ID', transaction.releaseTransactionId],
  ] as const;
  return {
    sellingPartnerMetadata: {
      sellingPartnerId: call.account.sellingPartnerId,
      accountType: 'Standard Orders',
      marketplaceId,
    },
    relatedIdentifiers: identifiers
      .filter(([, value]) => value !== undefined)
      .map(([relatedIdentifierName, relatedIdentifierValue]) => ({ relatedIdentifierName, relatedIdentifierValue })),
    transactionType: transaction.transactionType,
    transactionId: transaction.transactionId,
    transactionStatus: transaction.status,
    description: transaction.description,
    postedDate: iso(transaction.postedAt),
    totalAmount: currencyAmount(transaction.total, currency),
    marketplaceDetails: { marketplaceId, marketplaceName: call.world.marketplace(marketplaceId).salesChannel },
    items: transaction.items.map((item) => itemShape(item, currency)),
    contexts:
      transaction.maturityAt === undefined
        ? []
        : [{ contextType: 'DeferredContext', deferralReason: 'DD7', maturityDate: iso(transaction.maturityAt) }],
    breakdowns: breakdownTree(leaves, currency),
  };
}

function itemShape(item: SimTransaction['items'][number], currency: string): object {
  return {
    description: item.sku ?? '',
    relatedIdentifiers:
      item.orderItemCode === undefined
        ? []
        : [{ itemRelatedIdentifierName: 'ORDER_ADJUSTMENT_ITEM_ID', itemRelatedIdentifierValue: item.orderItemCode }],
    totalAmount: currencyAmount(sumMoney(item.breakdowns.map((leaf) => leaf.amount)), currency),
    breakdowns: breakdownTree(item.breakdowns, currency),
    contexts: [
      {
        contextType: 'ProductContext',
        ...(item.asin === undefined ? {} : { asin: item.asin }),
        ...(item.sku === undefined ? {} : { sku: item.sku }),
        ...(item.quantity === undefined ? {} : { quantityShipped: item.quantity }),
      },
    ],
  };
}

function listTransactions(call: Call): Answer {
  const open = openPage(call, 'nextToken', text(call.query, 'nextToken'), TOKEN_LIFE_MS);
  const { page, nextToken } = cutPage(call, open, selected(call, open.asOf), PAGE_SIZE);
  return {
    body: {
      payload: {
        ...(nextToken === undefined ? {} : { nextToken }),
        transactions: page.map((transaction) => transactionShape(call, transaction)),
      },
    },
  };
}

/** Finances API 2024-06-19. */
export const financeOperations: Operation[] = [
  {
    name: 'listTransactions',
    method: 'GET',
    path: '/finances/2024-06-19/transactions',
    plan: { rate: 0.5, burst: 10 },
    handle: listTransactions,
  },
];
