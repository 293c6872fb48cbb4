import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as match from '../contract/match.ts';
import * as rules from '../contract/match-rules.ts';
import * as suggest from '../contract/match-suggest.ts';
import { inherit } from './match/inherit.ts';
import { startAutoMatch, startSuggest } from './match/jobs.ts';
import { matchCounts, matchFile, matchPage } from './match/list.ts';
import { deleteRuleRow, ruleRows, runRules, saveRuleRow } from './match/rules.ts';
import { historyOfListing, removeMatches, saveMatchRows } from './match/save.ts';
import { accept, reject, reopen } from './match/suggest/decide.ts';
import { suggestionCounts, suggestionPage } from './match/suggest/list.ts';

export const matchRoutes: AnyRoute[] = [
  serve(match.listMatches, (ctx, { body }) => matchPage(ctx, body)),
  serve(match.countMatches, (ctx, { body }) => matchCounts(ctx, body.filter)),
  serveOpen(match.exportMatches, (open, { body }) => matchFile(open, body)),
  serve(match.saveMatches, (ctx, { body }) => saveMatchRows(ctx, body)),
  serve(match.deleteMatches, (ctx, { body }) => removeMatches(ctx, body.matchIds)),
  serve(match.matchHistory, (ctx, { body }) => historyOfListing(ctx, body)),
  serve(rules.autoMatch, (ctx, { body }) => startAutoMatch(ctx, body.sites)),
  serve(rules.previewMatch, (ctx, { body }) => runRules(ctx, { ...body, dryRun: true })),
  serve(rules.listRules, (ctx) => ruleRows(ctx)),
  serve(rules.saveRule, (ctx, { body }) => saveRuleRow(ctx, body)),
  serve(rules.deleteRule, async (ctx, { body }) => {
    await deleteRuleRow(ctx, body.id);
    return 'success' as const;
  }),
  serve(suggest.listSuggestions, (ctx, { body }) => suggestionPage(ctx, body)),
  serve(suggest.countSuggestions, (ctx, { body }) => suggestionCounts(ctx, body.filter)),
  serve(suggest.findSuggestions, (ctx) => startSuggest(ctx)),
  serve(suggest.acceptSuggestions, (ctx, { body }) => accept(ctx, body)),
  serve(suggest.rejectSuggestions, (ctx, { body }) => reject(ctx, body.ids)),
  serve(suggest.reopenSuggestions, (ctx, { body }) => reopen(ctx, body.ids)),
  serve(suggest.previewInherit, (ctx, { body }) => inherit(ctx, body, true)),
  serve(suggest.inheritMatches, (ctx, { body }) => inherit(ctx, body, false)),
];
