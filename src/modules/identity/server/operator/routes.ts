import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as editor from '../../contract/menu-editor.ts';
import * as contract from '../../contract/operator.ts';
import * as outbox from '../../contract/outbox.ts';
import { clientPage, deleteClient, insertClient, rotate, updateClient } from './clients.ts';
import { customerCounts, customerPage, kindsOf, resume, saveTerms, suspend } from './customers.ts';
import {
  deleteMenu,
  flat,
  insertMenu,
  menuTable,
  parents,
  permissionPage,
  permissionRows,
  updateMenu,
} from './menus.ts';
import { channels, openMessage, outboxPage } from './outbox.ts';

const done = 'success' as const;

/** Calls of the operator of the product: their permissions are ones that no company holds. */
export const operatorRoutes: AnyRoute[] = [
  serve(editor.listMenus, async (ctx) => flat(await menuTable(ctx))),
  serve(editor.menuTable, (ctx) => menuTable(ctx)),
  serve(editor.menuTreeSelect, (ctx) => parents(ctx)),
  serve(editor.addMenu, (ctx, { body }) => insertMenu(ctx, body)),
  serve(editor.saveMenu, async (ctx, { params, body }) => {
    await updateMenu(ctx, params.key, body);
    return done;
  }),
  serve(editor.removeMenu, async (ctx, { params }) => {
    await deleteMenu(ctx, params.key);
    return done;
  }),
  serve(editor.listPermissions, async (ctx) => permissionRows(ctx.runtime.modules)),
  serve(editor.pagePermissions, async (ctx, { body }) => permissionPage(ctx, body)),
  serve(contract.listCustomers, (ctx, { body }) => customerPage(ctx, body)),
  serve(contract.countCustomers, (ctx, { body }) => customerCounts(ctx, body.filter)),
  serve(contract.planKinds, async (ctx) => kindsOf(ctx)),
  serve(contract.saveCustomer, async (ctx, { params, body }) => {
    await saveTerms(ctx, params.id, body);
    return done;
  }),
  serve(contract.suspendCustomer, async (ctx, { params, body }) => {
    await suspend(ctx, params.id, body.reason);
    return done;
  }),
  serve(contract.resumeCustomer, async (ctx, { params }) => {
    await resume(ctx, params.id);
    return done;
  }),
  serve(outbox.listOutbox, (ctx, { body }) => outboxPage(ctx, body)),
  serve(outbox.outboxChannels, async (ctx) => channels(ctx)),
  serve(outbox.openOutbox, (ctx, { params }) => openMessage(ctx, params.id)),
  serve(contract.listClients, (ctx, { body }) => clientPage(ctx, body)),
  // Secrets are given once and not kept for a repeated attempt, hence without the tenant's receipt.
  serveOpen(contract.addClient, (open, { body }) => insertClient(open, body)),
  serveOpen(contract.rotateClient, (open, { params }) => rotate(open, params.id)),
  serve(contract.saveClient, async (ctx, { params, body }) => {
    await updateClient(ctx, params.id, body);
    return done;
  }),
  serve(contract.removeClient, async (ctx, { params }) => {
    await deleteClient(ctx, params.id);
    return done;
  }),
];
