import type { z } from 'zod';
import { Choice, States } from '#kit/contract/field.ts';

/** Root of the calls for requests to forwarders and what they answer. */
export const base = '/erp/api/v1/shipQuote';
export const QUOTE_VIEW = 'erp:quote:view';
export const QUOTE_ADD = 'erp:quote:add';
export const QUOTE_AUDIT = 'erp:quote:audit';
export const QUOTE_IMPORT = 'erp:quote:import';
export const QUOTE_EXPORT = 'erp:quote:export';

/** So many ship orders go into one request, and so many forwarders are asked at once. */
export const MAX_ORDERS = 50;
export const MAX_ASKED = 30;

/** What a forwarder counts by. */
export const QuoteUnit = Choice({ KG: '重量(kg)', CBM: '体积(m³)', BOX: '箱' }, '计费单位');
export type QuoteUnit = z.infer<typeof QuoteUnit>;

/** Boxes as they are packed, or reckoned from what products come in. */
export const GoodsBasis = Choice({ PACKED: '已装箱', ESTIMATED: '预估' }, '货物依据');

export const BookingState = States(
  {
    waiting: { title: '待订舱', tone: 'waiting' },
    booked: { title: '已订舱', tone: 'done' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '订舱状态',
);
export type BookingState = z.infer<typeof BookingState>;

export const Handover = Choice({ PICKUP: '上门提货', HAND_IN: '自送入仓' }, '交货方式');
export type Handover = z.infer<typeof Handover>;
