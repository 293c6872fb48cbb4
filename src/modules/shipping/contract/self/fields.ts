import type { z } from 'zod';
import { Choice, States } from '#kit/contract/field.ts';

/** Root of the calls for what is sent to customers by ourselves. */
export const base = '/amazon/api/v1/orders/fbm';
export const SELF_VIEW = 'amz:fbm:view';
export const SELF_ADD = 'amz:fbm:add';
export const SELF_AUDIT = 'amz:fbm:audit';
export const SELF_PICK = 'amz:fbm:pick';
export const SELF_SHIP = 'amz:fbm:ship';
export const SELF_VOID = 'amz:fbm:void';
export const SELF_EXPORT = 'amz:fbm:export';
export const SELF_IMPORT = 'amz:fbm:import';
export const SELF_LABEL = 'amz:fbm:label';

/** Lines that one document may have. */
export const MAX_SELF_LINES = 200;
/** Documents or orders that are worked at in one go. */
export const MAX_SELF_BATCH = 200;

/** PLATFORM: for orders of a store. OFFLINE: for a customer who came by no platform, typed by hand. */
export const Origin = Choice({ PLATFORM: '平台订单', OFFLINE: '线下订单' }, '来源');
export type Origin = z.infer<typeof Origin>;

/** How much of the time to ship is left; none where the order has no deadline or nothing is to be sent any more. */
export const Urgency = States(
  {
    late: { title: '已逾期', tone: 'trouble' },
    hours: { title: '4小时内', tone: 'trouble' },
    day: { title: '24小时内', tone: 'waiting' },
    later: { title: '充足', tone: 'done' },
    none: { title: '—', tone: 'off' },
  },
  '发货时效',
);
export type Urgency = z.infer<typeof Urgency>;
