import { formatMoney } from '#kit/contract/format.ts';
import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { OfferKind } from '../../contract/offers.ts';
import { type PriceRequestStep, priceRequest } from '../../contract/requests.ts';
import { termsWords } from '../../contract/terms.ts';
import { floorsOf } from '../offers/floors.ts';
import { act, loaded, TABLE } from './act.ts';

const KINDS = OfferKind.meta()?.states ?? {};

async function subject(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const doc = await loaded(ctx, id);
  const store = (await storeNames(ctx)).get(doc.accountId) ?? '';
  const site = `${store}-${countryOf(doc.marketplaceId)}`;
  const kind = KINDS[doc.kind]?.title ?? doc.kind;
  const now = (await floorsOf(ctx, [doc.listingId])).get(doc.listingId);
  const money = (value: string) => formatMoney(value, doc.currency);
  return {
    number: doc.number,
    summary: `${site} · ${doc.sellerSku} · ${kind} ${money(doc.newValue)}，低于保本价 ${money(doc.floor)}`,
    facts: [
      { label: '店铺', value: site },
      { label: 'MSKU', value: doc.sellerSku },
      { label: '价格类型', value: kind },
      {
        label: '现价',
        value: doc.kind === 'price' ? money(doc.oldValue ?? '0') : termsWords(doc.oldTerms, doc.currency),
      },
      { label: '申请价', value: doc.kind === 'price' ? money(doc.newValue) : termsWords(doc.newTerms, doc.currency) },
      { label: '申请时保本价', value: money(doc.floor) },
      { label: '现在保本价', value: now === undefined ? '成本未知' : money(now) },
      { label: '申请原因', value: doc.reason },
    ],
    amount: doc.newValue,
    currency: doc.currency,
    place: site,
    stores: [doc.accountId],
    vars: { kind: doc.kind },
    content: { ...doc, state: undefined, version: undefined },
  };
}

/** Prices below the floor for the approval flows: a time-out never agrees to a loss. */
export const priceApproval: Approvable = {
  def: priceRequest,
  table: TABLE,
  view: 'amz:price:view',
  fields: [
    {
      key: 'kind',
      title: '价格类型',
      kind: 'choice',
      options: async () =>
        Object.entries(KINDS)
          .filter(([value]) => value !== 'quantity')
          .map(([value, { title }]) => ({ value, title })),
    },
  ],
  pays: true,
  subject,
  take: (ctx, id, step, reason) => act(ctx, step as PriceRequestStep, { id, reason }),
};
