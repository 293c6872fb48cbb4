/** The control surface of inbound shipments: what a test or a person may arrange that no call of the seller's could. */
import { z } from 'zod';
import { iso } from '../clock.ts';
import type { World } from '../world.ts';
import { itemSchema } from './bodies.ts';
import { reach, recount } from './journey.ts';
import { cancelled } from './plans.ts';
import { planStatus } from './shapes.ts';
import { isBeforeDispatch, statusOf } from './status.ts';
import type { InboundChange, Owned, Plan, Shipment } from './types.ts';

const pieces = z.int().min(0);
const range = z.tuple([z.number().min(0), z.number().min(0)]);
const hours = z.number().min(0);

const command = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('settings'),
    operationMs: range.optional(),
    offerHours: z
      .strictObject({ packing: hours, placement: hours, transportation: hours, window: hours })
      .partial()
      .optional(),
    pace: z.number().min(0).optional(),
    chance: z.boolean().optional(),
    paidAfterDays: z.number().min(0).nullable().optional(),
  }),
  z.strictObject({
    action: z.literal('found'),
    shipment: z.string(),
    lines: z.array(
      z.strictObject({
        msku: z.string(),
        missing: pieces.optional(),
        extra: pieces.optional(),
        received: pieces.optional(),
        damaged: pieces.optional(),
      }),
    ),
  }),
  z.strictObject({
    action: z.literal('move'),
    shipment: z.string(),
    status: z.enum(['SHIPPED', 'IN_TRANSIT', 'DELIVERED', 'CHECKED_IN', 'RECEIVING', 'CLOSED']),
  }),
  z.strictObject({ action: z.literal('expire'), inboundPlanId: z.string() }),
  z.strictObject({ action: z.literal('cancelPlan'), inboundPlanId: z.string() }),
  z.strictObject({ action: z.literal('cancelShipment'), shipment: z.string() }),
  z.strictObject({
    action: z.literal('changePlan'),
    inboundPlanId: z.string(),
    name: z.string().min(1).max(40).optional(),
    items: z.array(itemSchema).min(1).optional(),
  }),
  z.strictObject({
    action: z.literal('prep'),
    sellingPartnerId: z.string(),
    region: z.enum(['na', 'eu', 'fe']),
    marketplaceId: z.string(),
    msku: z.string(),
    category: z.string(),
    types: z.array(z.string()),
  }),
]);
type InboundControl = z.infer<typeof command>;

function planNamed(world: World, planId: string): Plan {
  const plan = world.inbound.allPlans().find((one) => one.planId === planId);
  if (!plan) throw new Error('No such inbound plan.');
  return plan;
}

/** A shipment by either of its numbers. */
function shipmentNamed(world: World, id: string): { plan: Plan; shipment: Shipment } {
  for (const plan of world.inbound.allPlans()) {
    const shipment = plan.shipments.find((one) => one.shipmentId === id || one.confirmationId === id);
    if (shipment) return { plan, shipment };
  }
  throw new Error('No such shipment.');
}

function change(world: World, plan: Owned, more: Omit<InboundChange, keyof Owned>): void {
  const { sellingPartnerId, region } = plan;
  world.command({ type: 'inboundChanged', at: world.now(), change: { sellingPartnerId, region, ...more } });
}

type Line = Extract<InboundControl, { action: 'found' }>['lines'][number];

function foundOf(shipment: Shipment, { msku, missing = 0, extra = 0, received, damaged = 0 }: Line) {
  const sent = shipment.items.reduce((sum, item) => sum + (item.msku === msku ? item.quantity : 0), 0);
  const counted = received ?? sent - missing + extra;
  if (counted < damaged) throw new Error(`${msku}: fewer pieces are received than are damaged.`);
  return { msku, received: counted, damaged };
}

function changePlan(
  world: World,
  { inboundPlanId, name, items }: Extract<InboundControl, { action: 'changePlan' }>,
): void {
  const plan = planNamed(world, inboundPlanId);
  if (items && plan.shipments.some(({ confirmationId }) => confirmationId)) {
    throw new Error('The placement is confirmed: the items can no longer be changed.');
  }
  // Other items need other offers: what was offered before is gone.
  const anew = { packingOptions: [], placementOptions: [], transportationOptions: [] };
  change(world, plan, {
    planId: inboundPlanId,
    plan: { ...(name === undefined ? {} : { name }), ...(items ? { items, ...anew } : {}) },
  });
}

