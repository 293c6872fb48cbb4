import { useEffect } from 'react';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import {
  countMessages,
  findNitofyNums,
  findNoReadByUserAll,
  getAnnounce,
  getMessage,
  getMsgLimit,
  getRemind,
  listAllMessageByUserId,
  REFRESH_MS,
} from '../contract/messages.ts';
import { hear, type Signal } from './stream.ts';

const LISTS = [getRemind, getAnnounce, getMessage, listAllMessageByUserId, countMessages, getMsgLimit];

/** Asks anew for whatever shows messages; `announcement` also for those that pop up. */
export function refreshMessages(what: Signal = 'unread'): void {
  const old = what === 'announcement' ? [findNitofyNums, ...LISTS, findNoReadByUserAll] : [findNitofyNums, ...LISTS];
  for (const endpoint of old) void queryClient.invalidateQueries({ queryKey: cacheKey(endpoint) });
}

export interface Unread {
  sys: number;
  nti: number;
  total: number;
}

/** Unread messages: pushed, and every ten minutes in any case. */
export function useUnread(): Unread {
  const { data = [] } = useCall(findNitofyNums, {}, { every: REFRESH_MS });
  useEffect(() => hear(refreshMessages), []);
  const of = (ftype: number) => data.find((row) => row.ftype === ftype)?.nums ?? 0;
  const sys = of(1);
  const nti = of(2) + of(3);
  return { sys, nti, total: sys + nti };
}
