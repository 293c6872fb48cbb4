import type { Business, PackageSaid, Region } from '../business/types.ts';

interface Of {
  sellingPartnerId: string;
  region: Region;
  orderId: string;
  /** Data time, epoch ms. */
  at: number;
}

/** What the command log holds of single acts of sellers on their orders. */
export type SellerAct =
  | ({ type: 'packageConfirmed'; said: PackageSaid } & Of)
  /** A buyer was asked for a review and for feedback. */
  | ({ type: 'reviewRequested' } & Of);

const keyOf = ({ sellingPartnerId, region, orderId }: Of): string => [sellingPartnerId, region, orderId].join('|');

/** Acts of sellers as the commands have left them. */
export class SellerActs {
  readonly #asked = new Set<string>();

  /** Applies a command that is about them to the business; others change nothing. True where the business is another. */
  apply(command: { type: string }, business: Business): boolean {
    const act = command as SellerAct;
    if (act.type === 'reviewRequested') this.#asked.add(keyOf(act));
    if (act.type !== 'packageConfirmed') return false;
    const account = business.accounts.find(
      (one) => one.sellingPartnerId === act.sellingPartnerId && one.region === act.region,
    );
    return account !== undefined && business.confirmPackage(account, act.orderId, act.said, act.at);
  }

  /** Whether the buyer of an order was asked for a review before. */
  wasAsked(of: Omit<Of, 'at'>): boolean {
    return this.#asked.has(keyOf({ ...of, at: 0 }));
  }
}
