import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, OptionalText } from '#kit/contract/field.ts';

const Ids = z.array(Id).min(1, '请选择商品').max(1000, '一次最多 1,000 个商品').meta({ title: '商品' });
const base = '/amazon/api/v1/product/price';

/** Nobody may change the price of these listings, nor may a rule, until the end of a day of the company, or for good. */
export const lockPrices = endpoint({
  title: '冻结调价',
  method: 'POST',
  path: `${base}/lock`,
  permission: 'amz:price:edit',
  body: z.object({
    ids: Ids,
    until: Day.optional().meta({ title: '冻结至', tip: '公司日期当天结束；留空为一直冻结' }),
    reason: OptionalText(200, '原因'),
  }),
  reply: z.object({ count: z.int() }),
});

export const unlockPrices = endpoint({
  title: '解除冻结',
  method: 'POST',
  path: `${base}/unlock`,
  permission: 'amz:price:edit',
  body: z.object({ ids: Ids }),
  reply: z.object({ count: z.int() }),
});
