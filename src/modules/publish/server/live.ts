import { ApiRefused } from '#modules/marketplace/server/index.ts';
import type { DraftIssue } from '../contract/draft.ts';
import type { Attributes, FormModel } from '../contract/form.ts';
import { attributesHere, labelOf } from './form/values.ts';
import type { Site } from './site.ts';

/** What Amazon shows of a listing in one marketplace. */
export interface Live {
  attributes: Attributes;
  productType: string | null;
  title: string | null;
  image: string | null;
  asin: string | null;
  issues: readonly ApiIssue[];
}

/** An issue as Listings Items words it. */
export interface ApiIssue {
  code?: string;
  message?: string;
  severity?: string;
  attributeNames?: readonly string[];
  marketplaceIds?: readonly string[];
}

interface Item {
  summaries?: readonly {
    marketplaceId?: string;
    asin?: string;
    productType?: string;
    itemName?: string;
    mainImage?: { link?: string } | null;
  }[];
  attributes?: Readonly<Record<string, unknown>>;
  productTypes?: readonly { marketplaceId?: string; productType?: string }[];
  issues?: readonly ApiIssue[];
}

/** Path of a listing of Listings Items 2021-08-01. */
export function itemPath(sellerId: string, sku: string): string {
  return `/listings/2021-08-01/items/${encodeURIComponent(sellerId)}/${encodeURIComponent(sku)}`;
}

/** The listing of a SKU as Amazon shows it now, issues in Chinese; undefined where there is none. */
export async function liveOf(
  { api, account, marketplaceId }: Pick<Site, 'api' | 'marketplaceId'> & { account: { sellingPartnerId: string } },
  sku: string,
): Promise<Live | undefined> {
  try {
    const { body } = await api.call<Item>({
      operation: 'getListingsItem',
      method: 'GET',
      path: itemPath(account.sellingPartnerId, sku),
      query: {
        marketplaceIds: [marketplaceId],
        includedData: ['summaries', 'attributes', 'issues', 'productTypes'],
        issueLocale: 'zh_CN',
      },
    });
    const summary = body.summaries?.find((one) => one.marketplaceId === marketplaceId);
    if (!summary) return undefined;
    const type = body.productTypes?.find((one) => one.marketplaceId === marketplaceId)?.productType;
    return {
      attributes: attributesHere(body.attributes ?? {}, marketplaceId),
      productType: type ?? summary.productType ?? null,
      title: summary.itemName ?? null,
      image: summary.mainImage?.link ?? null,
      asin: summary.asin ?? null,
      issues: (body.issues ?? []).filter(
        ({ marketplaceIds }) => !marketplaceIds?.length || marketplaceIds.includes(marketplaceId),
      ),
    };
  } catch (error) {
    if (error instanceof ApiRefused && error.status === 404) return undefined;
    throw error;
  }
}

const SEVERITIES: readonly string[] = ['ERROR', 'WARNING', 'INFO'] satisfies DraftIssue['severity'][];

/** Amazon's issues by the names of the form: one that is about several attributes is told of each. */
export function draftIssues(form: FormModel, issues: readonly ApiIssue[]): DraftIssue[] {
  return issues.flatMap(({ message = '', severity = '', attributeNames = [] }) => {
    const level = (SEVERITIES.includes(severity) ? severity : 'INFO') as DraftIssue['severity'];
    const names = attributeNames.length > 0 ? attributeNames : [''];
    return names.map((attribute) => ({ attribute, label: labelOf(form, attribute), message, severity: level }));
  });
}

const MOST_TOLD = 3;

/** The first errors in one line, the attribute in front; undefined where there is none. */
export function problemWords(issues: readonly DraftIssue[]): string | undefined {
  const errors = issues.filter(({ severity }) => severity === 'ERROR');
  if (errors.length === 0) return undefined;
  const told = errors.slice(0, MOST_TOLD).map(({ label, message }) => (label ? `${label}：${message}` : message));
  return `${told.join('；')}${errors.length > MOST_TOLD ? `；等 ${errors.length} 项` : ''}`;
}
