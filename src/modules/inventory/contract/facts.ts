import { z } from 'zod';
import { comparedCalls, comparing } from '#kit/contract/compared-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, OptionalText, Product, Quantity, Store } from '#kit/contract/field.ts';
import { type ListOf, listCalls } from '#kit/contract/list-calls.ts';
import { Site } from '#modules/listing/contract.ts';

export { comparing };

/** Without it amounts of reimbursements and fees are neither sent nor shown nor exported. */
export const AMOUNTS = 'amz:inventory:field:amount';

export const choice = (title: string) => ({ title, tone: 'off' as const });

/** States of goods in Amazon's warehouses; one that is not known is shown as it is written. */
export const DISPOSITIONS = {
  SELLABLE: { title: '可售', tone: 'done' as const },
  CUSTOMER_DAMAGED: choice('买家损坏'),
  DEFECTIVE: choice('有瑕疵'),
  WAREHOUSE_DAMAGED: choice('仓库损坏'),
  CARRIER_DAMAGED: choice('承运人损坏'),
  DISTRIBUTOR_DAMAGED: choice('分销商损坏'),
  EXPIRED: choice('已过期'),
  UNSELLABLE: choice('不可售'),
  Sellable: choice('可售'),
  Unsellable: choice('不可售'),
};

/** Name of a row: a hash of its natural key. */
export const RowKey = z.string().meta({ title: '行', hidden: true });
export const pieces = (title: string, width = 84) => Quantity.meta({ title, width });
export const code = (title: string, width = 130) => z.string().meta({ title, kind: 'code', width });
export const word = (
  title: string,
  states: Record<string, ReturnType<typeof choice> | (typeof DISPOSITIONS)['SELLABLE']>,
  width = 100,
) => z.string().meta({ title, kind: 'choice', states, width });

/** What every row of a warehouse report shows of its product and store. */
export const goods = {
  id: RowKey,
  day: Day.meta({ title: '日期', width: 100, tip: '站点当地日期' }),
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
};

const Days = z
  .object({ from: Day.optional(), to: Day.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, '结束日期不能早于开始日期');

/** Filters that all these lists have. */
export const goodsFilter = {
  dates: Days.meta({ title: '日期', kind: 'date' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  keyword: OptionalText(100, 'SKU/ASIN/FNSKU'),
  skus: z.array(z.string().max(60)).max(500, '一次最多查询 500 个 SKU').meta({ title: 'MSKU', optional: true }),
};

/** Who may see and export the lists of this module. */
const OWN = { view: 'amz:inventory:view', export: 'amz:inventory:export' };

/** Permissions are those of this module where left out. */
type Own<L extends { may: unknown }> = Omit<L, 'may'> & Partial<Pick<L, 'may'>>;

/** The list of a report and its export. */
export const listOf = <R extends z.ZodObject, F extends z.ZodObject>(list: Own<ListOf<R, F>>) =>
  listCalls({ may: OWN, ...list });

/** A report's products with two periods side by side: list, export and chart. */
export const comparedOf = <R extends z.ZodObject, F extends z.ZodObject>(list: Own<Omit<ListOf<R, F>, 'sortable'>>) =>
  comparedCalls({ may: OWN, ...list });

/** A figure that goes with a list, under the same filter. */
export function figureOf<F extends z.ZodObject, R extends z.ZodType>(
  title: string,
  path: `/${string}`,
  filter: F,
  reply: R,
) {
  return endpoint({
    title,
    method: 'POST',
    path,
    permission: 'amz:inventory:view',
    access: 'read',
    concurrent: true,
    body: z.object({ filter: filter.partial().prefault({}) }),
    reply,
  });
}
