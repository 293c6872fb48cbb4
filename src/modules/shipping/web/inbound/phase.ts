import { currencyScale, round } from '#kit/contract/decimal.ts';
import type { Step } from '#kit/web/document/index.ts';
import type { InboundView } from '../../contract/inbound.ts';

/** What the middle of the screen is about. */
export type Panel = 'prep' | 'wait' | 'packing' | 'placement' | 'transport' | 'shipments';

const PANELS: Readonly<Record<string, Panel>> = {
  readPrep: 'wait',
  tellPrep: 'prep',
  createPlan: 'wait',
  offerPacking: 'wait',
  takePacking: 'packing',
  tellBoxes: 'packing',
  offerPlacement: 'packing',
  takePlacement: 'placement',
  offerTransport: 'placement',
  offerWindow: 'placement',
  takeWindow: 'transport',
  takeTransport: 'transport',
  labels: 'shipments',
  previewChange: 'shipments',
  takeChange: 'shipments',
  tellTracking: 'shipments',
};

/** The panel that belongs to where the way stands. */
export const panelOf = ({ stage }: InboundView): Panel => PANELS[stage] ?? 'wait';

const PHASES = [
  { key: 'plan', title: '入库计划', until: 'createPlan' },
  { key: 'pick', title: '配货', until: 'offerPacking' },
  { key: 'pack', title: '装箱', until: 'tellBoxes' },
  { key: 'placement', title: '配送方案', note: '确认后不可更改', until: 'takePlacement' },
  { key: 'transport', title: '承运与窗口', note: '确认后计费', until: 'takeTransport' },
  { key: 'ship', title: '标签与发货', until: 'tellTracking' },
] as const;

/** The steps at the head: phases of the way, what cannot be undone says so. */
export function phasesOf({ state, stage, steps, order }: InboundView): Step[] {
  const keys = steps.map(({ key }) => key);
  const now = keys.indexOf(stage);
  const ends = PHASES.map(({ until }) => keys.indexOf(until));
  const current = state === 'ended' ? PHASES.length : ends.findIndex((end) => now <= end);
  const phases: Step[] = PHASES.map((phase, index) => ({
    key: phase.key,
    title: phase.title,
    state: index < current ? 'done' : index === current ? 'now' : 'todo',
    ...('note' in phase ? { note: phase.note } : {}),
  }));
  const isIn = order.state === 'done';
  return [...phases, { key: 'receive', title: '接收', state: isIn ? 'done' : state === 'ended' ? 'now' : 'todo' }];
}

/** 「12.50 USD」. */
export const feeText = (fee: { amount: string; code: string } | null): string =>
  fee ? `${round(fee.amount, currencyScale(fee.code))} ${fee.code}` : '无费用';

export const piecesOf = (items: readonly { qty: number }[]): number => items.reduce((sum, { qty }) => sum + qty, 0);
