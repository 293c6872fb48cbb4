import type { Business } from '../../business/types.ts';
import type { OutboundCommand, OutboundOrder, Owned } from './types.ts';

const shelfOf = ({ sellingPartnerId, region }: Owned): string => `${sellingPartnerId}|${region}`;

/** What the business calls an order, whose number is only the seller's own. */
export const referenceOf = (order: Owned & { id: string }): string => `${shelfOf(order)}|${order.id}`;

/** Fulfilment orders as the commands have left them. */
export class Outbound {
  readonly #orders = new Map<string, OutboundOrder>();

  /** Applies a command that is about them to the business; others change nothing. True where stock may have moved. */
  apply(command: { type: string }, business: Business): boolean {
    if (command.type !== 'outbound') return false;
    const { order, at } = command as OutboundCommand;
    const reference = referenceOf(order);
    const known = this.#orders.get(reference);
    this.#orders.set(reference, order);
    const account = business.accounts.find((one) => shelfOf(one) === shelfOf(order));
    if (!account) return false;
    const { marketplaceId, way, cancelledAt, items } = order;
    if (!known) {
      const lines = items.map(({ sku, filled, itemId }) => ({
        sku,
        quantity: filled,
        itemId: `${reference}|${itemId}`,
      }));
      const said = { reference, lines, ...(way ? { shipAt: way.shippedAt } : {}) };
      business.setAside(account, marketplaceId, said, at);
    } else if (cancelledAt !== undefined) business.putBack(account, marketplaceId, reference, at);
    else if (way && way.shippedAt !== known.way?.shippedAt)
      business.letGo(account, marketplaceId, reference, way.shippedAt, at);
    return true;
  }

  order(of: Owned, id: string): OutboundOrder | undefined {
    return this.#orders.get(referenceOf({ ...of, id }));
  }

  /** All orders of an account, in the order in which they came. */
  of(owner: Owned): OutboundOrder[] {
    return this.all().filter((one) => shelfOf(one) === shelfOf(owner));
  }

  all(): OutboundOrder[] {
    return [...this.#orders.values()];
  }
}
