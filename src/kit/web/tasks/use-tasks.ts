import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryClient } from '../api/index.ts';
import { notice } from '../notice.tsx';
import { type Task, usePorts } from '../ports.ts';

const BUSY_INTERVAL = 2000;
const IDLE_INTERVAL = 60_000;
const KEY = ['my tasks'];

export const isOpen = (task: Task): boolean => task.state === 'queued' || task.state === 'running';

/** Asks for the task list at once: after an action has started a background task. */
export function refreshTasks(): void {
  void queryClient.invalidateQueries({ queryKey: KEY });
}

/** Own background tasks: every 2 s while one of them runs, else once a minute. Says when one ends. */
export function useTasks(): Task[] {
  const { tasks } = usePorts();
  const client = useQueryClient();
  const open = useRef(new Set<string>());
  const { data = [] } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => tasks.mine(signal),
    refetchInterval: (query) => (query.state.data?.some(isOpen) ? BUSY_INTERVAL : IDLE_INTERVAL),
    staleTime: 0,
  });

  useEffect(() => {
    for (const task of data) {
      if (isOpen(task)) open.current.add(task.id);
      else if (open.current.delete(task.id)) {
        if (task.state === 'done') notice.success(`${task.title}：已完成`);
        if (task.state === 'failed') notice.error(`${task.title}：失败${task.error ? `，${task.error}` : ''}`);
        // A finished task may have changed what lists show.
        void client.invalidateQueries({ predicate: (query) => query.queryKey !== KEY, refetchType: 'active' });
      }
    }
  }, [data, client]);
  return data;
}
