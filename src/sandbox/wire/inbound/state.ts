/** Inbound plans as the commands have left them. */
import type {
  ComplianceSet,
  InboundChange,
  InboundCommand,
  KnownOperation,
  Owned,
  Plan,
  PrepSet,
  Shipment,
} from './types.ts';

const keyOf = (owner: Owned, ...more: string[]): string => [owner.sellingPartnerId, owner.region, ...more].join('|');

const isSame = (a: Owned, b: Owned): boolean => a.sellingPartnerId === b.sellingPartnerId && a.region === b.region;

/** How things go beside the rules: what the control surface may set. Forgotten at a new beginning, like faults. */
export interface InboundSettings {
  /** Shortest and longest time that an operation takes, ms of the throttle clock; by default that of reports. */
  operationMs?: [number, number];
  /** How long offers hold, hours. */
  offerHours: { packing: number; placement: number; transportation: number; window: number };
  /** Multiplies every time that a shipment takes on its way; 0.1 is ten times as fast. */
  pace: number;
  /** Whether chance loses, finds too many and damages pieces of a shipment for which nobody said otherwise. */
  chance: boolean;
  /** Days from closing a shipment to paying what is missing of it; null where nobody pays. */
  paidAfterDays: number | null;
}

/** What holds until the control surface says otherwise. */
export const defaultSettings = (): InboundSettings => ({
  offerHours: { packing: 24, placement: 72, transportation: 48, window: 48 },
  pace: 1,
  chance: true,
  paidAfterDays: 15,
});

/** Plans, operations and what sellers set of their products. */
export class Inbound {
  settings = defaultSettings();
  readonly #plans = new Map<string, Plan>();
  readonly #operations = new Map<string, KnownOperation>();
  readonly #open = new Set<string>();
  readonly #prep = new Map<string, PrepSet>();
  readonly #compliance = new Map<string, ComplianceSet>();
  #changes = 0;

  /** Applies a command that is about them; others change nothing. Returns the plan with the shipments it changed. */
  apply(command: { type: string }): { plan: Plan; shipments: Shipment[] } | undefined {
    const known = command as InboundCommand;
    if (known.type === 'inboundAsked') {
      const { operationId } = known.asked;
      this.#operations.set(operationId, { ...known.asked });
      this.#open.add(operationId);
      return known.change && this.#take(known.change, known.asked.at);
    }
    if (known.type === 'inboundDone') {
      const operation = this.#operations.get(known.operationId);
      if (operation) operation.done = { at: known.at, problems: known.problems };
      this.#open.delete(known.operationId);
      return known.change && this.#take(known.change, known.at);
    }
    return known.type === 'inboundChanged' ? this.#take(known.change, known.at) : undefined;
  }

  #take(change: InboundChange, at: number): { plan: Plan; shipments: Shipment[] } | undefined {
    this.#changes += 1;
    for (const one of change.prep ?? []) this.#prep.set(keyOf(change, one.marketplaceId, one.msku), one);
    for (const one of change.compliance ?? []) this.#compliance.set(keyOf(change, one.marketplaceId, one.msku), one);
    const { planId, sellingPartnerId, region } = change;
    if (planId === undefined) return undefined;
    const plan = this.#plans.get(planId) ?? begun({ planId, sellingPartnerId, region }, at);
    Object.assign(plan, change.plan, { changedAt: at });
    const shipments = (change.shipments ?? []).map((facts) => {
      const one = plan.shipments.find(({ shipmentId }) => shipmentId === facts.shipmentId);
      const shipment = Object.assign(one ?? blank(facts.shipmentId), facts, { changedAt: at });
      if (!one) plan.shipments.push(shipment);
      return shipment;
    });
    this.#plans.set(planId, plan);
    return { plan, shipments };
  }

  /** A plan of this seller. */
  plan(owner: Owned, planId: string): Plan | undefined {
    const plan = this.#plans.get(planId);
    return plan && isSame(plan, owner) ? plan : undefined;
  }

  /** All plans of a seller, the oldest first. */
  plansOf(owner: Owned): Plan[] {
    return [...this.#plans.values()].filter((plan) => isSame(plan, owner));
  }

  allPlans(): Plan[] {
    return [...this.#plans.values()];
  }

  operation(owner: Owned, operationId: string): KnownOperation | undefined {
    const operation = this.#operations.get(operationId);
    return operation && isSame(operation, owner) ? operation : undefined;
  }

  /** Asked for and not over, oldest first. */
  open(): KnownOperation[] {
    return [...this.#open].flatMap((id) => this.#operations.get(id) ?? []);
  }

  prep(owner: Owned, marketplaceId: string, msku: string): PrepSet | undefined {
    return this.#prep.get(keyOf(owner, marketplaceId, msku));
  }

  compliance(owner: Owned, marketplaceId: string, msku: string): ComplianceSet | undefined {
    return this.#compliance.get(keyOf(owner, marketplaceId, msku));
  }

  /** A number that grows with every operation and every change: what ids are drawn from. */
  next(): number {
    return this.#operations.size + this.#changes + 1;
  }
}

function begun(id: Owned & { planId: string }, at: number): Plan {
  return {
    ...id,
    marketplaceId: '',
    name: '',
    sourceAddress: { name: '', addressLine1: '', city: '', countryCode: '', postalCode: '', phoneNumber: '' },
    items: [],
    createdAt: at,
    changedAt: at,
    status: 'ACTIVE',
    packingOptions: [],
    placementOptions: [],
    shipments: [],
    transportationOptions: [],
  };
}

function blank(shipmentId: string): Shipment {
  return {
    shipmentId,
    placementOptionId: '',
    name: '',
    warehouse: '',
    sourceAddress: { name: '', addressLine1: '', city: '', countryCode: '', postalCode: '', phoneNumber: '' },
    items: [],
    boxes: [],
    pallets: [],
    phases: [],
    changedAt: 0,
    windows: [],
    previews: [],
    found: [],
    receipts: [],
  };
}
