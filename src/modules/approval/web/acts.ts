import { cacheKey, call, queryClient } from '#kit/web/api/index.ts';
import * as desk from '../contract/desk.ts';
import type { InstanceView } from '../contract/instance.ts';

/** What the dialog of an act asks for, and how it reads. */
export interface ActForm {
  title: string;
  /** Must say why. */
  required?: boolean;
  /** Whom; several, or one. */
  people?: 'one' | 'many';
  danger?: boolean;
  send: (view: InstanceView, input: ActInput) => Promise<{ message: string }>;
}

export interface ActInput {
  comment: string;
  people: string[];
  toNode: string | null;
  mode: 'again' | 'direct';
  how: 'before' | 'after' | 'parallel';
  nodeKey: string;
  taskId: string;
  /** Whom the steps right after go to, by step. */
  next: Readonly<Record<string, string[]>>;
}

const task = ({ allowed }: InstanceView) => allowed.taskId ?? '';
const first = (people: readonly string[]) => people[0] ?? '';

/** Every act on an approval that asks something first. */
export const ACTS = {
  approve: {
    title: '同意',
    send: (view, { comment, next }) =>
      call(desk.approveTask, {
        body: {
          taskId: task(view),
          comment,
          next: view.allowed.names.map(({ key }) => ({ nodeKey: key, people: next[key] ?? [] })),
        },
      }),
  },
  reject: {
    title: '拒绝',
    required: true,
    danger: true,
    send: (view, { comment }) => call(desk.rejectTask, { body: { taskId: task(view), comment } }),
  },
  return: {
    title: '退回',
    required: true,
    send: (view, { comment, toNode, mode }) =>
      call(desk.returnTask, { body: { taskId: task(view), comment, toNode, mode } }),
  },
  transfer: {
    title: '转交',
    people: 'one',
    send: (view, { comment, people }) =>
      call(desk.transferTask, { body: { taskId: task(view), comment, to: first(people) } }),
  },
  sign: {
    title: '加签',
    people: 'many',
    send: (view, { comment, people, how }) =>
      call(desk.addSign, { body: { taskId: task(view), comment, people, how } }),
  },
  unsign: {
    title: '减签',
    send: (_, { comment, taskId }) => call(desk.removeSign, { body: { taskId, comment } }),
  },
  withdraw: {
    title: '撤回',
    send: ({ id }, { comment }) => call(desk.withdraw, { body: { instanceId: id, comment } }),
  },
  takeBack: {
    title: '拿回',
    send: ({ id }, { comment }) => call(desk.takeBack, { body: { instanceId: id, comment } }),
  },
  urge: { title: '催办', send: ({ id }, { comment }) => call(desk.urge, { body: { instanceId: id, comment } }) },
  copy: {
    title: '抄送',
    people: 'many',
    send: ({ id }, { comment, people }) => call(desk.copyTo, { body: { instanceId: id, comment, people } }),
  },
  terminate: {
    title: '终止审批',
    required: true,
    danger: true,
    send: ({ id }, { comment }) => call(desk.terminate, { body: { instanceId: id, comment } }),
  },
  reassign: {
    title: '改派',
    people: 'many',
    send: ({ id }, { comment, people, nodeKey }) =>
      call(desk.reassign, { body: { instanceId: id, comment, people, nodeKey } }),
  },
} as const satisfies Record<string, ActForm>;
export type ActName = keyof typeof ACTS;

/** Everything on the page that an act may have changed is read again. */
export async function refreshApprovals(): Promise<void> {
  await Promise.all(
    [desk.deskList, desk.deskCount, desk.readInstance, desk.documentApproval].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(endpoint) }),
    ),
  );
}
