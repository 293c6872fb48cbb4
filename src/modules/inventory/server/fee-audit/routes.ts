import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { comparedRoutes } from '#kit/server/list/compared/index.ts';
import * as contract from '../../contract/fee-audit.ts';
import { chargedSums, feeAuditDetail } from '../../contract/fee-charged.ts';
import { feeImpact } from '../../contract/fee-impact.ts';
import { factFile, factPage } from '../lists/base.ts';
import { chargedSumList } from './charged.ts';
import { feeAuditOf } from './detail.ts';
import { impactOf } from './impact.ts';
import { feeAuditCounts, feeAuditList } from './list.ts';
import { remeasure } from './remeasure.ts';

export const feeAuditRoutes: AnyRoute[] = [
  serve(contract.feeAudit.list, (ctx, { body }) => factPage(ctx, body, feeAuditList(ctx, body.filter))),
  serveOpen(contract.feeAudit.export, (open, { body }) =>
    factFile(open, body, (ctx) => feeAuditList(ctx, body.filter)),
  ),
  ...comparedRoutes(chargedSums, chargedSumList),
  serve(feeImpact, (ctx, { body }) => impactOf(ctx, body)),
  serve(feeAuditDetail, (ctx, { query }) => feeAuditOf(ctx, query)),
  serve(contract.countFeeAudit, (ctx, { body }) => feeAuditCounts(ctx, body.filter)),
  serve(contract.askRemeasure, (ctx, { body }) => remeasure(ctx, body)),
];
