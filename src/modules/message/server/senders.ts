import { type Handler, on } from '#kit/server/events.ts';
import { taskFinished } from '#kit/server/jobs/tasks.ts';
import { loginFailures, ownersOf } from '#modules/identity/server/index.ts';
import { remind } from './remind.ts';

const KEEP_RESULT_DAYS = 7;

/** What people are told of that lower modules say happened. */
export const senders: Handler[] = [
  on(taskFinished, async (ctx, task) => {
    if (task.userId === null) return;
    const done = task.state === 'done';
    const file = task.fileId ? { documentType: 'file', documentId: task.fileId } : {};
    await remind(ctx, {
      to: [task.userId],
      title: `${task.title}：${done ? '已完成' : '失败'}`,
      content: [task.detail ?? '', task.fileId ? `结果文件保留 ${KEEP_RESULT_DAYS} 天。` : ''].join('\n'),
      event: taskFinished.name,
      ...file,
    });
  }),
  on(loginFailures, async (ctx, { memberId, account, failures, ip }) => {
    await remind(ctx, {
      to: await ownersOf(ctx),
      title: '账号连续登录失败',
      content: `账号 ${account} 已连续 ${failures} 次登录失败，最近一次来自 ${ip}。\n如果不是本人操作，请尽快修改密码并检查登录设备。`,
      event: loginFailures.name,
      dedupeKey: `${loginFailures.name}:${memberId}:${new Date().toISOString().slice(0, 13)}`,
    });
  }),
];
