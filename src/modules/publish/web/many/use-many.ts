import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { countDrafts, listDrafts } from '../../contract/draft.ts';
import { editMany, submitMany } from '../../contract/many.ts';

const REFRESHES = [listDrafts, countDrafts];

/** Begins drafts for listings in the background; the panel of tasks says when they are there. */
export function useEditMany(onDone?: () => void) {
  return useSend(editMany, {
    onSuccess: () => {
      refreshTasks();
      notice.success('正在建立草稿，完成后在「商品刊登」修改或导出批量编辑表');
      onDone?.();
    },
  });
}

/** Hands drafts in, in the background. */
export function useSubmitMany() {
  return useSend(submitMany, {
    refreshes: REFRESHES,
    onSuccess: () => {
      refreshTasks();
      notice.success('正在逐份提交，进度见「后台任务」');
    },
  });
}
