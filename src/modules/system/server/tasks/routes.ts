import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { countJobs, jobLog, listJobs, sysProgress } from '../../contract/jobs.ts';
import {
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  saveSchedule,
  scheduleRuns,
} from '../../contract/schedules.ts';
import { jobCounts, jobLines, jobPage, progressOf } from './jobs.ts';
import { taskRoutes } from './mine.ts';
import { runOnce, runsOf, saveSchedule as save, schedulePage, setEnabled } from './schedules.ts';

export const workRoutes: AnyRoute[] = [
  ...taskRoutes,
  serve(listJobs, (ctx, { body }) => jobPage(ctx, body)),
  serve(countJobs, (ctx, { body }) => jobCounts(ctx, body.filter)),
  serve(jobLog, (ctx, { params }) => jobLines(ctx, params.id)),
  serve(sysProgress, (ctx, { query }) => progressOf(ctx, query.key)),
  serve(listSchedules, (ctx, { body }) => schedulePage(ctx, body)),
  serve(saveSchedule, (ctx, { body }) => save(ctx, body)),
  serve(runSchedule, async (ctx, { body }) => {
    await runOnce(ctx, body.id);
    return 'success' as const;
  }),
  serve(pauseSchedule, async (ctx, { body }) => {
    await setEnabled(ctx, body.id, false);
    return 'success' as const;
  }),
  serve(resumeSchedule, async (ctx, { body }) => {
    await setEnabled(ctx, body.id, true);
    return 'success' as const;
  }),
  serve(scheduleRuns, (ctx, { query }) => runsOf(ctx, query.id)),
];
