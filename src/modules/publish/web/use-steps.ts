import { useState } from 'react';
import { ApiError, call, messageOf, uuid } from '#kit/web/api/index.ts';
import { stampText } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  type Clash,
  cancelDraft,
  type DraftDetail,
  rebaseDraft,
  restoreVersion,
  submitDraft,
  validateDraft,
} from '../contract/draft.ts';
import { scheduleDraft } from '../contract/many.ts';
import { FORM_PATH } from './paths.ts';
import { refreshDrafts } from './refresh.ts';
import type { useDraft } from './use-draft.ts';

export type StepName = 'save' | 'judge' | 'submit' | 'schedule' | 'cancel' | 'merge' | 'restore';

/** What two people changed at once, where a step was refused for that. */
function clashesIn(error: unknown): Clash[] | undefined {
  const data = error instanceof ApiError && error.code === 409 ? error.data : undefined;
  return (data as { clashes?: Clash[] } | null | undefined)?.clashes;
}

/**
 * The steps of a draft. One at a time: while one is taken, or what it changed is read again, the others wait. Each saves first
 * what was typed.
 */
export function useSteps({ id, sellerSku }: DraftDetail, draft: ReturnType<typeof useDraft>) {
  const tab = useTab();
  const [busy, setBusy] = useState<StepName>();
  const [clashes, setClashes] = useState<Clash[]>();
  const [planning, setPlanning] = useState(false);
  const take = async (name: StepName, step: (version: number) => Promise<string>): Promise<void> => {
    if (busy !== undefined) return;
    setBusy(name);
    try {
      const version = await draft.save();
      notice.success(await step(version));
      await refreshDrafts();
    } catch (error) {
      const found = clashesIn(error);
      if (found) setClashes(found);
      else if (error instanceof ApiError) notice.error(messageOf(error));
      await refreshDrafts();
    } finally {
      setBusy(undefined);
    }
  };
  const send = { quiet: true, idempotencyKey: uuid() };
  return {
    busy,
    clashes,
    forget: () => setClashes(undefined),
    planning,
    setPlanning,
    /** How a button of a step stands: its own turns while it works. */
    button: (name: StepName, possible = true) => ({
      loading: busy === name,
      disabled: !possible || (busy !== undefined && busy !== name),
    }),
    save: () => take('save', async () => '草稿已保存'),
    judge: () =>
      take('judge', async (version) => {
        const { errors, version: judged } = await call(validateDraft, { body: { id, version } }, send);
        draft.owns(judged);
        return errors === 0 ? '预校验通过' : `预校验未通过：${errors} 个错误，请按提示修改`;
      }),
    submit: () =>
      take('submit', async (version) => {
        await call(submitDraft, { body: { id, version } }, send);
        return '已提交，亚马逊显示后生效';
      }),
    schedule: (at: string | null) =>
      take('schedule', async (version) => {
        const saved = await call(scheduleDraft, { body: { id, version, at } }, send);
        draft.owns(saved.version);
        setPlanning(false);
        return at === null ? '已取消定时提交' : `将于 ${stampText(at)} 提交`;
      }),
    cancel: () =>
      take('cancel', async (version) => {
        await call(cancelDraft, { body: { id, version } }, send);
        return '已取消';
      }),
    merge: (sides: Record<string, 'theirs' | 'mine'>) =>
      take('merge', async (version) => {
        await call(rebaseDraft, { body: { id, version, take: sides } }, send);
        setClashes(undefined);
        return '已合并，请核对后再提交';
      }),
    restore: (number: number) =>
      take('restore', async () => {
        const saved = await call(restoreVersion, { body: { id, number } }, send);
        tab.open(FORM_PATH, { title: `${sellerSku} 还原`, query: { id: saved.id } });
        return `已按版本 ${number} 建立草稿`;
      }),
  };
}

export type Steps = ReturnType<typeof useSteps>;
