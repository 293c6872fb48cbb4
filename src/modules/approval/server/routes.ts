import type { Ctx } from '#kit/server/context.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as config from '../contract/config.ts';
import * as delegation from '../contract/delegation.ts';
import * as desk from '../contract/desk.ts';
import * as flows from '../contract/flows.ts';
import { delegate, delegationsOf, revoke } from './delegations.ts';
import { agreeTo, approveMany } from './desk/agree.ts';
import {
  commentBy,
  copyBy,
  onTask,
  readCopy,
  reassignBy,
  signBy,
  takeBackBy,
  terminateBy,
  transferTo,
  urgeBy,
  withdrawBy,
} from './desk/commands.ts';
import { approvalOf, choose, previewOf } from './desk/document.ts';
import { deskCounts, deskRows } from './desk/list.ts';
import { viewOf } from './desk/view.ts';
import { kindViews, organisation } from './flows/around.ts';
import { deleteFlow, diff, disable, duplicateFlow, flowView, listFlowRows, publish, putFlow } from './flows/flows.ts';
import { documentsOf, simulate } from './flows/simulate.ts';
import { putSetting, settings } from './setting.ts';

const nothing = async (work: Promise<unknown>): Promise<null> => {
  await work;
  return null;
};

const deskRoutes: AnyRoute[] = [
  serve(desk.deskList, (ctx, { body }) => deskRows(ctx, body)),
  serve(desk.deskCount, (ctx) => deskCounts(ctx)),
  serve(desk.readInstance, (ctx, { params }) => viewOf(ctx, params.id)),
  serve(desk.documentApproval, (ctx, { query }) => approvalOf(ctx, query)),
  serve(desk.preview, (ctx, { query }) => previewOf(ctx, query)),
  serve(desk.choosePeople, (ctx, { body }) => nothing(choose(ctx, body))),
  serve(desk.readCopy, (ctx, { body }) => nothing(readCopy(ctx, body.instanceId))),
];

const actRoutes: AnyRoute[] = [
  serve(desk.approveTask, (ctx, { body }) => agreeTo(ctx, body)),
  serve(desk.rejectTask, (ctx, { body }) => onTask(ctx, body, 'reject', (_, own) => ({ act: 'reject', ...own }))),
  serve(desk.returnTask, (ctx, { body }) =>
    onTask(ctx, body, 'return', (_, own) => ({
      act: 'return',
      ...own,
      to: body.toNode,
      direct: body.mode === 'direct',
    })),
  ),
  serve(desk.transferTask, (ctx, { body }) => transferTo(ctx, body)),
  serve(desk.addSign, (ctx, { body }) => signBy(ctx, body)),
  serve(desk.removeSign, (ctx, { body }) => onTask(ctx, body, 'unsign', (_, own) => ({ act: 'unsign', ...own }))),
  serve(desk.withdraw, (ctx, { body }) => withdrawBy(ctx, body)),
  serve(desk.takeBack, (ctx, { body }) => takeBackBy(ctx, body)),
  serve(desk.urge, (ctx, { body }) => urgeBy(ctx, body)),
  serve(desk.copyTo, (ctx, { body }) => copyBy(ctx, body)),
  serve(desk.comment, (ctx, { body }) => commentBy(ctx, body)),
  serve(desk.terminate, (ctx, { body }) => terminateBy(ctx, body)),
  serve(desk.reassign, (ctx, { body }) => reassignBy(ctx, body)),
  serveOpen(desk.batchApprove, (open, { body }) => approveMany(open, body)),
];

const flowRoutes: AnyRoute[] = [
  serve(flows.listFlows, (ctx, { body }) => listFlowRows(ctx, body)),
  serve(flows.trialDocuments, (ctx, { body }) => documentsOf(ctx, body)),
  serve(flows.simulateFlow, (ctx, { body }) => simulate(ctx, body)),
  serve(flows.readFlow, (ctx, { params }) => flowView(ctx, params.id)),
  serve(flows.saveFlow, (ctx, { body }) => putFlow(ctx, body)),
  serve(flows.copyFlow, (ctx, { params }) => duplicateFlow(ctx, params.id)),
  serve(flows.removeFlow, (ctx, { params }) => deleteFlow(ctx, params.id)),
  serve(flows.publishFlow, (ctx, { params, body }) => publish(ctx, params.id, body.version, body.note)),
  serve(flows.disableFlow, (ctx, { params }) => disable(ctx, params.id)),
  serve(flows.compareVersions, (ctx, { params, query }) => diff(ctx, params.id, query.a, query.b)),
];

/** Every call of the module. */
export const routes: AnyRoute[] = [
  ...deskRoutes,
  ...actRoutes,
  ...flowRoutes,
  serve(config.readSettings, (ctx) => settings(ctx)),
  serve(config.saveSetting, (ctx, { body }) => putSetting(ctx, body)),
  serve(config.readKinds, (ctx) => kindViews(ctx)),
  serve(config.readOrganisation, (ctx: Ctx) => organisation(ctx)),
  serve(delegation.listDelegations, (ctx) => delegationsOf(ctx)),
  serve(delegation.addDelegation, (ctx, { body }) => delegate(ctx, body)),
  serve(delegation.revokeDelegation, (ctx, { params }) => revoke(ctx, params.id)),
];
