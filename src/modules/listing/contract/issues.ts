import { z } from 'zod';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';

export const Severity = States(
  {
    ERROR: { title: '错误', tone: 'trouble' },
    WARNING: { title: '警告', tone: 'waiting' },
    INFO: { title: '提示', tone: 'off' },
  },
  '级别',
);
export type Severity = z.infer<typeof Severity>;

/** What Amazon does because of an issue, in the words of Listings Items 2021-08-01 ("enforcements"). */
export const IssueAction = States(
  {
    LISTING_SUPPRESSED: { title: '下架', tone: 'trouble' },
    SEARCH_SUPPRESSED: { title: '搜索压制', tone: 'trouble' },
    ATTRIBUTE_SUPPRESSED: { title: '属性压制', tone: 'waiting' },
    CATALOG_ITEM_REMOVED: { title: '目录移除', tone: 'trouble' },
  },
  '处置',
);
export type IssueAction = z.infer<typeof IssueAction>;

/** One finding of Amazon's on a listing, as a reading tells it. */
export const ListingIssue = z.object({
  severity: Severity,
  message: z.string(),
  code: z.string(),
  /** E.g. "INVALID_IMAGE"; Amazon adds to the list without notice. */
  categories: z.array(z.string()),
  /** Attributes of the product type that it is about, e.g. "main_product_image_locator". */
  attributes: z.array(z.string()),
  actions: z.array(IssueAction),
  /** Until when Amazon holds the action back; null where it does not. */
  exemptUntil: Instant.nullable(),
});
export type ListingIssue = z.infer<typeof ListingIssue>;

/** A finding that stands, with its history and what to do about it. */
export const OpenIssue = z.object({
  id: Id,
  severity: Severity.meta({ width: 80 }),
  message: z.string().meta({ title: '问题', width: 360 }),
  actions: z.array(IssueAction).meta({ title: '处置', width: 130 }),
  advice: z.string().meta({ title: '怎么处理', width: 300 }),
  attributes: z.array(z.string()).meta({ title: '属性', width: 180 }),
  firstSeenAt: Instant.meta({ title: '首次发现', width: 130 }),
  lastSeenAt: Instant.meta({ title: '最近一次', width: 130 }),
  exemptUntil: Instant.nullable().meta({ title: '宽限至', width: 130 }),
  ignoredUntil: Day.nullable().meta({ title: '忽略至', width: 110 }),
  code: z.string().meta({ title: '代码', kind: 'code', width: 90 }),
});
export type OpenIssue = z.infer<typeof OpenIssue>;

/** Advice by category of issue; the first that fits counts, so what stops a sale comes first. */
const ADVICE: readonly (readonly [string, string])[] = [
  ['QUALIFICATION_REQUIRED', '需要销售资格：在卖家后台提交所要求的文件或申请，通过后自动恢复'],
  ['DUPLICATE', '与目录中已有商品重复：核对外部商品编码，改为跟卖已有 ASIN，或向亚马逊申请拆分'],
  ['MISSING_IMAGE', '补主图：纯白底、无文字水印，长边不少于 1000 像素，再提交'],
  ['INVALID_IMAGE', '更换图片：主图须纯白底、无文字水印，长边不少于 1000 像素，再提交'],
  ['MISSING_PRICE', '填写售价后再提交'],
  ['INVALID_PRICE', '核对售价与币种：不能高于参考价太多，也不能低于卖家后台设置的最低价'],
  ['MISSING_ATTRIBUTE', '在商品刊登中补齐所列属性，预校验通过后提交'],
  ['INVALID_ATTRIBUTE', '在商品刊登中改正所列属性，预校验通过后提交'],
];
const BY_ACTION: Readonly<Record<IssueAction, string>> = {
  LISTING_SUPPRESSED: '商品已下架：按问题改正并提交，亚马逊复核后恢复销售',
  SEARCH_SUPPRESSED: '商品搜不到：按问题改正并提交，通常一天内恢复搜索',
  ATTRIBUTE_SUPPRESSED: '所列属性没有展示：改正后提交即恢复',
  CATALOG_ITEM_REMOVED: '商品已从目录移除：先向亚马逊申诉，不能重新刊登同一商品',
};

/** What a seller can do about an issue, in one sentence. */
export function adviceOf({ categories, actions }: Pick<ListingIssue, 'categories' | 'actions'>): string {
  const known = ADVICE.find(([category]) => categories.includes(category))?.[1];
  if (actions.includes('CATALOG_ITEM_REMOVED')) return BY_ACTION.CATALOG_ITEM_REMOVED;
  return known ?? (actions[0] ? BY_ACTION[actions[0]] : '按亚马逊的说明改正；不影响销售的提示可以忽略');
}
