import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import {
  exportOperlog,
  listOperlog,
  operlogDetail,
  operlogOptions,
  operlogSeal,
  verifyOperlog,
} from '../../contract/operlog.ts';
import { inAnyLog, inLog } from './closed.ts';
import { exportFile, filterOptions, operlogById, operlogPage } from './list.ts';
import { sealState } from './seal.ts';
import { VERIFY } from './verify-task.ts';

export const operlogRoutes: AnyRoute[] = [
  serve(listOperlog, (ctx, { body }) => inLog(ctx, body.filter.company, (there) => operlogPage(there, body))),
  serveOpen(exportOperlog, (open, { body }) => exportFile(open, body)),
  serve(operlogOptions, (ctx) => filterOptions(ctx)),
  serve(operlogSeal, (ctx) => sealState(ctx)),
  serve(verifyOperlog, (ctx) => startTask(ctx, VERIFY, '校验操作日志', {}, { queue: `${VERIFY}:${ctx.companyId}` })),
  serve(operlogDetail, (ctx, { params }) => inAnyLog(ctx, (there) => operlogById(there, params.id))),
];
