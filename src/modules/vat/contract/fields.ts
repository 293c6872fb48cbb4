import { Choice, States } from '#kit/contract/field.ts';

export const VIEW = 'amz:vat:view';
/** Makes settings: entities, numbers, rates, sites. */
export const EDIT = 'amz:vat:edit';
/** Issues documents, sends them to Amazon, credits them. */
export const ISSUE = 'amz:vat:submit';
export const EXPORT = 'amz:vat:export';

export const base = '/amazon/api/v1/vatInvoice';

/** Countries whose registrations and rates are known, as ISO codes: the United Kingdom is GB, Greece GR. */
export const COUNTRIES = {
  DE: '德国',
  GB: '英国',
  FR: '法国',
  IT: '意大利',
  ES: '西班牙',
  NL: '荷兰',
  PL: '波兰',
  SE: '瑞典',
  BE: '比利时',
  CZ: '捷克',
  IE: '爱尔兰',
  AT: '奥地利',
} as const;
export type Country = keyof typeof COUNTRIES;
export const Country = Choice(COUNTRIES, '国家');

export const InvoiceType = Choice({ INVOICE: '发票', CREDIT_NOTE: '红字' }, '类型');

export const InvoiceState = States(
  {
    pending: { title: '待开票', tone: 'waiting' },
    generated: { title: '已生成', tone: 'running' },
    uploaded: { title: '已上传', tone: 'running' },
    accepted: { title: '已接受', tone: 'done' },
    rejected: { title: '被拒绝', tone: 'trouble' },
  },
  '状态',
);

export const Treatment = Choice(
  { DOMESTIC: '当地税率', OSS: 'OSS目的国税率', ORIGIN: '发货国税率', REVERSE: '反向征收', EXPORT: '出口零税率' },
  '计税方式',
);
