import { type FeeCode, type PlSection, sectionOf } from './fees.ts';

/** Stands in every line, so that lines classified by an older map can be found. */
export const MAPPING_VERSION = 1;

/** Words in any spelling: "Digital Services Fee", "DigitalServicesFee" and "digital-services-fee" are the same. */
function plain(words: string): string {
  return words.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** transaction-type | amount-type | amount-descriptions > code. "*" alone is anything, at the end any continuation. */
const MAP: Record<string, string> = {
  // what buyers pay
  'Order|ItemPrice|Principal': 'PRINCIPAL',
  'Order|ItemPrice|Shipping,Delivery': 'SHIPPING',
  'Order|ItemPrice|GiftWrap': 'GIFTWRAP',
  '*|Promotion|*': 'PROMOTION',
  '*|*|ShippingChargeback,GiftwrapChargeback,DeliveryChargeback,ShippingHB': 'SHIP_CHARGEBACK',
  // what goes back to them
  'Refund|ItemPrice|Principal': 'REFUND_PRINCIPAL',
  'Refund|ItemPrice|Shipping,Delivery,GiftWrap,ReturnShipping': 'REFUND_SHIPPING',
  'Chargeback*|ItemPrice|Principal,Shipping,Delivery,GiftWrap': 'CHARGEBACK',
  'A-to-z*|ItemPrice|Principal,Shipping,Delivery,GiftWrap': 'A2Z',
  '*|*|RestockingFee': 'RESTOCKING',
  '*|*|Goodwill': 'GOODWILL',
  '*|*|ReturnShipping': 'REFUND_SHIPPING',
  '*|*|RefundCommission': 'REFUND_ADMIN',
  'Refund|ItemFees|*': 'REFUND_FEE_BACK',
  'Chargeback*|ItemFees|*': 'REFUND_FEE_BACK',
  'A-to-z*|ItemFees|*': 'REFUND_FEE_BACK',
  'Refund|ItemFees|Commission,DigitalServicesFee,VariableClosingFee,FixedClosingFee': 'REFUND_FEE_BACK',
  'Chargeback*|ItemFees|Commission,DigitalServicesFee,VariableClosingFee,FixedClosingFee': 'REFUND_FEE_BACK',
  'A-to-z*|ItemFees|Commission,DigitalServicesFee,VariableClosingFee,FixedClosingFee': 'REFUND_FEE_BACK',
  // what Amazon charges
  '*|*|Commission,ReferralFee': 'COMMISSION',
  '*|*|VariableClosingFee,FixedClosingFee': 'CLOSING',
  '*|*|DigitalServicesFee*': 'DSF',
  '*|DigitalServicesFee*|*': 'DSF',
  '*|*|FBAPerUnit*,FBAPerOrder*,FBAWeightBased*,FBAPickAndPack*': 'FBA_FULFIL',
  '*|ShipmentFees|*': 'FBA_MCF',
  '*|*|FBATransportationFee,MultiChannelFulfillment*': 'FBA_MCF',
  '*|*|StorageFee,FBAStorageFee,FBAInventoryStorageFee': 'FBA_STORAGE',
  '*|*|StorageRenewalBilling,FBALongTermStorage*,FBAAgedInventory*,AgedInventory*': 'FBA_AGED',
  '*|*|FBAInbound*,InventoryPlacementServiceFee*,InternationalFreight*,ManualProcessingFee': 'FBA_INBOUND',
  '*|*|RemovalComplete,DisposalComplete,FBARemoval*,FBADisposal*': 'FBA_REMOVAL',
  '*|*|FBACustomerReturn*': 'FBA_RETURN',
  '*|*|SubscriptionFee*,NonSubscriptionFeeAdj': 'SUBSCRIPTION',
  '*|*|Coupon*': 'COUPON',
  '*|Coupon*|*': 'COUPON',
  '*|*|LightningDeal*,DealFee*,BestDeal*,PrimeExclusive*': 'DEAL',
  '*|*|Vine*': 'VINE',
  '*|*|AWD*,AmazonWarehousingAndDistribution*': 'AWD',
  '*|*|FBAPrep*,PrepFee*,FBALabel*,LabelingFee*,PolybaggingFee*,BubblewrapFee*,TapingFee*': 'PREP',
  '*|*|SalesTaxServiceFee,AdditionalOtherExpenses,Adjustment,BalanceAdjustment,MerchantBadDebt': 'OTHER_FEE',
  '*|*|ShippingLabelPurchase*,ShippingServices*,MiscFee': 'OTHER_FEE',
  // advertising: cash only, the income statement of a day has its own source one day
  '*|CostOfAdvertising|*': 'AD_CASH',
  '*|*|CostOfAdvertising': 'AD_CASH',
  // what Amazon makes good
  '*|*|WAREHOUSE_LOST*,MULTICHANNEL_ORDER_LOST': 'REIMB_LOST',
  '*|*|WAREHOUSE_DAMAGE*,REMOVAL_ORDER_DAMAGED,MULTICHANNEL_ORDER_DAMAGED': 'REIMB_DAMAGED',
  '*|*|MISSING_FROM_INBOUND,REMOVAL_ORDER_LOST': 'REIMB_INBOUND',
  '*|*|INCORRECT_FEES*,ManualProcessingFeeReimbursement': 'REIMB_FEE',
  '*|*|COMPENSATED_CLAWBACK,REVERSAL_REIMBURSEMENT,MISSING_FROM_INBOUND_CLAWBACK': 'REIMB_CLAWBACK',
  '*|*|CS_ERROR*,MULTICHANNEL_ORDER_LATE,RefundReimbursal,FBAInventoryReimbursementCustomerReturn': 'REIMB_OTHER',
  '*|FBAInventoryReimbursement|*': 'REIMB_OTHER',
  'Liquidation*|*|*': 'LIQUIDATION',
  // tax that passes through
  '*|*|Tax,ShippingTax,GiftWrapTax,DeliveryTax': 'TAX_COLLECTED',
  '*|ItemWithheldTax|*': 'TAX_WITHHELD',
  '*|*|MarketplaceFacilitator*': 'TAX_WITHHELD',
  '*|*|LowValueGoods*': 'LVG_TAX',
  '*|*|TaxWithheld,TDS*,TCS*': 'TDS',
  // between Amazon and the seller
  '*|*|PreviousReserveAmountBalance': 'RESERVE_PREV',
  '*|*|CurrentReserveAmount': 'RESERVE_CURR',
  '*|*|PayableToAmazon': 'PAYABLE_TO_AMAZON',
  '*|*|SuccessfulCharge': 'SUCCESSFUL_CHARGE',
  '*|*|TransferOfFundsUnsuccessful*,FailedDisbursement*': 'TRANSFER_FAILED',
  '*|*|MicroDeposit*': 'MICRO_DEPOSIT',
  '*|*|AmazonCapitalServices*,AmazonLending*': 'LOAN',
};

type Matcher = { text: string; how: 'exact' | 'prefix' | 'any' };

interface Rule {
  parts: [transaction: Matcher, type: Matcher, description: Matcher];
  code: FeeCode;
}

function matcher(pattern: string): Matcher {
  const text = plain(pattern);
  if (pattern === '*') return { text: '', how: 'any' };
  return { text, how: pattern.endsWith('*') ? 'prefix' : 'exact' };
}

const RULES: readonly Rule[] = Object.entries(MAP).flatMap(([key, code]) => {
  const [transaction = '*', type = '*', descriptions = '*'] = key.split('|');
  return descriptions.split(',').map((description) => ({
    parts: [matcher(transaction), matcher(type), matcher(description)] as Rule['parts'],
    code: code as FeeCode,
  }));
});

const WEIGHT = { exact: 2, prefix: 1, any: 0 } as const;

/** How well a pattern fits a text: 2 exact, 1 prefix, 0 anything; -1 not at all. */
function fitness(pattern: Matcher, text: string): number {
  if (pattern.how === 'any') return WEIGHT.any;
  if (pattern.how === 'prefix') return text.startsWith(pattern.text) ? WEIGHT.prefix : -1;
  return text === pattern.text ? WEIGHT.exact : -1;
}

/** Exact beats prefix beats anything: first in the description, then in the transaction, then in the type. */
function rank(rule: Rule, texts: readonly [string, string, string]): number {
  const [transaction, type, description] = rule.parts.map((part, i) => fitness(part, texts[i] ?? '')) as [
    number,
    number,
    number,
  ];
  if (transaction < 0 || type < 0 || description < 0) return -1;
  return description * 9 + transaction * 3 + type;
}

export interface Classified {
  code: FeeCode;
  section: PlSection;
}

const known = new Map<string, Classified>();
const KNOWN_MAX = 10_000;

function bestRule(texts: readonly [string, string, string]): FeeCode | undefined {
  let best: FeeCode | undefined;
  let bestRank = -1;
  for (const rule of RULES) {
    const points = rank(rule, texts);
    if (points > bestRank) [best, bestRank] = [rule.code, points];
  }
  return best;
}

/** Fee code of an amount of a settlement file, in the words of form V2. UNMAPPED where no rule fits. */
export function classify(transactionType: string, amountType: string, amountDescription: string): Classified {
  const key = `${transactionType}\t${amountType}\t${amountDescription}`;
  const found = known.get(key);
  if (found) return found;
  const texts = [plain(transactionType), plain(amountType), plain(amountDescription)] as const;
  // Services come with their name in amount-type and "TransactionTotalAmount" in amount-description.
  const best = bestRule(texts) ?? bestRule([texts[0], '', texts[1]]) ?? 'UNMAPPED';
  const result = { code: best, section: sectionOf(best) };
  if (known.size < KNOWN_MAX) known.set(key, result);
  return result;
}

/** Words of the breakdown tree for what the file calls an item price. */
const PRICE_WORDS: Record<string, string> = {
  productcharges: 'Principal',
  ourpriceprincipal: 'Principal',
  shippingcharges: 'Shipping',
  shippingprincipal: 'Shipping',
  giftwrapcharges: 'GiftWrap',
  giftwrapprincipal: 'GiftWrap',
  producttax: 'Tax',
  ourpricetax: 'Tax',
  shippingtax: 'ShippingTax',
  giftwraptax: 'GiftWrapTax',
};

const ORDER_TYPES = new Set(['shipment', 'order', 'shipmentsettle']);

/**
 * Fee code of a leaf of a finances transaction, by its path from the root ("Sales", "Product Charges"). The leaf is
 * translated into the words of the settlement file, so that both readings of the same money get the same code.
 */
export function classifyLeaf(transactionType: string, path: readonly string[]): Classified {
  const isOrder = ORDER_TYPES.has(plain(transactionType));
  const isRefund = plain(transactionType).includes('refund');
  const transaction = isOrder ? 'Order' : transactionType;
  const words = path.map(plain);
  const leaf = path.at(-1) ?? '';
  if (words.includes('promorebates') || words.some((word) => word.startsWith('promotion'))) {
    return classify(transaction, 'Promotion', leaf);
  }
  if (words.includes('taxwithheld') && words.at(-1) !== 'taxwithheld') {
    return classify(transaction, 'ItemWithheldTax', leaf);
  }
  // "Commission > Base" is commission: the nearest name that means something counts.
  for (const segment of path.toReversed()) {
    const price = PRICE_WORDS[plain(segment)];
    const type = price ? 'ItemPrice' : isOrder || isRefund ? 'ItemFees' : 'other-transaction';
    const found = classify(transaction, type, price ?? segment);
    if (found.code !== 'UNMAPPED' && !(found.code === 'REFUND_FEE_BACK' && !knownFee(segment))) return found;
  }
  return classify(transaction, 'other-transaction', leaf);
}

/** Whether a name is a fee by itself, wherever it stands: inside a refund any fee is a fee that comes back. */
function knownFee(name: string): boolean {
  return classify('', 'ItemFees', name).code !== 'UNMAPPED';
}
