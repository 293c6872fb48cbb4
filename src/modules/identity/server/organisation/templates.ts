interface Template {
  key: string;
  title: string;
  description: string;
  /** Codes by pattern: "*" stands for anything; a later "!" takes away. */
  patterns: readonly string[];
}

const TEMPLATES: readonly Template[] = [
  {
    key: 'purchase',
    title: '采购',
    description: '采购计划、采购单、供应商与产品资料，查看库存与采购成本',
    patterns: [
      'dash:home:view',
      'erp:product:*',
      'erp:supplier:*',
      'erp:purchase:*',
      'erp:plan:*',
      'erp:process:*',
      'erp:material:*',
      'fin:cost:*',
      'amz:listing:view',
      'amz:inventory:view',
    ],
  },
  {
    key: 'warehouse',
    title: '仓库',
    description: '仓库、库存、出入库、盘点、调拨与发货，不含金额',
    patterns: [
      'erp:warehouse:*',
      'erp:shelf:*',
      'erp:stock:*',
      'erp:inbound:*',
      'erp:outbound:*',
      'erp:transfer:*',
      'erp:stocktake:*',
      'erp:exchange:*',
      'erp:selfship:*',
      'erp:shipment:*',
      'amz:inventory:*',
      '!*:field:*',
    ],
  },
  {
    key: 'operation',
    title: '运营',
    description: '订单、商品、库存、广告与报表，不含采购成本与利润',
    patterns: [
      'dash:home:view',
      'amz:*',
      'adv:*',
      'cs:*',
      '!amz:store:*',
      'amz:store:view',
      '!*:field:cost*',
      '!*:field:profit*',
    ],
  },
  {
    key: 'finance',
    title: '财务',
    description: '结算、利润、成本、费用与VAT发票，查看订单',
    patterns: [
      'dash:home:view',
      'fin:*',
      'gl:*',
      'amz:order:view',
      'amz:order:export',
      'amz:order:field:*',
      'amz:sales:*',
      'amz:store:view',
      'amz:vat:*',
    ],
  },
  {
    key: 'service',
    title: '客服',
    description: '买家消息、评价与索评，查看订单',
    patterns: ['cs:*', 'amz:order:view', 'amz:listing:view', '!*:field:*'],
  },
];

function fits(code: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(code);
}

/** Codes of a template among those that exist now. */
function codesFor(patterns: readonly string[], codes: ReadonlySet<string>): string[] {
  return [...codes]
    .filter((code) =>
      patterns.reduce(
        (held, pattern) =>
          pattern.startsWith('!') ? held && !fits(code, pattern.slice(1)) : held || fits(code, pattern),
        false,
      ),
    )
    .sort();
}

/** What new roles may begin from. */
export function templates(codes: ReadonlySet<string>) {
  return TEMPLATES.map(({ patterns, ...rest }) => ({ ...rest, codes: codesFor(patterns, codes) }));
}
