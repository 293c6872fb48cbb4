import { z } from 'zod';
import { Id, Money, States } from '#kit/contract/field.ts';

export const VIEW = 'erp:purchase:alibaba:view';
export const BIND = 'erp:purchase:alibaba:authorize';
export const ORDER = 'erp:purchase:alibaba:place';
/** Confirms on the platform that goods are here, which pays the seller. */
export const CONFIRM = 'erp:purchase:alibaba:receive';
const PRICE = 'erp:purchase:field:price';

export const at = <const S extends string>(part: S) => `/erp/api/v1/alibaba/${part}` as const;
export const ById = z.object({ id: Id });
export const Done = z.literal('success');

/** An amount in CNY that only those see who may see purchase prices. */
export const cny = (title: string) => Money.meta({ title, currency: 'CNY', width: 110, permission: PRICE });

export const TradeStatus = States({
  sending: { title: '下单确认中', tone: 'waiting' },
  failed: { title: '未下单', tone: 'trouble' },
  waitbuyerpay: { title: '待付款', tone: 'waiting' },
  waitsellersend: { title: '待发货', tone: 'running' },
  waitbuyerreceive: { title: '待收货', tone: 'running' },
  success: { title: '已完成', tone: 'done' },
  cancel: { title: '已关闭', tone: 'off' },
});
export type TradeStatus = z.infer<typeof TradeStatus>;