/** Every offer of a plan that was not taken stands no longer. */
function expire(world: World, plan: Plan): void {
  const now = world.now();
  const over = <T extends { expiresAt: number }>(offers: readonly T[]): T[] =>
    offers.map((one) => ({ ...one, expiresAt: now }));
  change(world, plan, {
    planId: plan.planId,
    plan: {
      packingOptions: over(plan.packingOptions),
      placementOptions: over(plan.placementOptions),
      transportationOptions: over(plan.transportationOptions),
    },
    shipments: plan.shipments.map(({ shipmentId, windows, previews }) => ({
      shipmentId,
      windows: windows.map((one) => ({ ...one, validUntil: now })),
      previews: over(previews),
    })),
  });
}

function carryOut(world: World, said: InboundControl): void {
  if (said.action === 'settings') {
    const { action: _, offerHours, ...more } = said;
    const { settings } = world.inbound;
    Object.assign(settings, more);
    Object.assign(settings.offerHours, offerHours);
  } else if (said.action === 'prep') {
    const { action: _, sellingPartnerId, region, ...set } = said;
    change(world, { sellingPartnerId, region }, { prep: [set] });
  } else if (said.action === 'found') {
    const { plan, shipment } = shipmentNamed(world, said.shipment);
    const lines = said.lines.map((line) => foundOf(shipment, line));
    const others = shipment.found.filter(({ msku }) => !lines.some((line) => line.msku === msku));
    const facts = recount(world, shipment, [...others, ...lines]);
    change(world, plan, { planId: plan.planId, shipments: [{ shipmentId: shipment.shipmentId, ...facts }] });
  } else if (said.action === 'move') {
    const { plan, shipment } = shipmentNamed(world, said.shipment);
    if (!shipment.phases.some(({ status }) => status === said.status))
      throw new Error('The shipment was not dispatched yet.');
    if (shipment.phases.some(({ status, at }) => status === said.status && at <= world.now())) return;
    const facts = reach(world, shipment, said.status, world.now());
    change(world, plan, { planId: plan.planId, shipments: [{ shipmentId: shipment.shipmentId, ...facts }] });
  } else if (said.action === 'cancelShipment') {
    const { plan, shipment } = shipmentNamed(world, said.shipment);
    const [facts] = cancelled({ ...plan, shipments: [shipment] }, world.now());
    change(world, plan, { planId: plan.planId, shipments: facts ? [facts] : [] });
  } else if (said.action === 'cancelPlan') {
    const plan = planNamed(world, said.inboundPlanId);
    const staying = plan.shipments.filter((shipment) => isBeforeDispatch(shipment, world.now()));
    const shipments = cancelled({ ...plan, shipments: staying }, world.now());
    change(world, plan, { planId: plan.planId, plan: { status: 'VOIDED' }, shipments });
  } else if (said.action === 'changePlan') changePlan(world, said);
  else expire(world, planNamed(world, said.inboundPlanId));
}

function shipmentView(world: World, plan: Plan, shipment: Shipment): object {
  const account = world.account(plan.sellingPartnerId, plan.region);
  const { confirmationId } = shipment;
  const now = world.now();
  return {
    shipmentId: shipment.shipmentId,
    confirmationId,
    warehouse: shipment.warehouse,
    status: statusOf(shipment, now),
    phases: shipment.phases.map(({ status, at }) => ({ status, at: iso(at) })),
    shipped: shipment.items.map(({ msku, quantity }) => ({ msku, quantity })),
    received:
      account && confirmationId !== undefined
        ? world.business.inboundReceived(account, plan.marketplaceId, confirmationId, now)
        : [],
    paidAt: shipment.paidAt === undefined ? null : iso(shipment.paidAt),
  };
}

/** All plans with the shipments of their placements, and the settings. */
export function inboundView(world: World): object {
  return {
    settings: { operationMs: world.settings.reportDelayMs, ...world.inbound.settings },
    open: world.inbound.open().map(({ operationId, operation }) => ({ operationId, operation })),
    plans: world.inbound.allPlans().map((plan) => ({
      inboundPlanId: plan.planId,
      sellingPartnerId: plan.sellingPartnerId,
      region: plan.region,
      marketplaceId: plan.marketplaceId,
      name: plan.name,
      status: planStatus(plan, world.now()),
      shipments: plan.shipments
        .filter(({ confirmationId }) => confirmationId !== undefined)
        .map((shipment) => shipmentView(world, plan, shipment)),
    })),
  };
}

/** Carries out a command of the control surface and shows what is there then. Throws an Error that says what is wrong. */
export function inboundControl(world: World, body: unknown): object {
  const { success, data, error } = command.safeParse(body);
  if (!success) {
    const [issue] = error.issues;
    throw new Error(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is invalid'}`);
  }
  carryOut(world, data);
  return inboundView(world);
}
