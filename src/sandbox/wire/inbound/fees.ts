/** What Amazon takes of a seller's money for a shipment, and when. */
import type { Plan, Shipment } from './types.ts';

const DAY_MS = 86_400_000;
/** Placement is charged so long after the first piece was received, as Amazon announced with the fee. */
const PLACEMENT_AFTER_MS = 45 * DAY_MS;

interface Fee {
  at: number;
  /** As settlements name it. */
  description: string;
  /** Decimal text. */
  amount: string;
}

const piecesOf = (items: Plan['items']): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

/** The transport of Amazon's partner the day after it fetched the goods, and the shipment's part of the placement fee. */
export function feesOf(plan: Plan, shipment: Shipment): Fee[] {
  const at = (name: string): number | undefined => shipment.phases.find(({ status }) => status === name)?.at;
  const [left, arrived] = [at('SHIPPED'), at('RECEIVING')];
  const fees: Fee[] = [];
  const cost = shipment.transportation?.cost;
  if (left !== undefined && cost) {
    fees.push({
      at: left + DAY_MS,
      description: 'FBAInboundTransportationFee',
      amount: textOf(cost.amount, cost.code),
    });
  }
  const placement = plan.placementOptions.find(({ accepted }) => accepted);
  for (const { value } of placement?.fees ?? []) {
    const part = (value.amount * piecesOf(shipment.items)) / piecesOf(plan.items);
    if (arrived === undefined || part === 0) continue;
    const amount = textOf(part, value.code);
    fees.push({ at: arrived + PLACEMENT_AFTER_MS, description: 'InventoryPlacementServiceFees', amount });
  }
  return fees;
}

function textOf(amount: number, currency: string): string {
  return amount.toFixed(currency === 'JPY' ? 0 : 2);
}
