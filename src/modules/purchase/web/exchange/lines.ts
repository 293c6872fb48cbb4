import type { OrderLineRow } from '../../contract/order.ts';

/** Pieces of a line that can go back or be exchanged: here, neither waiting for their inspection nor out to be exchanged. */
export const returnable = (line: OrderLineRow): number =>
  line.received - line.inspecting - line.returned - line.exchanging;
