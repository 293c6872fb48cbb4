import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../contract/calls.ts';
import { costDocument } from '../contract/document.ts';
import { exportItemFees, listItemFees, removeItemFee, saveItemFee } from '../contract/item.ts';
import { itemFeeTemplate, uploadItemFees } from '../contract/item-import.ts';
import * as rules from '../contract/share-rule.ts';
import { act } from './act.ts';
import { detailOf } from './detail.ts';
import { feeTypes, saveFeeType } from './fee-types.ts';
import { itemFile, itemPage, removeItem, saveItem } from './item.ts';
import { importItems, itemTemplate } from './item-import.ts';
import { linePage } from './line-list.ts';
import { costCounts, costPage } from './list.ts';
import { loaded } from './load.ts';
import { save } from './save.ts';
import { shareOf } from './share.ts';
import { dropRule, saveRule, sharedByRule, shareRules } from './share-rule.ts';

const steps = Object.entries(calls.costSteps).map(([name, call]) =>
  serve(call, (ctx, { body }) => act(ctx, name as calls.CostStep, body)),
);

/** Costs of one's own and how they are shared. */
export const routes: AnyRoute[] = [
  serve(calls.listCosts, (ctx, { body }) => costPage(ctx, body)),
  serve(calls.countCosts, (ctx, { body }) => costCounts(ctx, body.filter)),
  serve(calls.listCostLines, (ctx, { body }) => linePage(ctx, body)),
  serve(calls.costData, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(calls.saveCostShare, (ctx, { body }) => save(ctx, body)),
  serve(calls.shareCost, (ctx, { body }) => shareOf(ctx, body)),
  serve(calls.listFeeTypes, (ctx) => feeTypes(ctx)),
  serve(calls.saveFeeType, (ctx, { body }) => saveFeeType(ctx, body)),
  serve(rules.listShareRules, (ctx) => shareRules(ctx)),
  serve(rules.saveShareRule, (ctx, { body }) => saveRule(ctx, body)),
  serve(rules.dropShareRule, (ctx, { body }) => dropRule(ctx, body)),
  serve(rules.shareByRule, (ctx, { body }) => sharedByRule(ctx, body)),
  serve(listItemFees, (ctx, { body }) => itemPage(ctx, body)),
  serveOpen(exportItemFees, (open, { body }) => itemFile(open, body)),
  serve(saveItemFee, (ctx, { body }) => saveItem(ctx, body)),
  serve(removeItemFee, (ctx, { body }) => removeItem(ctx, body)),
  serveOpen(uploadItemFees, (open, { body }) => importItems(open, body?.write === 'yes')),
  serve(itemFeeTemplate, () => itemTemplate()),
  ...noteRoutes(calls.costNotes, { def: costDocument, find: loaded }),
  ...steps,
];
