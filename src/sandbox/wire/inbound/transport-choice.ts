/** Taking one of the ways of transport for every shipment of a plan. */
import { read, selectionBody } from './bodies.ts';
import { confirmedShipments, failed, type PlanJudge, refused, type Work } from './desk.ts';
import { boxNumber } from './ids.ts';
import { dispatchAt } from './journey.ts';
import type { Outcome, Plan, Shipment, TransportationOption } from './types.ts';

/** A partner comes in the course of the day on which the goods are ready. */
const PICK_UP_MS = 10 * 3_600_000;

/** Every shipment of the placement gets its transport at once, or none does. A partner's price is owed from then on. */
export const judgeTransportationChoice: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const { transportationSelections: selections } = read(selectionBody, asked.input);
  const shipments = confirmedShipments(plan);
  if (shipments.length === 0) return failed(`No placement option is confirmed for inboundPlan ${plan.planId}`);
  if (shipments.some(({ transportation }) => transportation))
    return refused(work, 'the transportation is already confirmed');
  const missing = shipments.find(
    ({ shipmentId }) => selections.filter((one) => one.shipmentId === shipmentId).length !== 1,
  );
  if (missing || selections.length !== shipments.length) {
    return refused(work, 'a transportation option must be selected for every shipment of the placement option');
  }
  const chosen: (Partial<Shipment> & { shipmentId: string })[] = [];
  for (const { shipmentId, transportationOptionId, contactInformation } of selections) {
    const shipment = shipments.find((one) => one.shipmentId === shipmentId);
    const option = plan.transportationOptions.find((one) => one.optionId === transportationOptionId);
    if (!shipment || option?.shipmentId !== shipmentId)
      return refused(work, 'the transportation option belongs to another shipment');
    const wrong = choiceProblem(
      work,
      shipment,
      option,
      contactInformation !== undefined || shipment.contact !== undefined,
    );
    if (wrong) return wrong;
    const contact = contactInformation ?? shipment.contact;
    chosen.push({
      shipmentId,
      transportation: option,
      confirmedAt: now,
      ...(contact ? { contact } : {}),
      ...given(work, shipment, option),
    });
  }
  return {
    change: { planId: plan.planId, shipments: chosen.map((one) => ({ ...one, ...pickedUp(world, plan, one, now) })) },
  };
};

function choiceProblem(
  work: Work,
  shipment: Shipment,
  option: TransportationOption,
  hasContact: boolean,
): Outcome | undefined {
  if (option.expiresAt <= work.now) return refused(work, 'the requested transportation option is expired');
  if (!option.partnered && !shipment.window) {
    return refused(work, `shipment ${shipment.shipmentId} requires a confirmed delivery window`);
  }
  if (option.partnered && !hasContact)
    return refused(work, `shipment ${shipment.shipmentId} requires contact information`);
  return undefined;
}

/** Partners bring their own numbers along. */
function given(
  work: Work,
  { confirmationId = '', boxes }: Shipment,
  { mode, partnered }: TransportationOption,
): Partial<Shipment> {
  if (!partnered) return {};
  if (mode === 'FREIGHT_LTL') return { tracking: { parcels: [], freightBills: [`PRO${confirmationId.slice(-7)}`] } };
  const count = boxes.reduce((sum, { quantity }) => sum + quantity, 0);
  const parcels = Array.from({ length: count }, (_, index) => ({
    boxId: boxNumber(confirmationId, index + 1),
    trackingId: `1Z${confirmationId.slice(-7)}${String(index + 1).padStart(9, '0')}`,
    at: work.now,
  }));
  return { tracking: { parcels, freightBills: [] } };
}

/** A partner fetches the goods on the day that they are ready; a seller's own carrier leaves once tracking is told. */
function pickedUp(
  world: Work['world'],
  plan: Plan,
  facts: Partial<Shipment> & { shipmentId: string },
  now: number,
): Partial<Shipment> {
  const before = plan.shipments.find(({ shipmentId }) => shipmentId === facts.shipmentId);
  if (!before || !facts.transportation?.partnered) return {};
  const from = Math.max(now, before.readyAt ?? now) + PICK_UP_MS;
  return dispatchAt(world, { ...before, ...facts }, from);
}
