import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Money } from '#kit/contract/field.ts';
import { ExportQuery } from '#kit/contract/page.ts';
import { base, VIEW } from './fields.ts';
import { VoucherFilter } from './vouchers.ts';

const Word = (title: string) => z.string().meta({ title });
const Count = (title: string) => z.int().meta({ title, kind: 'integer' });
const Sum = (title: string) => Money.meta({ title, currency: 'CNY' });

/**
 * A line of a voucher as 金蝶 KIS and K/3 read it (凭证引入, 标准格式): the columns that the program asks for, in its order.
 * What we do not keep has the value that means nothing there.
 */
export const KingdeeRow = z.object({
  day: Day.meta({ title: '凭证日期' }),
  year: Count('会计年度'),
  period: Count('会计期间'),
  type: Word('凭证字'),
  number: Count('凭证号'),
  code: Word('科目代码'),
  name: Word('科目名称'),
  currency: Word('币别代码'),
  currencyName: Word('币别名称'),
  original: Sum('原币金额'),
  debit: Sum('借方'),
  credit: Sum('贷方'),
  maker: Word('制单'),
  approver: Word('审核'),
  confirmer: Word('核准'),
  cashier: Word('出纳'),
  agent: Word('经办'),
  method: Word('结算方式'),
  methodNumber: Word('结算号'),
  summary: Word('凭证摘要'),
  quantity: Count('数量'),
  unit: Word('数量单位'),
  price: Count('单价'),
  reference: Word('参考信息'),
  businessDay: Day.meta({ title: '业务日期' }),
  dealing: Word('往来业务编号'),
  attachments: Count('附件数'),
  serial: Count('序号'),
  source: Word('系统模块'),
  business: Word('业务描述'),
  rateType: Word('汇率类型'),
  rate: Sum('汇率'),
  line: Count('分录序号'),
  item: Word('核算项目'),
  posted: Count('过账'),
  made: Word('机制凭证'),
  cashFlow: Word('现金流量'),
});
export type KingdeeRow = z.infer<typeof KingdeeRow>;

/** Longest summary that 用友 takes. */
export const YONYOU_SUMMARY = 60;

/** A line of a voucher as 用友 T3 and U8 read it (凭证导入). */
export const YonyouRow = z.object({
  day: Day.meta({ title: '制单日期' }),
  type: Word('凭证类别'),
  number: Count('凭证号'),
  attachments: Count('附单据数'),
  summary: Word('摘要'),
  code: Word('科目编码'),
  name: Word('科目名称'),
  debit: Sum('借方金额'),
  credit: Sum('贷方金额'),
  currency: Word('币种'),
  rate: Sum('汇率'),
  maker: Word('制单人'),
  approver: Word('审核人'),
});
export type YonyouRow = z.infer<typeof YonyouRow>;

const file = (title: string, name: string) =>
  endpoint({
    title,
    method: 'POST',
    path: `${base}/voucher/export/${name}`,
    permission: VIEW,
    access: 'read',
    file: true,
    body: ExportQuery(VoucherFilter),
    reply: z.unknown(),
  });

/** Entries of the posted vouchers of a filter, for whoever keeps the books in another program. */
export const exportKingdee = file('导出金蝶凭证', 'kingdee');
export const exportYonyou = file('导出用友凭证', 'yonyou');
