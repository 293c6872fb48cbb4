import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as match from '../contract/match.ts';
import { matchCounts, matchFile, matchPage } from './match/list.ts';
import { deleteRuleRow, ruleRows, runRules, saveRuleRow } from './match/rules.ts';
import { historyOfListing, removeMatches, saveMatchRows } from './match/save.ts';

export const matchRoutes: AnyRoute[] = [
  serve(match.listMatches, (ctx, { body }) => matchPage(ctx, body)),
  serve(match.countMatches, (ctx, { body }) => matchCounts(ctx, body.filter)),
  serveOpen(match.exportMatches, (open, { body }) => matchFile(open, body)),
  serve(match.saveMatches, (ctx, { body }) => saveMatchRows(ctx, body)),
  serve(match.deleteMatches, (ctx, { body }) => removeMatches(ctx, body.matchIds)),
  serve(match.matchHistory, (ctx, { body }) => historyOfListing(ctx, body)),
  serve(match.autoMatch, (ctx, { body }) => runRules(ctx, { ...body, dryRun: false })),
  serve(match.previewMatch, (ctx, { body }) => runRules(ctx, { ...body, dryRun: true })),
  serve(match.listRules, (ctx) => ruleRows(ctx)),
  serve(match.saveRule, (ctx, { body }) => saveRuleRow(ctx, body)),
  serve(match.deleteRule, async (ctx, { body }) => {
    await deleteRuleRow(ctx, body.id);
    return 'success' as const;
  }),
];
