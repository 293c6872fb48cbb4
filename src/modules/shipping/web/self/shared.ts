import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, call, download, queryClient, useCall } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { BatchOutcome } from '../../contract/self/calls.ts';
import {
  countSelf,
  listSelf,
  type SelfBatch,
  selfBatches,
  selfChoices,
  selfDetail,
} from '../../contract/self/calls.ts';
import { buyLabels, listLabels, lookLabel, printSelfZpl } from '../../contract/self/label.ts';
import type { SelfRow } from '../../contract/self/rows.ts';
import { countWaiting, listWaiting, openLines } from '../../contract/self/waiting.ts';
import { printSelfLabels, printSelfPacking, printSelfPicks, selfPickRows } from '../../contract/self/work.ts';

export const EDIT = '/shipping/editinfo';
export const OFFLINE_EDIT = '/offline/editinfo';
export const OFFLINE_DETAIL = '/offline/details';

type Choices = Reply<typeof selfChoices>;

/** Stores, warehouses and channels for forms and filters; undefined until they are known. */
export function useSelfChoices(): Choices | undefined {
  return useCall(selfChoices, {}, { staleTime: 60_000 }).data;
}

export const channelOptions = (choices: Choices | undefined) =>
  choices?.channels.map(({ id, name, carrier }) => ({ value: id, label: `${carrier} ${name}` })) ?? [];

const TOUCHED = [listLabels, listSelf, countSelf, selfDetail, listWaiting, countWaiting, openLines, selfPickRows];

/** Everything that shows documents or what waits for one asks again. */
export async function refreshSelf(): Promise<void> {
  await Promise.all(TOUCHED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}

const MOST_NAMED = 5;

/** Says what became of many documents; of those that were left the first few are named. */
export function sayBatch({ message, left }: BatchOutcome): void {
  const named = left.slice(0, MOST_NAMED).map(({ number, reason }) => `${number}：${reason}`);
  const words = [message, ...named].join('；');
  if (left.length > 0) notice.warning(words);
  else notice.success(words);
}

/** Takes a step of many documents. Refusals are shown. */
export async function runBatch(name: SelfBatch, ids: readonly string[], reason?: string): Promise<void> {
  const body = { ids: [...ids], ...(reason ? { reason } : {}) };
  sayBatch(await call(selfBatches[name], { body }, reason ? { quiet: true } : {}));
  await refreshSelf();
}

/** A download has said itself why it failed. */
const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

const BUYABLE: readonly SelfRow['state'][] = ['printing', 'ready', 'trouble'];
const ASKABLE: readonly SelfRow['labelState'][] = ['none', 'failed', 'voided'];

/** Whether a label may be asked for. */
export const mayBuy = ({ state, labelState }: Pick<SelfRow, 'state' | 'labelState'>): boolean =>
  BUYABLE.includes(state) && ASKABLE.includes(labelState);

/** 核实: what it comes to, and a refusal, are shown. */
export function lookAt(id: string): void {
  const look = async () => {
    notice.success((await call(lookLabel, { body: { id } }, {})).message);
    await refreshSelf();
  };
  quietly(look());
}

/** 申请运单 of many by the cheapest in time. Refusals are shown. */
export async function buyAll(ids: readonly string[]): Promise<void> {
  sayBatch(await call(buyLabels, { body: { ids: [...ids] } }, {}));
  await refreshSelf();
}

export const printZpl = (ids: readonly string[]) => quietly(download(printSelfZpl, { body: { ids: [...ids] } }));
export const printPicks = (ids: readonly string[]) => quietly(download(printSelfPicks, { body: { ids: [...ids] } }));
export const printLabels = (ids: readonly string[]) => quietly(download(printSelfLabels, { body: { ids: [...ids] } }));
export const printPacking = (id: string) => quietly(download(printSelfPacking, { params: { id } }));
