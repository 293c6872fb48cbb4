import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { IssueAction, type ListingIssue, Severity } from '../contract/issues.ts';
import type { FulfilledBy } from '../contract.ts';
import type { ListingFact } from './fact.ts';
import { type ApiPurchasable, termsOf } from './terms/wire.ts';

/** What we read of one item of Listings Items 2021-08-01, named as the API names it. */
export interface ApiItem {
  sku: string;
  summaries?: readonly ApiSummary[] | null;
  offers?: readonly ApiOffer[] | null;
  fulfillmentAvailability?: readonly { fulfillmentChannelCode?: string; quantity?: number | null }[] | null;
  issues?: readonly ApiIssue[] | null;
  /** Absent where it was not asked for. */
  attributes?: { purchasable_offer?: readonly ApiPurchasable[] | null } | null;
}

interface ApiIssue {
  code?: string;
  message?: string;
  severity?: string;
  marketplaceIds?: readonly string[];
  categories?: readonly string[];
  attributeNames?: readonly string[];
  enforcements?: {
    actions?: readonly { action?: string }[];
    exemption?: { status?: string; expiryDate?: string };
  } | null;
}

interface ApiSummary {
  marketplaceId?: string;
  asin?: string;
  productType?: string;
  conditionType?: string;
  status?: readonly string[];
  fnSku?: string;
  itemName?: string;
  createdDate?: string;
  lastUpdatedDate?: string;
  mainImage?: { link?: string } | null;
}

interface ApiOffer {
  marketplaceId?: string;
  offerType?: string;
  price?: { currencyCode?: string; currency?: string; amount?: string | number } | null;
  audience?: { value?: string } | null;
}

/** Buyable is on sale; found but not buyable is inactive; neither lacks what a page needs. */
function statusOf(status: readonly string[]): 'ACTIVE' | 'INACTIVE' | 'INCOMPLETE' {
  if (status.includes('BUYABLE')) return 'ACTIVE';
  return status.includes('DISCOVERABLE') ? 'INACTIVE' : 'INCOMPLETE';
}

/** The price for everybody: neither that for businesses nor that of a programme. */
function consumerOffer(item: ApiItem, marketplaceId: string): ApiOffer | undefined {
  const here = (item.offers ?? []).filter((offer) => offer.marketplaceId === marketplaceId);
  const consumers = here.filter((offer) => (offer.offerType ?? 'B2C') === 'B2C');
  return consumers.find((offer) => (offer.audience?.value ?? 'ALL') === 'ALL') ?? consumers[0];
}

function fulfilmentOf(item: ApiItem): { by: FulfilledBy | undefined; quantity: number | null } {
  const channels = item.fulfillmentAvailability ?? [];
  const amazon = channels.find((channel) => channel.fulfillmentChannelCode?.startsWith('AMAZON'));
  if (amazon) return { by: 'AMAZON', quantity: null };
  const own = channels[0];
  return own ? { by: 'MERCHANT', quantity: own.quantity ?? null } : { by: undefined, quantity: null };
}

/** Until when Amazon holds an action back: for good is told by the last instant that a calendar has. */
const FOR_GOOD = '9999-12-31T00:00:00.000Z';

function exemptUntil({ enforcements }: ApiIssue): string | null {
  const { status, expiryDate } = enforcements?.exemption ?? {};
  if (status === 'EXEMPT') return FOR_GOOD;
  return status === 'EXEMPT_UNTIL_EXPIRY_DATE' ? (expiryDate ?? FOR_GOOD) : null;
}

function issueOf(issue: ApiIssue): ListingIssue {
  const { code = '', message = '', categories = [], attributeNames = [], enforcements } = issue;
  return {
    code,
    message,
    severity: Severity.safeParse(issue.severity).data ?? 'INFO',
    categories: [...categories],
    attributes: attributeNames.toSorted(),
    // An action that is not known yet has no word to show it by.
    actions: (enforcements?.actions ?? []).flatMap(({ action }) => IssueAction.safeParse(action).data ?? []),
    exemptUntil: exemptUntil(issue),
  };
}

function issuesOf(item: ApiItem, marketplaceId: string): ListingIssue[] | undefined {
  return item.issues
    ?.filter((issue) => !issue.marketplaceIds?.length || issue.marketplaceIds.includes(marketplaceId))
    .map(issueOf);
}

/** One item as a fact of a marketplace; undefined where the item has no listing there. */
export function factOf(item: ApiItem, marketplaceId: string): ListingFact | undefined {
  const summary = item.summaries?.find((one) => one.marketplaceId === marketplaceId);
  if (!summary) return undefined;
  const price = consumerOffer(item, marketplaceId)?.price;
  const { by, quantity } = fulfilmentOf(item);
  return {
    sellerSku: item.sku,
    asin: summary.asin,
    fnsku: summary.fnSku,
    title: summary.itemName || undefined,
    imageUrl: summary.mainImage?.link,
    price: price?.amount === undefined ? null : String(price.amount),
    currency: price?.currencyCode ?? price?.currency ?? marketplaceOf(marketplaceId)?.currency ?? '',
    quantity,
    fulfilledBy: by,
    status: statusOf(summary.status ?? []),
    condition: summary.conditionType,
    productType: summary.productType,
    issues: issuesOf(item, marketplaceId),
    openedAt: summary.createdDate,
    lastUpdatedAt: summary.lastUpdatedDate,
    terms: item.attributes ? termsOf(item.attributes.purchasable_offer ?? [], marketplaceId) : undefined,
  };
}
