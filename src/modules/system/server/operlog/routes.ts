import { audit } from '#kit/server/audit.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  exportOperlog,
  listOperlog,
  operlogDetail,
  operlogOptions,
  operlogSeal,
  verifyOperlog,
} from '../../contract/operlog.ts';
import type { ScheduleHandler } from '../tasks/handlers.ts';
import { exportFile, filterOptions, operlogById, operlogPage } from './list.ts';
import { sealState, verify } from './seal.ts';

export const operlogRoutes: AnyRoute[] = [
  serve(listOperlog, (ctx, { body }) => operlogPage(ctx, body)),
  serveOpen(exportOperlog, (open, { body }) => exportFile(open, body)),
  serve(operlogOptions, (ctx) => filterOptions(ctx)),
  serve(operlogSeal, (ctx) => sealState(ctx)),
  serve(verifyOperlog, async (ctx) => {
    await verify(ctx);
    const state = await sealState(ctx);
    const { checked, problem } = state;
    await audit(ctx, { action: '校验操作日志', resource: 'kit.audit', after: { checked, problem } });
    return state;
  }),
  serve(operlogDetail, (ctx, { params }) => operlogById(ctx, params.id)),
];

/** Every night each company's log is put under seal and the whole chain is checked. */
export const sealHandler: ScheduleHandler = {
  key: 'system.sealAudit',
  title: '操作日志封存与校验',
  group: '安全',
  description: '把当天的操作日志加入防篡改链，并校验全部已封存的日志',
  scope: 'company',
  defaultCron: '30 2 * * *',
  async run(runtime, { companyId }) {
    const state = await inTenant(
      runtime,
      systemPrincipal(companyId),
      async (ctx) => {
        await verify(ctx);
        return sealState(ctx);
      },
      { timeoutMs: 0 },
    );
    return state.state === 'whole' ? `完整，共${state.sealed}条` : (state.problem ?? '未校验');
  },
};
