import { audit } from '#kit/server/audit.ts';
import { task } from '#kit/server/jobs/define.ts';
import { inTenant, systemPrincipal, taskPrincipal } from '#kit/server/runtime.ts';
import type { ScheduleHandler } from '../tasks/handlers.ts';
import { sealState, verify } from './seal.ts';

export const VERIFY = 'system.verifyAudit';

const count = (n: number): string => n.toLocaleString('en-US');

/** The whole chain on demand, with progress; the log says who asked and what came of it. */
export const verifyTask = task<object>(VERIFY, async (runtime, handle) => {
  const { dataScope: _whole, ...principal } = taskPrincipal(handle);
  await verify(runtime, principal, (checked, all) =>
    handle.progress(all === 0 ? 0 : (100 * checked) / all, `${count(checked)} / ${count(all)} 条`),
  );
  return inTenant(runtime, principal, async (ctx) => {
    const { checked, problem } = await sealState(ctx);
    await audit(ctx, { action: '校验操作日志', resource: 'kit.audit', after: { checked, problem } });
    return { detail: problem ?? `日志完整，已校验 ${count(checked)} 条` };
  });
});

/** Every night each company's log is put under seal and the whole chain is checked. */
export const sealHandler: ScheduleHandler = {
  key: 'system.sealAudit',
  title: '操作日志封存与校验',
  group: '安全',
  description: '把当天的操作日志加入防篡改链，并校验全部已封存的日志；发现改动时提醒管理员',
  scope: 'company',
  defaultCron: '30 2 * * *',
  async run(runtime, { companyId }) {
    const principal = systemPrincipal(companyId);
    await verify(runtime, principal);
    const state = await inTenant(runtime, principal, sealState, { readOnly: true });
    return state.state === 'whole' ? `完整，共${state.sealed}条` : (state.problem ?? '未校验');
  },
};
