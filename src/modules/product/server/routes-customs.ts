import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as customs from '../contract/customs-value.ts';
import { approveListings, lockListings, unlockListings } from './customs-value/change.ts';
import { declaredFile, declaredPage } from './customs-value/list.ts';
import { deleteRate, rateRows, saveRate } from './customs-value/rates.ts';

export const customsRoutes: AnyRoute[] = [
  serve(customs.listDeclared, (ctx, { body }) => declaredPage(ctx, body)),
  serveOpen(customs.exportDeclared, (open, { body }) => declaredFile(open, body)),
  serve(customs.listDeclaredRates, (ctx) => rateRows(ctx)),
  serve(customs.saveDeclaredRate, (ctx, { body }) => saveRate(ctx, body)),
  serve(customs.deleteDeclaredRate, async (ctx, { body }) => {
    await deleteRate(ctx, body.id);
    return 'success' as const;
  }),
  serve(customs.lockDeclared, (ctx, { body }) => lockListings(ctx, body)),
  serve(customs.unlockDeclared, (ctx, { body }) => unlockListings(ctx, body.listings)),
  serve(customs.approveLow, (ctx, { body }) => approveListings(ctx, body)),
];
