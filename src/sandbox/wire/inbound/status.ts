/** Where plans and shipments stand. */
import { phaseAt } from '../../business/inbound.ts';
import type { Plan, Shipment } from './types.ts';

/** The status of a shipment at an instant, as the API of 2024 words it. */
export function statusOf({ phases }: Pick<Shipment, 'phases'>, now: number): string {
  return phaseAt(phases, now)?.status ?? 'UNCONFIRMED';
}

const BEFORE_DISPATCH = ['UNCONFIRMED', 'WORKING', 'READY_TO_SHIP'];

/** Whether nothing of a shipment has left yet, and it was not called off either. */
export function isBeforeDispatch(shipment: Pick<Shipment, 'phases'>, now: number): boolean {
  return BEFORE_DISPATCH.includes(statusOf(shipment, now));
}

/** When something of a shipment last changed. */
export function changedAt(shipment: Shipment, now: number): number {
  const steps = [...shipment.phases, ...shipment.receipts].map(({ at }) => at).filter((at) => at <= now);
  return Math.max(shipment.changedAt, ...steps);
}

/** When something of a plan last changed. */
export function lastMoveOf(plan: Plan, now: number): number {
  return plan.shipments.reduce((last, { phases }) => Math.max(last, phaseAt(phases, now)?.at ?? 0), plan.changedAt);
}

const SPD_VOID_MS = 24 * 3_600_000;
const LTL_VOID_MS = 3_600_000;

/** Until when transport by Amazon's partner may be given back; undefined for any other. */
export function voidableUntil({ transportation, confirmedAt }: Shipment): number | undefined {
  if (!transportation?.partnered || confirmedAt === undefined) return undefined;
  return confirmedAt + (transportation.mode === 'GROUND_SMALL_PARCEL' ? SPD_VOID_MS : LTL_VOID_MS);
}
