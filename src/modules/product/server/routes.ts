import { type AnyRoute, FileReply, serve, serveOpen } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import {
  checkCostImport,
  commitCostImport,
  costHistory,
  costTemplate,
  countCosts,
  exportCosts,
  listCostImports,
  listCosts,
  removeCost,
  reverseCostImport,
  saveCost,
} from '../contract.ts';
import { costCounts, costPage, exportCostFile, history, remove, save } from './costs.ts';
import { batches, check, commit, undo } from './import.ts';
import { COLUMNS } from './import-rows.ts';
import { catalogueRoutes } from './routes-catalogue.ts';
import { customsRoutes } from './routes-customs.ts';
import { importRoutes } from './routes-imports.ts';
import { inquiryRoutes } from './routes-inquiry.ts';
import { matchRoutes } from './routes-match.ts';

/** An empty sheet with the headings of the import. */
function template(): FileReply {
  const columns = Object.values(COLUMNS).map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const none = (async function* (): AsyncGenerator<object> {})();
  const stream = exportStream(none, { format: 'xlsx', sheet: '采购成本', columns });
  return new FileReply('采购成本导入模板.xlsx', MEDIA_TYPES.xlsx, stream);
}

export const routes: AnyRoute[] = [
  ...catalogueRoutes,
  ...matchRoutes,
  ...customsRoutes,
  ...importRoutes,
  ...inquiryRoutes,
  serve(listCosts, (ctx, { body }) => costPage(ctx, body)),
  serve(countCosts, (ctx, { body }) => costCounts(ctx, body.filter)),
  serve(exportCosts, (ctx, { body }) => exportCostFile(ctx, body)),
  serve(saveCost, (ctx, { body }) => save(ctx, body)),
  serve(costHistory, (ctx, { body }) => history(ctx, body.sku)),
  serve(removeCost, async (ctx, { body }) => {
    await remove(ctx, body.sku, body.validFrom);
    return 'success' as const;
  }),
  serveOpen(checkCostImport, (open, { body }) => check(open, body.corrections)),
  serve(commitCostImport, (ctx, { params }) => commit(ctx, params.id)),
  serve(reverseCostImport, (ctx, { params, body }) => undo(ctx, params.id, body.reason)),
  serve(costTemplate, async () => template()),
  serve(listCostImports, (ctx) => batches(ctx)),
];
