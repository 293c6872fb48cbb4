import type { Direction, SubjectKind } from '../contract/fields.ts';

export interface Seed {
  code: string;
  name: string;
  kind: SubjectKind;
  direction: Direction;
}

/** Codes and names of the 小企业会计准则, and the second level that a seller on Amazon needs, by parent. */
const TOP: Readonly<Record<SubjectKind, string>> = {
  ASSET:
    '1001库存现金 1002银行存款 1012其他货币资金 1101短期投资 1121应收票据 1122应收账款 1123预付账款 1131应收股利 1132应收利息 ' +
    '1221其他应收款 1401材料采购 1402在途物资 1403原材料 1404材料成本差异 1405库存商品 1407商品进销差价 1408委托加工物资 ' +
    '1411周转材料 1421消耗性生物资产 1501长期债券投资 1511长期股权投资 1601固定资产 1602-累计折旧 1604在建工程 1605工程物资 ' +
    '1606固定资产清理 1621生产性生物资产 1622-生产性生物资产累计折旧 1701无形资产 1702-累计摊销 1801长期待摊费用 1901待处理财产损溢',
  LIABILITY:
    '2001短期借款 2201应付票据 2202应付账款 2203预收账款 2211应付职工薪酬 2221应交税费 2231应付利息 2232应付利润 ' +
    '2241其他应付款 2401递延收益 2501长期借款 2701长期应付款',
  EQUITY: '3001实收资本 3002资本公积 3101盈余公积 3103本年利润 3104利润分配',
  COST: '4001生产成本 4101制造费用 4301研发支出 4401工程施工 4403机械作业',
  PROFIT:
    '5001主营业务收入 5051其他业务收入 5111投资收益 5301营业外收入 5401-主营业务成本 5402-其他业务成本 5403-税金及附加 ' +
    '5601-销售费用 5602-管理费用 5603-财务费用 5711-营业外支出 5801-所得税费用',
};

/** Names below a subject, numbered 01, 02 … in this order. */
const BELOW: Readonly<Record<string, string>> = {
  '1012': '第三方收款 平台账户',
  '1122': '亚马逊 其他平台',
  '1405': '本地仓 FBA 在途',
  '2221': '应交增值税 未交增值税 应交所得税 应交城建税 应交教育费附加 应交个人所得税 海外代扣税',
  '3104': '未分配利润 提取盈余公积 应付利润',
  '5001': '亚马逊 其他平台',
  '5601': '平台佣金 FBA配送费 仓储费 广告费 其它平台费 头程运费 包装费 职工薪酬 其他',
  '5602': '职工薪酬 办公费 租赁费 折旧费 差旅费 其他',
  '5603': '汇兑损益 手续费 利息',
};

/** The side on which subjects of a kind grow; one marked with − grows on the other. */
const SIDE: Readonly<Record<SubjectKind, Direction>> = {
  ASSET: 'DEBIT',
  LIABILITY: 'CREDIT',
  EQUITY: 'CREDIT',
  COST: 'DEBIT',
  PROFIT: 'CREDIT',
};
const other = (side: Direction): Direction => (side === 'DEBIT' ? 'CREDIT' : 'DEBIT');

function topOf(kind: SubjectKind): Seed[] {
  return TOP[kind].split(' ').map((text) => {
    const [, code = '', contrary, name = ''] = /^(\d{4})(-?)(.+)$/.exec(text) ?? [];
    return { code, name, kind, direction: contrary ? other(SIDE[kind]) : SIDE[kind] };
  });
}

/** The chart of accounts of the 小企业会计准则, parents before their children. */
export const CHART: readonly Seed[] = (['ASSET', 'LIABILITY', 'EQUITY', 'COST', 'PROFIT'] as const)
  .flatMap(topOf)
  .flatMap((top) => [
    top,
    ...(BELOW[top.code]?.split(' ') ?? []).map((name, at) => ({
      ...top,
      name,
      code: `${top.code}${String(at + 1).padStart(2, '0')}`,
    })),
  ]);
