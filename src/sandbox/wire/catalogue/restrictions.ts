import { invalidInput, unauthorized } from '../errors.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { list, text } from '../query.ts';
import { articlesIn, FOREIGN_BRANDS } from './articles.ts';

function restrictions(call: Call): Answer {
  const { query, world, account } = call;
  const asin = text(query, 'asin');
  if (asin === undefined) throw invalidInput('asin: is required');
  if (text(query, 'sellerId') !== account.sellingPartnerId) throw unauthorized('The seller is not that of the token.');
  const marketplaceIds = list(query, 'marketplaceIds', 20);
  if (marketplaceIds.length === 0) throw invalidInput('marketplaceIds: is required');
  const conditionType = text(query, 'conditionType') ?? 'new_new';
  const chinese = (text(query, 'reasonLocale') ?? '').startsWith('zh');
  const [closed, gated] = FOREIGN_BRANDS;
  return {
    body: {
      restrictions: marketplaceIds.flatMap((marketplaceId) => {
        const article = articlesIn(world, world.marketplace(marketplaceId)).find((one) => one.asin === asin);
        const say = (reasonCode: string, en: string, zh: string, link?: object): object => ({
          marketplaceId,
          conditionType,
          reasons: [{ message: chinese ? zh : en, reasonCode, ...(link ? { links: [link] } : {}) }],
        });
        if (!article) return [say('ASIN_NOT_FOUND', 'The ASIN was not found.', '未找到该 ASIN。')];
        if (article.brand === closed) {
          return [say('NOT_ELIGIBLE', 'You are not eligible to list this product.', '您没有资格销售该商品。')];
        }
        if (article.brand !== gated) return [];
        const link = {
          resource: `https://sellercentral.amazon.com/hz/approvalrequest/restrictions/approve?asin=${asin}`,
          verb: 'GET',
          title: chinese ? '申请批准' : 'Request Approval',
          type: 'text/html',
        };
        return [
          say('APPROVAL_REQUIRED', 'You need approval to list this brand.', '销售该品牌的商品需要申请批准。', link),
        ];
      }),
    },
  };
}

/** Listings Restrictions 2021-08-01. */
export const restrictionOperations: Operation[] = [
  {
    name: 'getListingsRestrictions',
    method: 'GET',
    path: '/listings/2021-08-01/restrictions',
    plan: { rate: 5, burst: 10 },
    handle: restrictions,
  },
];
