import { documentCommented } from '#kit/server/document-notes.ts';
import { type Handler, on } from '#kit/server/events.ts';
import { taskFinished } from '#kit/server/jobs/tasks.ts';
import { companyMerged, loginFailures, membersWith, newDevice, ownersOf } from '#modules/identity/server/index.ts';
import { auditBroken } from '#modules/system/server/index.ts';
import { tellOperators } from './operators.ts';
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
  on(newDevice, async (ctx, { memberId, account, at, ip, device }) => {
    await remind(ctx, {
      to: [memberId],
      title: '新设备登录',
      content: `账号 ${account} 于 ${at} 在新设备上登录。\n设备：${device}\n地址：${ip}\n如果不是本人操作，请立即修改密码，并在个人中心的登录设备中将其下线。`,
      event: newDevice.name,
    });
  }),
  on(documentCommented, async (ctx, { documentType, documentId, title, number, text, view, taken }) => {
    // Whoever took part and has lost the right to look at such documents since is not told what is said there.
    const readers = new Set(taken.length > 0 ? await membersWith(ctx, view) : []);
    await remind(ctx, {
      to: taken.filter((id) => readers.has(id)),
      title: `${ctx.userName}评论了${title} ${number}`,
      content: text,
      event: documentCommented.name,
      documentType,
      documentId,
    });
  }),
  on(companyMerged, async (ctx, { fromName, people }) => {
    await remind(ctx, {
      to: await ownersOf(ctx),
      title: `“${fromName}”已迁入本公司`,
      content: `“${fromName}”的全部数据和 ${people} 个账号已迁入本公司，详见操作日志。\n原主账号现为子账号且没有新增权限，请在子账号中为其分配角色。`,
      event: companyMerged.name,
    });
  }),
  on(loginFailures, async (ctx, { memberId, account, failures, ip }) => {
    await remind(ctx, {
      to: await ownersOf(ctx),
      title: '账号连续登录失败',
      content: `账号 ${account} 已连续 ${failures} 次登录失败，最近一次来自 ${ip}。\n如果不是本人操作，请尽快修改密码并检查登录设备。`,
      event: loginFailures.name,
      dedupeKey: `${loginFailures.name}:${memberId}:${ctx.runtime.clock.now().toISOString().slice(0, 13)}`,
    });
  }),
  on(auditBroken, async (ctx, { auditId, problem }) => {
    const company = await ctx.db
      .selectFrom('identity.company')
      .select('name')
      .where('company_id', '=', ctx.companyId)
      .executeTakeFirst();
    const where = auditId ? `日志编号 ${auditId}。` : '';
    const event = auditBroken.name;
    // The same break is said once a day, however often the log is checked.
    const key = `${event}:${ctx.companyId}:${auditId ?? problem}:${ctx.runtime.clock.now().toISOString().slice(0, 10)}`;
    await remind(ctx, {
      to: await ownersOf(ctx),
      title: '操作日志校验未通过',
      content: `${problem}。${where}\n有人绕过系统改动了操作日志，请保留现场并联系平台管理员核查。`,
      event,
      documentType: 'operlog',
      dedupeKey: key,
    });
    await tellOperators(ctx, {
      title: `操作日志校验未通过：${company?.name ?? ''}`,
      content: `公司 ${company?.name ?? ''}（${ctx.companyId}）：${problem}。${where}\n请核查数据库的访问记录与备份。`,
      event,
      dedupeKey: key,
    });
  }),
];
