import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as contract from '../../contract/quarantine.ts';
import { ignoreRows, reopenRows, retryLine } from './actions.ts';
import { deadRows, ignoreDead, reviveDead } from './dead.ts';
import { asideCountsOf, asideDetailOf, asidePage, exportAsideFile, kindsOf } from './list.ts';

/** What could not be taken over, and work that was given up. */
export const quarantineRoutes: AnyRoute[] = [
  serve(contract.listAside, (ctx, { body }) => asidePage(ctx, body)),
  serve(contract.countAside, (ctx, { body }) => asideCountsOf(ctx, body.filter)),
  serveOpen(contract.exportAside, (open, { body }) => exportAsideFile(open, body)),
  serve(contract.asideKinds, (ctx) => kindsOf(ctx)),
  serve(contract.asideDetail, (ctx, { params }) => asideDetailOf(ctx, params.id)),
  serveOpen(contract.retryAside, (open, { params, body }) => retryLine(open, params.id, body.cells)),
  serve(contract.ignoreAside, async (ctx, { body }) => ({ count: await ignoreRows(ctx, body.ids, body.reason) })),
  serve(contract.reopenAside, async (ctx, { body }) => ({ count: await reopenRows(ctx, body.ids, body.note) })),
  serve(contract.listDead, (ctx) => deadRows(ctx)),
  serve(contract.retryDead, async (ctx, { body }) => ({ count: await reviveDead(ctx, body.items) })),
  serve(contract.ignoreDeadWork, async (ctx, { body }) => ({ count: await ignoreDead(ctx, body.items, body.reason) })),
];
