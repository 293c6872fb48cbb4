import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as create from '../contract/create.ts';
import * as sheet from '../contract/import.ts';
import * as orders from '../contract/orders.ts';
import { importMcf, mcfTemplate } from './import/import.ts';
import { recipientOf, refreshMcf } from './land/refresh.ts';
import { mcfDetailOf } from './list/detail.ts';
import { counts, exportAll, mcfPage } from './list/rows.ts';
import { goodsOf, previewMcf } from './offers.ts';
import { cancelMcf, releaseMcf } from './write/change.ts';
import { createMcf } from './write/save.ts';
import { submitMcf } from './write/submit.ts';

const success = 'success' as const;

export const routes: AnyRoute[] = [
  serve(orders.listMcf, (ctx, { body }) => mcfPage(ctx, body)),
  serve(orders.countMcf, (ctx, { body }) => counts(ctx, body.filter)),
  serveOpen(orders.exportMcf, (open, { body }) => exportAll(open, body)),
  serve(orders.mcfDetail, (ctx, { params }) => mcfDetailOf(ctx, params.id)),
  serve(create.createMcf, async (ctx, { body }) => ({ id: await createMcf(ctx, body) })),
  serveOpen(create.previewMcf, (open, { body }) => previewMcf(open, body)),
  serve(create.mcfGoods, (ctx, { body }) => goodsOf(ctx, body)),
  serve(create.submitMcf, async (ctx, { body }) => ({ submitted: await submitMcf(ctx, body.ids) })),
  serve(create.releaseMcf, async (ctx, { body }) => {
    await releaseMcf(ctx, body.id);
    return success;
  }),
  serve(create.cancelMcf, async (ctx, { body }) => {
    await cancelMcf(ctx, body.id);
    return success;
  }),
  serveOpen(create.refreshMcf, async (open, { body }) => {
    await refreshMcf(open, body.id);
    return success;
  }),
  serveOpen(create.mcfRecipient, (open, { body }) => recipientOf(open, body.id)),
  serveOpen(sheet.importMcf, (open, { body }) => importMcf(open, body.commit === 'true')),
  serve(sheet.mcfTemplate, async () => mcfTemplate()),
];
