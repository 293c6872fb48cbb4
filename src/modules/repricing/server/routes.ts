import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as bindings from '../contract/bindings.ts';
import * as rules from '../contract/rules.ts';
import * as runs from '../contract/runs.ts';
import { bind, pauseByHand, resumeByHand, unbind } from './bind.ts';
import { bindingPage, runOf, runPage } from './lists.ts';
import { revertRuns } from './revert.ts';
import { moveRule, ruleCounts, ruleDetail, rulePage, save } from './rules.ts';
import { simulate } from './simulate.ts';

export const routes: AnyRoute[] = [
  serve(rules.listRules, (ctx, { body }) => rulePage(ctx, body)),
  serve(rules.countRules, (ctx, { body }) => ruleCounts(ctx, body.filter)),
  serve(rules.ruleDetail, (ctx, { params }) => ruleDetail(ctx, params.id)),
  serve(rules.saveRule, (ctx, { body }) => save(ctx, body)),
  serve(rules.shadowRule, (ctx, { body }) => moveRule(ctx, body, 'shadow')),
  serve(rules.activateRule, (ctx, { body }) => moveRule(ctx, body, 'activate')),
  serve(rules.pauseRule, (ctx, { body }) => moveRule(ctx, body, 'pause')),
  serve(rules.archiveRule, (ctx, { body }) => moveRule(ctx, body, 'archive')),
  serve(bindings.listBindings, (ctx, { body }) => bindingPage(ctx, body)),
  serve(bindings.bindListings, (ctx, { body }) => bind(ctx, body)),
  serve(bindings.unbindListings, (ctx, { body }) => unbind(ctx, body.ids)),
  serve(bindings.pauseBindings, (ctx, { body }) => pauseByHand(ctx, body.ids)),
  serve(bindings.resumeBindings, (ctx, { body }) => resumeByHand(ctx, body.ids)),
  serve(runs.listRuns, (ctx, { body }) => runPage(ctx, body)),
  serve(runs.runDetail, (ctx, { params }) => runOf(ctx, params.id)),
  serve(runs.revertRuns, (ctx, { body }) => revertRuns(ctx, body.ids)),
  serve(runs.simulateRule, (ctx, { body }) => simulate(ctx, body)),
];
