import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as tasks from '../../contract/report-tasks.ts';
import * as sync from '../../contract/sync.ts';
import { replayOne, replayType } from '../quarantine/replay.ts';
import { cancel, documentFile, retry } from './actions.ts';
import { reportTaskCountsOf, reportTaskDetail, reportTaskPage } from './list.ts';
import { requestable, requestReport } from './request.ts';

const success = 'success' as const;

/** Reports: asking for them, following them, reading them once more. */
export const reportRoutes: AnyRoute[] = [
  serve(sync.reportTypes, async (ctx) => requestable(ctx)),
  serve(sync.requestReport, (ctx, { query }) => requestReport(ctx, query)),
  serve(tasks.reportTasks, (ctx, { body }) => reportTaskPage(ctx, body)),
  serve(tasks.reportTaskCounts, (ctx, { body }) => reportTaskCountsOf(ctx, body.filter)),
  serve(tasks.reportTask, (ctx, { params }) => reportTaskDetail(ctx, params.id)),
  serve(tasks.retryReport, async (ctx, { params }) => {
    await retry(ctx, params.id);
    return success;
  }),
  serve(tasks.cancelReport, async (ctx, { params }) => {
    await cancel(ctx, params.id);
    return success;
  }),
  serve(tasks.reportDocument, (ctx, { params }) => documentFile(ctx, params.id)),
  serve(tasks.reparseReport, (ctx, { params }) => replayOne(ctx, params.id)),
  serve(tasks.replayReports, (ctx, { body }) => replayType(ctx, body.reportType, body.from)),
];
