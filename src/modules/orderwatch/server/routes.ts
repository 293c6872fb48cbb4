import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import {
  countFindings,
  exportFindings,
  findingsOfOrder,
  handleFindings,
  listFindings,
  readWatchRules,
  saveWatchRule,
} from '../contract/findings.ts';
import { handle } from './act.ts';
import { findingCounts, findingFile, findingPage, findingsOfOne } from './list.ts';
import { readRules, saveRule } from './rules.ts';

export const routes: AnyRoute[] = [
  serve(listFindings, (ctx, { body }) => findingPage(ctx, body)),
  serve(countFindings, (ctx, { body }) => findingCounts(ctx, body.filter)),
  serveOpen(exportFindings, (open, { body }) => download(open, (ctx) => findingFile(ctx, body))),
  serve(findingsOfOrder, (ctx, { params }) => findingsOfOne(ctx, params.id)),
  serve(handleFindings, (ctx, { body }) => handle(ctx, body)),
  serve(readWatchRules, (ctx) => readRules(ctx)),
  serve(saveWatchRule, (ctx, { body }) => saveRule(ctx, body)),
];
