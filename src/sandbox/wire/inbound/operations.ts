/** Following what was asked for. */
import type { Call, Operation } from '../operation.ts';
import { badRequest } from './bodies.ts';
import { contentOperations } from './content-updates.ts';
import { labelOperations } from './labels.ts';
import { packingOperations } from './packing.ts';
import { placementOperations } from './placement.ts';
import { planOperations } from './plans.ts';
import { prepOperations } from './prep.ts';
import { shipmentOperations } from './shipments.ts';
import { transportOperations } from './transport.ts';
import type { KnownOperation } from './types.ts';
import { v0Operations } from './v0.ts';
import { windowOperations } from './windows.ts';

function operationShape({ operationId, operation, done }: KnownOperation): object {
  const problems = done?.problems ?? [];
  const isFailed = problems.some(({ severity }) => severity === 'ERROR');
  return {
    operationId,
    operation,
    operationStatus: done ? (isFailed ? 'FAILED' : 'SUCCESS') : 'IN_PROGRESS',
    operationProblems: problems,
  };
}

function getInboundOperationStatus(call: Call) {
  const operation = call.world.inbound.operation(call.account, call.params.operationId ?? '');
  if (!operation) throw badRequest('The operationId is malformed.');
  return { body: operationShape(operation) };
}

/** Fulfillment Inbound API 2024-03-20, and what still lives of v0. */
export const inboundOperations: Operation[] = [
  ...planOperations,
  ...packingOperations,
  ...placementOperations,
  ...shipmentOperations,
  ...transportOperations,
  ...windowOperations,
  ...contentOperations,
  ...prepOperations,
  ...labelOperations,
  {
    name: 'getInboundOperationStatus',
    method: 'GET',
    path: '/inbound/fba/2024-03-20/operations/:operationId',
    plan: { rate: 2, burst: 6 },
    handle: getInboundOperationStatus,
  },
  ...v0Operations,
];
