import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { exportPerformance, listPerformance, performanceMonths, performancePeople } from '../contract/report.ts';
import { listRules, saveRule } from '../contract/rule.ts';
import { saveTargets, yearTargets } from '../contract/targets.ts';
import { monthsOfPerson, performanceFile, performancePage } from './list.ts';
import { peopleOf } from './people.ts';
import { addRule, rulesOf } from './rules.ts';
import { save, yearOf } from './targets.ts';

/** What each person earned, his targets, and the rules of commission. */
export const routes: AnyRoute[] = [
  serve(listPerformance, (ctx, { body }) => performancePage(ctx, body)),
  serveOpen(exportPerformance, (open, { body }) => performanceFile(open, body)),
  serve(performanceMonths, (ctx, { body }) => monthsOfPerson(ctx, body)),
  serve(performancePeople, (ctx) => peopleOf(ctx)),
  serve(yearTargets, (ctx, { body }) => yearOf(ctx, body)),
  serve(saveTargets, (ctx, { body }) => save(ctx, body)),
  serve(listRules, (ctx) => rulesOf(ctx)),
  serve(saveRule, (ctx, { body }) => addRule(ctx, body)),
];
