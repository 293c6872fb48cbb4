import { createHash } from 'node:crypto';
import { Decimal } from '#kit/contract/decimal.ts';
import { classifyLeaf } from '../contract/fee-map.ts';
import type { PlSection } from '../contract/fees.ts';

/** The parts of a finances transaction (version 2024-06-19) that are read; everything may be missing. */
export interface ApiAmount {
  currencyCode?: string | undefined;
  currencyAmount?: number | string | undefined;
}
export interface ApiBreakdown {
  breakdownType?: string | undefined;
  breakdownAmount?: ApiAmount | undefined;
  breakdowns?: ApiBreakdown[] | null | undefined;
}
interface ApiContext {
  contextType?: string | undefined;
  sku?: string | undefined;
  quantityShipped?: number | undefined;
  maturityDate?: string | undefined;
}
interface ApiItem {
  relatedIdentifiers?: { itemRelatedIdentifierName?: string; itemRelatedIdentifierValue?: string }[] | null | undefined;
  totalAmount?: ApiAmount | undefined;
  breakdowns?: ApiBreakdown[] | null | undefined;
  contexts?: ApiContext[] | null | undefined;
}
export interface ApiTransaction {
  transactionId?: string | undefined;
  transactionType?: string | undefined;
  transactionStatus?: string | undefined;
  postedDate?: string | undefined;
  totalAmount?: ApiAmount | undefined;
  marketplaceDetails?: { marketplaceId?: string | undefined } | undefined;
  relatedIdentifiers?: { relatedIdentifierName?: string; relatedIdentifierValue?: string }[] | null | undefined;
  items?: ApiItem[] | null | undefined;
  breakdowns?: ApiBreakdown[] | null | undefined;
  contexts?: ApiContext[] | null | undefined;
}

/** One amount of a transaction: a leaf of its tree. */
export interface TransactionLine {
  lineNo: number;
  /** Names from the root to above the leaf, joined by "/". */
  amountType: string;
  amountDescription: string;
  feeCode: string;
  section: PlSection;
  amount: string;
  sku: string;
  orderItemCode: string | null;
  quantity: number | null;
}

interface Leaf {
  path: string[];
  amount: Decimal;
}

/** Why a transaction cannot be believed; it is kept aside with this reason. */
export class Mismatch extends Error {}

/**
 * The exact decimal of an amount. The API sends JSON numbers; the shortest text of a double is the text that was
 * written as long as it has at most 15 digits, which every amount has.
 */
function amountOf(amount: ApiAmount | undefined, place: string): Decimal {
  const value = amount?.currencyAmount;
  if (value === undefined || value === null || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(String(value))) {
    throw new Mismatch(`${place}：金额缺失或不是数字`);
  }
  return new Decimal(String(value));
}

function leavesOf(nodes: readonly ApiBreakdown[] | null | undefined, above: string[] = []): Leaf[] {
  return (nodes ?? []).flatMap((node) => {
    const path = [...above, node.breakdownType ?? ''];
    const amount = amountOf(node.breakdownAmount, path.join('/'));
    const below = leavesOf(node.breakdowns, path);
    if (below.length === 0) return [{ path, amount }];
    const gap = total(below).minus(amount);
    if (!gap.isZero()) throw new Mismatch(`${path.join('/')}：明细合计与上级不符，差额 ${gap.toFixed()}`);
    return below;
  });
}

function total(leaves: readonly Leaf[]): Decimal {
  return leaves.reduce((sum, leaf) => sum.plus(leaf.amount), new Decimal(0));
}

function isUnder(path: readonly string[], ancestor: readonly string[]): boolean {
  return ancestor.every((name, i) => path[i] === name);
}

/** What the items do not explain of each leaf of the whole: amounts without a SKU. */
function remainder(whole: readonly Leaf[], items: readonly Leaf[]): Leaf[] {
  const open = whole.map((leaf) => ({ ...leaf }));
  for (const item of items) {
    const home = open.find((leaf) => isUnder(item.path, leaf.path));
    if (!home) throw new Mismatch(`${item.path.join('/')}：商品明细不在交易明细之内`);
    home.amount = home.amount.minus(item.amount);
  }
  return open.filter((leaf) => !leaf.amount.isZero());
}

/**
 * The lines of a transaction. Only leaves become lines; parents are checksums. Leaves of the items carry their SKU, the
 * rest of the transaction's own tree belongs to the store.
 * @throws Mismatch when a parent is not the sum of its children or the leaves are not the transaction's total
 */
export function linesOf(transaction: ApiTransaction): TransactionLine[] {
  const type = transaction.transactionType ?? '';
  const lines: TransactionLine[] = [];
  const add = (leaf: Leaf, more: Pick<TransactionLine, 'sku' | 'orderItemCode'>) => {
    const { code, section } = classifyLeaf(type, leaf.path);
    lines.push({
      lineNo: lines.length + 1,
      amountType: leaf.path.slice(0, -1).join('/'),
      amountDescription: leaf.path.at(-1) ?? '',
      feeCode: code,
      section,
      amount: leaf.amount.toFixed(),
      quantity: null,
      ...more,
    });
  };
  const ofItems: Leaf[] = [];
  for (const item of transaction.items ?? []) {
    const leaves = leavesOf(item.breakdowns);
    if (item.totalAmount && !total(leaves).eq(amountOf(item.totalAmount, '商品合计'))) {
      throw new Mismatch('商品明细合计与商品金额不符');
    }
    ofItems.push(...leaves);
    const first = lines.length;
    const product = item.contexts?.find((context) => context.sku !== undefined);
    const orderItemCode = item.relatedIdentifiers?.[0]?.itemRelatedIdentifierValue ?? null;
    for (const leaf of leaves) add(leaf, { sku: product?.sku ?? '', orderItemCode });
    giveQuantity(lines.slice(first), item.contexts?.find((c) => c.quantityShipped !== undefined)?.quantityShipped);
  }
  const whole = leavesOf(transaction.breakdowns);
  const rest = whole.length > 0 ? remainder(whole, ofItems) : [];
  for (const leaf of rest) add(leaf, { sku: '', orderItemCode: null });
  const gap = lines.reduce((sum, line) => sum.plus(line.amount), new Decimal(0));
  const stated = amountOf(transaction.totalAmount, '交易合计');
  if (!gap.eq(stated)) throw new Mismatch(`明细合计与交易金额不符，差额 ${gap.minus(stated).toFixed()}`);
  return lines;
}

/** Pieces stand once per item, with its price: that is where the settlement file has them too. */
function giveQuantity(lines: readonly TransactionLine[], quantity: number | undefined): void {
  if (quantity === undefined) return;
  const price = lines.find((line) => ['PRINCIPAL', 'REFUND_PRINCIPAL'].includes(line.feeCode));
  const holder = price ?? lines[0];
  if (holder) holder.quantity = quantity;
}

/** Fingerprint of what a transaction says about money: another one for the same id is a new version. */
export function contentHash(stage: string, lines: readonly TransactionLine[]): string {
  const text = lines.map((line) =>
    [line.amountType, line.amountDescription, line.amount, line.sku, line.quantity ?? ''].join('\t'),
  );
  return createHash('sha256')
    .update([stage, ...text].join('\n'))
    .digest('hex');
}
