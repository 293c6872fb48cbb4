import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { fileOf } from '#kit/server/files.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import type { InboundStep, InboundView, LabelPaper } from '../../contract/inbound.ts';
import { rowOf } from '../order/detail.ts';
import { isFixed } from './decide.ts';
import { loadView } from './load.ts';
import { stageOf, stages } from './stages/index.ts';
import { packingOf } from './stages/packing.ts';
import { unknownPreps } from './stages/prep.ts';
import { STAGES, type StageKey, type View } from './types.ts';
import { problemWords } from './words.ts';

const NOW: Readonly<Record<View['inbound']['state'], InboundStep['state']>> = {
  working: 'working',
  waiting: 'waiting',
  trouble: 'trouble',
  ended: 'done',
  cancelled: 'skipped',
};

const OPERATION_STATES: Readonly<Record<string, string>> = {
  pending: '发送中',
  asked: 'IN_PROGRESS',
  unknown: '核实中',
  done: 'SUCCESS',
  failed: 'FAILED',
};

function stepOf(view: View, key: StageKey): InboundStep {
  const { inbound, operations } = view;
  const mine = operations.filter((one) => one.stage === key && one.state !== 'dropped');
  const last = mine.at(-1);
  const place = STAGES.indexOf(key as (typeof STAGES)[number]);
  const now = STAGES.indexOf(inbound.stage as (typeof STAGES)[number]);
  const before = inbound.state === 'ended' || place < now ? 'done' : 'todo';
  const stage = stageOf(key);
  const isNow = key === inbound.stage;
  return {
    key,
    title: stage.title,
    state: isNow ? NOW[inbound.state] : stage.skip?.(view) ? 'skipped' : before,
    words: isNow ? inbound.words : '',
    operation: stage.request ? (last?.request.operation ?? null) : null,
    operationId: last?.operationId ?? null,
    operationState: last ? (OPERATION_STATES[last.state] ?? null) : null,
    askedAt: last?.askedAt ?? null,
    endedAt: last?.endedAt ?? null,
    tries: operations.filter((one) => one.stage === key).length,
    problems: mine.flatMap(({ problems }) => problems.map(problemWords)),
  };
}

function stepsOf(view: View): InboundStep[] {
  const isLeaving = view.inbound.wish !== null || view.inbound.stage === 'cancelPlan';
  return [...stages.map(({ key }) => key), ...(isLeaving ? (['cancelPlan'] as const) : [])].map((key) =>
    stepOf(view, key),
  );
}

function againOf(view: View): InboundView['may']['again'] {
  const { inbound } = view;
  if (!['waiting', 'trouble'].includes(inbound.state) || inbound.wish !== null) return [];
  const placed = isFixed(view, 'takePlacement');
  return [
    ...(inbound.packing && !placed ? (['offerPacking'] as const) : []),
    ...(inbound.placement && !placed ? (['offerPlacement'] as const) : []),
    ...(inbound.transport && placed && !isFixed(view, 'takeTransport') ? (['offerTransport'] as const) : []),
  ];
}

/** What the screen of the steps shows; null for an order that does not go through the inbound API. @throws notFound */
export async function viewOf(ctx: Ctx, id: string): Promise<InboundView | null> {
  const order = await rowOf(ctx, id);
  const view = await loadView(ctx, id);
  if (!view) return null;
  const { inbound, shipments, boxes } = view;
  const hasLeft = ['shipped', 'receiving', 'done'].includes(order.state);
  // Offers expire by Amazon's clock, which is asked only where one can still be chosen.
  const isOpen = (inbound.placement?.length ?? 0) > 0 && !isFixed(view, 'takePlacement');
  const now = isOpen ? (await marketplaceNow(ctx.runtime)).getTime() : 0;
  return {
    order,
    state: inbound.state,
    stage: inbound.stage,
    words: inbound.words,
    attempt: inbound.attempt,
    planId: inbound.planId,
    steps: stepsOf(view),
    unprepared: inbound.prep === null ? [] : unknownPreps(view),
    packing: packingOf(inbound)?.groups ?? [],
    maxWeight: packingOf(inbound)?.maxWeight ?? null,
    placement: (inbound.placement ?? []).map((offer) => ({
      ...offer,
      shipments: offer.shipments.map(({ shipmentId, center, items }) => ({ shipmentId, center, items })),
      chosen: offer.optionId === inbound.chosenPlacement,
      expired: offer.expiresAt !== null && Date.parse(offer.expiresAt) <= now,
    })),
    placementFixed: isFixed(view, 'takePlacement'),
    transport: (inbound.transport ?? []).map(({ carrierCode: _, ...offer }) => offer),
    transportFixed: isFixed(view, 'takeTransport'),
    windows: Object.entries(inbound.windows ?? {}).flatMap(([shipmentId, list]) =>
      list.map(({ optionId, availability, from, to }) => ({ shipmentId, optionId, availability, from, to })),
    ),
    readyOn: inbound.readyOn,
    shipments: shipments.map(({ labelFileId, thermalFileId, transport, change, ...shipment }) => ({
      ...shipment,
      transport: transport && {
        mode: transport.mode,
        solution: transport.solution,
        carrier: transport.carrier,
        cost: transport.cost,
      },
      hasLabels: labelFileId !== null,
      hasThermal: thermalFileId !== null,
      changing: change !== null,
      boxes: boxes
        .filter((box) => box.shipmentId === shipment.shipmentId)
        .map(({ no, amazonBoxId, trackingNo, items }) => ({ no, amazonBoxId, trackingNo, items })),
    })),
    may: {
      retry: inbound.state === 'trouble',
      redo: !hasLeft && ['waiting', 'trouble'].includes(inbound.state) && inbound.wish === null,
      again: againOf(view),
    },
  };
}

/** Amazon's PDF of the box labels of a shipment. @throws notFound where there are none yet, or none for that paper */
export async function labelsOf(ctx: Ctx, id: string, shipmentId: string, paper: LabelPaper): Promise<FileReply> {
  await rowOf(ctx, id);
  const view = await loadView(ctx, id);
  const shipment = view?.shipments.find((one) => one.shipmentId === shipmentId);
  if (!shipment?.labelFileId) throw notFound('箱标签尚未生成');
  const fileId = paper === 'THERMAL' ? shipment.thermalFileId : shipment.labelFileId;
  if (fileId === null) throw notFound('亚马逊没有提供该货件的标签机标签，请打印整页标签');
  const file = await fileOf(ctx, fileId);
  return new FileReply(file.name, file.media_type, ctx.runtime.files.open(ctx.companyId, file.sha256), true);
}
