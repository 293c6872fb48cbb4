import type { AnyRoute } from '#kit/server/http/serve.ts';
import { serve, serveOpen } from '#kit/server/http/serve.ts';
import { comparedRoutes } from '#kit/server/list/compared/index.ts';
import { download } from '#kit/server/list/download.ts';
import { checkBalance, countBalances, exportBalances, listBalances } from '../contract/balances.ts';
import { countOpen, exportOpen, listOpen, openSums } from '../contract/open.ts';
import {
  countSettlements,
  exportLines,
  exportSettlements,
  listSettlements,
  settlementDetail,
  settlementLines,
  summarySettlements,
  verifySettlement,
} from '../contract/settlements.ts';
import { balanceCounts, balanceFile, balancePage, recheck } from './balance/list.ts';
import { detailOf } from './detail.ts';
import { lineFile, linePage } from './lines.ts';
import { settlementCounts, settlementFile, settlementPage } from './list.ts';
import { openCounts, openFile, openPage } from './open.ts';
import { openSumList } from './open-sums.ts';
import { summaryOf } from './summary.ts';
import { verify } from './verify.ts';

export const routes: AnyRoute[] = [
  serve(listSettlements, (ctx, { body }) => settlementPage(ctx, body)),
  serve(countSettlements, (ctx, { body }) => settlementCounts(ctx, body.filter)),
  serve(summarySettlements, (ctx, { body }) => summaryOf(ctx, body.filter)),
  serve(settlementDetail, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(settlementLines, (ctx, { params, body }) => linePage(ctx, params.id, body)),
  serveOpen(exportLines, (open, { params, body }) => download(open, (ctx) => lineFile(ctx, params.id, body))),
  serveOpen(exportSettlements, (open, { body }) => download(open, async (ctx) => settlementFile(ctx, body))),
  ...comparedRoutes(openSums, openSumList),
  serve(listOpen, (ctx, { body }) => openPage(ctx, body)),
  serve(countOpen, (ctx, { body }) => openCounts(ctx, body.filter)),
  serveOpen(exportOpen, (open, { body }) => download(open, async (ctx) => openFile(ctx, body))),
  serve(listBalances, (ctx, { body }) => balancePage(ctx, body)),
  serve(countBalances, (ctx, { body }) => balanceCounts(ctx, body.filter)),
  serve(checkBalance, (ctx, { params }) => recheck(ctx, params.id)),
  serveOpen(exportBalances, (open, { body }) => download(open, async (ctx) => balanceFile(ctx, body))),
  serve(verifySettlement, (ctx, { params }) => verify(ctx, params.id)),
];
