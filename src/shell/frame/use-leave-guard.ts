import { App } from 'antd';
import { type RefObject, useCallback, useEffect } from 'react';
import { isLeaving } from '#kit/web/session.ts';
import type { Tab, Tabs } from '../tabs.ts';

export const UNSAVED = '有未保存的内容，确定离开吗？';

/** Asks before unsaved work of tabs is given up; asks nothing where there is none. */
export type Guard = (lost: readonly Tab[], work: () => void) => void;

/** The question before tabs with unsaved work go, and the browser's own before the whole page does. */
export function useLeaveGuard(latest: RefObject<Tabs>, anyDirty: boolean): Guard {
  const { modal } = App.useApp();

  useEffect(() => {
    if (!anyDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      // Whoever ends the session has been asked, or can no longer save anything.
      if (!isLeaving() && latest.current.list.some((tab) => tab.dirty)) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [anyDirty, latest]);

  return useCallback(
    (lost, work) => {
      if (lost.length === 0) return work();
      modal.confirm({
        title: UNSAVED,
        content: `未保存：${lost.map((tab) => tab.title).join('、')}`,
        okText: '放弃并离开',
        cancelText: '继续编辑',
        okButtonProps: { danger: true },
        onOk: work,
      });
    },
    [modal],
  );
}
