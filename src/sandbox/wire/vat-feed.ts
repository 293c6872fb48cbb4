import type { KnownFeed } from './feeds.ts';
import { VAT_COUNTRIES, vatDocuments, vatTotals } from './vat-documents.ts';
import type { World } from './world.ts';

export const VAT_FEED = 'UPLOAD_VAT_INVOICE';

/** What became of an uploaded document: what the report of the invoices says of it. */
export interface VatOutcome {
  shippingId: string;
  kind: 'SHIPMENT' | 'REFUND';
  /** Of a refund; empty for a shipment. */
  transactionId: string;
  number: string;
  /** Why it was not taken; absent where it was. */
  refusal?: string;
}

const DAY_MS = 86_400_000;
const LOOK_BACK_DAYS = 120;
const MOST_BYTES = 1024 * 1024;

/** Options by their names in lower case and without "metadata:", as Amazon takes either spelling. */
function optionsOf({ options = {} }: KnownFeed): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name.toLowerCase().replace(/^metadata:/, ''), value]),
  );
}

const summary = (successful: number, errors: readonly [code: string, message: string][]): string =>
  [
    'Feed Processing Summary:',
    '\tNumber of records processed\t\t1',
    `\tNumber of records successful\t\t${successful}`,
    '',
    ...(errors.length === 0 ? [] : ['original-record-number\tsku\terror-code\terror-type\terror-message']),
    ...errors.map(([code, message]) => `1\t\t${code}\tError\t${message}`),
    '',
  ].join('\n');

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-' && bytes.subarray(-1024).includes('%%EOF');
}

const amountOf = (text: string | undefined): number => Math.round(Number(text) * 100);

/** The documents of a seller that an upload may be about. */
function expected(world: World, feed: KnownFeed, shippingId: string) {
  const account = world.account(feed.sellingPartnerId, feed.region);
  const asOf = world.now();
  if (!account) return [];
  return feed.marketplaceIds
    .map((id) => world.marketplace(id))
    .filter(({ countryCode }) => VAT_COUNTRIES.has(countryCode))
    .flatMap((market) => vatDocuments(world, account, market, { from: asOf - LOOK_BACK_DAYS * DAY_MS, to: asOf, asOf }))
    .filter((document) => document.shippingId === shippingId);
}

/** Why Amazon does not take a document that it has received; undefined where it does. */
function refusalOf(world: World, feed: KnownFeed, outcome: VatOutcome, bytes: Buffer): string | undefined {
  const told = optionsOf(feed);
  if (!isPdf(bytes)) return 'InvalidFileFormat: The uploaded document is not a valid PDF.';
  if (bytes.length > MOST_BYTES) return 'FileTooLarge: The uploaded document exceeds 1 MB.';
  const about = expected(world, feed, outcome.shippingId);
  if (about.length === 0) return `InvalidShipment: No shipment ${outcome.shippingId} was found.`;
  const document = about.find(
    ({ kind, transactionId }) =>
      kind === outcome.kind && (kind === 'SHIPMENT' || transactionId === outcome.transactionId),
  );
  if (!document) return 'InvalidTransaction: The transaction of the credit note was not found.';
  const taken = world.feeds.vatOutcomes(feed).filter(({ refusal }) => refusal === undefined);
  if (taken.some((one) => sameDocument(one, outcome))) {
    return 'DocumentAlreadyUploaded: A document was already accepted for this transaction.';
  }
  if (taken.some(({ number }) => number === outcome.number)) {
    return `DuplicateInvoiceNumber: Invoice number ${outcome.number} has already been used.`;
  }
  const { gross, tax } = vatTotals(document);
  if (amountOf(told.totalamount) !== gross)
    return 'TotalAmountMismatch: The total amount does not match the transaction.';
  return amountOf(told.totalvatamount) === tax
    ? undefined
    : 'TotalVATAmountMismatch: The total VAT amount does not match the transaction.';
}

export const sameDocument = (a: Omit<VatOutcome, 'number'>, b: Omit<VatOutcome, 'number'>): boolean =>
  a.shippingId === b.shippingId && a.kind === b.kind && a.transactionId === b.transactionId;

/**
 * The end of an upload: its processing report says that it was received, whatever becomes of it; only what cannot be told
 * apart from others is refused there (79513, as sellers report it).
 */
export function settleVat(world: World, feed: KnownFeed): { report: object; vat?: VatOutcome } {
  const told = optionsOf(feed);
  const lacks = ['invoicenumber', 'totalamount', 'totalvatamount'].some((name) => !told[name]) || !told.shippingid;
  const isCredit = /^creditnote$/i.test(told.documenttype ?? 'Invoice');
  if (lacks || (isCredit && !told.transactionid)) {
    const words =
      'Please provide metadata:shippingid or metadata:orderid,metadata:invoicenumber,metadata:totalamount,metadata:totalvatamount';
    return { report: { flat: summary(0, [['79513', words]]) } };
  }
  const outcome: VatOutcome = {
    shippingId: told.shippingid ?? '',
    kind: isCredit ? 'REFUND' : 'SHIPMENT',
    transactionId: isCredit ? (told.transactionid ?? '') : '',
    number: told.invoicenumber ?? '',
  };
  const bytes = Buffer.from(world.feeds.document(feed.inputDocumentId)?.content ?? '', 'base64');
  const refusal = refusalOf(world, feed, outcome, bytes);
  return { report: { flat: summary(1, []) }, vat: { ...outcome, ...(refusal === undefined ? {} : { refusal }) } };
}
