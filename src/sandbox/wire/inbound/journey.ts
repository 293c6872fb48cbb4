/** The way of a shipment from the carrier to the shelf, and what is found when it is counted. */
import type { InboundPhase } from '../../business/types.ts';
import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';
import type { Found, Shipment } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Phases after the dispatch with how long each lets wait for it, hours: [at least, at most]. */
const STEPS: readonly [status: string, least: number, most: number][] = [
  ['IN_TRANSIT', 6, 24],
  ['DELIVERED', 36, 120],
  ['CHECKED_IN', 4, 20],
  ['RECEIVING', 3, 18],
];
/** Hours between two rounds of counting, and from the last one to closing. */
const ROUND_HOURS: readonly [number, number] = [10, 30];
const CLOSING_HOURS: readonly [number, number] = [72, 200];

type Facts = Pick<Shipment, 'shipmentId' | 'items' | 'phases' | 'found'>;

/** What is counted of each product: as somebody said, else as chance makes of what was sent. */
function countedOf(world: World, { shipmentId, items, found }: Facts): Found[] {
  const sent = new Map<string, number>();
  for (const { msku, quantity } of items) sent.set(msku, (sent.get(msku) ?? 0) + quantity);
  for (const { msku } of found) if (!sent.has(msku)) sent.set(msku, 0);
  return [...sent].map(([msku, quantity]) => {
    const said = found.find((one) => one.msku === msku);
    if (said) return said;
    const draw = (what: string): number => unitDraw('inbound', world.seed, what, shipmentId, msku);
    const chance = world.inbound.settings.chance;
    const few = (what: string): number => 1 + Math.floor(draw(`${what} pieces`) * 3);
    const missing = chance && draw('missing') < 0.06 ? few('missing') : 0;
    const extra = chance && missing === 0 && draw('extra') < 0.02 ? 1 : 0;
    const received = Math.max(0, quantity - missing + extra);
    const damaged = chance && draw('damaged') < 0.03 ? Math.min(received, few('damaged')) : 0;
    return { msku, received, damaged };
  });
}

/** Everything counted, spread over the rounds; damaged pieces are found in the last one. */
function receiptsOf(counted: readonly Found[], rounds: readonly number[]): Shipment['receipts'] {
  const count = rounds.length;
  return counted.flatMap(({ msku, received, damaged }) => {
    const sellable = received - damaged;
    return rounds.flatMap((at, round) => {
      const pieces = Math.floor((sellable * (round + 1)) / count) - Math.floor((sellable * round) / count);
      const broken = round === count - 1 ? damaged : 0;
      return pieces + broken > 0 ? [{ at, sku: msku, sellable: pieces, damaged: broken }] : [];
    });
  });
}

interface Timetable {
  phases: InboundPhase[];
  rounds: number[];
}

/** When each phase begins that follows on `after`, the last of which began at `from`. */
function timetable(world: World, shipmentId: string, after: string, from: number): Timetable {
  const { pace } = world.inbound.settings;
  const wait = (what: string, [least, most]: readonly [number, number]): number =>
    Math.round((least + (most - least) * unitDraw('inbound way', world.seed, shipmentId, what)) * HOUR_MS * pace);
  let at = from;
  const phases: InboundPhase[] = [];
  for (const [status, least, most] of STEPS.slice(STEPS.findIndex(([status]) => status === after) + 1)) {
    at += wait(status, [least, most]);
    phases.push({ status, at });
  }
  const count = 2 + Math.floor(unitDraw('inbound rounds', world.seed, shipmentId) * 3);
  // The first pieces are counted when receiving begins.
  const rounds = Array.from({ length: count }, (_, round) => {
    if (round > 0) at += wait(`round ${round}`, ROUND_HOURS);
    return at;
  });
  if (after !== 'CLOSED') phases.push({ status: 'CLOSED', at: at + wait('closing', CLOSING_HOURS) });
  return { phases, rounds };
}

const paidAtOf = (world: World, closedAt: number): Pick<Shipment, 'paidAt'> => {
  const { paidAfterDays } = world.inbound.settings;
  return paidAfterDays === null ? {} : { paidAt: closedAt + paidAfterDays * DAY_MS };
};

/** A shipment leaves at `at`: its way and all rounds of its counting are fixed, whatever is said of them later. */
export function dispatchAt(world: World, shipment: Facts, at: number): Partial<Shipment> {
  const printed = shipment.phases.some(({ status }) => status === 'READY_TO_SHIP');
  const before = shipment.phases.filter((phase) => phase.at <= at);
  const { phases, rounds } = timetable(world, shipment.shipmentId, 'SHIPPED', at);
  const closedAt = phases.at(-1)?.at ?? at;
  return {
    phases: [...before, ...(printed ? [] : [{ status: 'READY_TO_SHIP', at }]), { status: 'SHIPPED', at }, ...phases],
    receipts: receiptsOf(countedOf(world, shipment), rounds),
    ...paidAtOf(world, closedAt),
  };
}

/** A shipment on its way reaches a phase at `at` instead of when it would; what follows comes as long after it. */
export function reach(world: World, shipment: Shipment, status: string, at: number): Partial<Shipment> {
  const planned = shipment.phases.find((phase) => phase.status === status);
  if (!planned) return {};
  const shift = at - planned.at;
  const phases = shipment.phases.map((phase) => {
    if (phase.at >= planned.at) return { ...phase, at: phase.at + shift };
    return phase.at > at ? { ...phase, at } : phase;
  });
  const closedAt = phases.find((phase) => phase.status === 'CLOSED')?.at ?? at;
  const moved = shipment.receipts.map((one) => ({ ...one, at: Math.min(one.at + shift, closedAt) }));
  // What was counted before the clock got there stays where it was.
  const receipts = shipment.receipts.map((one, index) => (one.at <= at ? one : (moved[index] ?? one)));
  return { phases, receipts, ...paidAtOf(world, closedAt) };
}

/** What is found is said anew; rounds stay where they are, or make one of their own where there was none to come. */
export function recount(world: World, shipment: Shipment, found: Found[]): Partial<Shipment> {
  const start = shipment.phases.find(({ status }) => status === 'RECEIVING')?.at;
  if (start === undefined) return { found };
  const times = [...new Set(shipment.receipts.map(({ at }) => at))].sort((a, b) => a - b);
  return { found, receipts: receiptsOf(countedOf(world, { ...shipment, found }), times.length > 0 ? times : [start]) };
}
