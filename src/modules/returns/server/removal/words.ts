import type { ReportLine } from '#modules/marketplace/server/index.ts';

/** Says that Amazon has an order of this number, which is ours alone: a former sending arrived after all. */
export const DUPLICATE = '移除单号已存在';

const FIELDS: Readonly<Record<string, string>> = {
  MerchantRemovalOrderID: '移除单号',
  AddressName: '退回地址的名称',
  AddressFieldOne: '退回地址的详细地址',
  AddressCity: '退回地址的城市',
  AddressCountryCode: '退回地址的国家',
  AddressStateOrRegion: '退回地址的州/省',
  AddressPostalCode: '退回地址的邮政编码',
  ContactPhoneNumber: '退回地址的电话',
  SellableQuantity: '可售件数',
  UnsellableQuantity: '不可售件数',
};
const fieldOf = (name = ''): string => FIELDS[name] ?? name;

const WORDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/liquidate is ineligible/i, () => '该站点不支持清算'],
  [/RemovalDisposition .* is not valid/i, () => '移除类型无效'],
  [/duplicate/i, () => DUPLICATE],
  [/not found in your inventory/i, () => '该站点没有这个 MSKU 的 FBA 库存'],
  [
    /^(\w+) (\d+) exceeds the available quantity (\d+)/,
    ([, field, wish, there]) => `${fieldOf(field)} ${wish} 超过可移除的 ${there} 件`,
  ],
  [/^(\w+) is required/, ([, field]) => `缺少${fieldOf(field)}`],
  [/^(\w+) must be a whole number/, ([, field]) => `${fieldOf(field)}应为整数`],
  [
    /^AddressCountryCode (\w+) is not supported/,
    ([, country]) => `不能退回到国家 ${country}，请选择站点所在国家的地址`,
  ],
];
/** Stands over the reasons and says nothing itself. */
const HEADING = /No removal order was created/i;

/** A line of the processing report of a removal order in Chinese, with its SKU; what is not known as Amazon wrote it. */
export function refusalWords({ sku, message }: ReportLine): string | undefined {
  if (HEADING.test(message)) return undefined;
  const about = sku === '' || sku === '-' ? '' : `MSKU【${sku}】`;
  for (const [pattern, words] of WORDS) {
    const found = pattern.exec(message);
    if (found) return `${about}${words(found)}`;
  }
  return `${about}${message}`;
}
