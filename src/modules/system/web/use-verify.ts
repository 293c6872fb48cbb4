import { useEffect, useState } from 'react';
import { cacheKey, call, queryClient, useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { sysProgress } from '../contract/jobs.ts';
import { listOperlog, operlogSeal, verifyOperlog } from '../contract/operlog.ts';

const POLL_MS = 500;

/** Says what a finished check found, and has the screen show it. */
async function tell(): Promise<void> {
  const seal = await call(operlogSeal, {}, { quiet: true });
  if (seal.state === 'whole') notice.success(`日志完整，已校验${seal.checked}条`);
  else notice.error(seal.problem ?? '日志已被改动');
  for (const endpoint of [operlogSeal, listOperlog]) {
    void queryClient.invalidateQueries({ queryKey: cacheKey(endpoint) });
  }
}

/** The check of the log as a task: starts it and follows it to its end. */
export function useVerify() {
  const [task, setTask] = useState<string>();
  const verify = useSend(verifyOperlog, {
    onSuccess: (id) => {
      setTask(id);
      refreshTasks();
    },
  });
  const progress = useCall(
    sysProgress,
    { query: { key: task ?? '' } },
    { enabled: task !== undefined, every: task === undefined ? false : POLL_MS },
  ).data;
  const mine = progress?.key === task ? progress : undefined;
  const state = mine?.state;
  const error = mine?.error;
  useEffect(() => {
    if (state === undefined || state === 'queued' || state === 'running') return;
    setTask(undefined);
    if (state === 'failed') notice.error(error ?? '校验失败');
    else if (state === 'done') void tell().catch(() => {});
  }, [state, error]);
  return { running: verify.isPending || task !== undefined, progress: mine, start: () => verify.mutate({}) };
}
