import type { Business, PackageSaid, Region } from '../../business/types.ts';
import type { Address, LabelFormat } from './bodies.ts';

/** A label that was bought: everything that the wire says of it follows from this. Times are data time, epoch ms. */
export interface BoughtLabel {
  sellingPartnerId: string;
  region: Region;
  shipmentId: string;
  orderId: string;
  sellerOrderId?: string;
  items: { orderItemId: string; quantity: number }[];
  from: Address;
  size: { length: number; width: number; height: number; unit: 'inches' | 'centimeters' };
  weight: { value: number; unit: 'oz' | 'g' };
  serviceId: string;
  offerId: string;
  /** Hundredths of the currency. */
  cents: number;
  currency: string;
  shipAt: number;
  experience: string;
  format: LabelFormat;
  customText?: string;
  tracking: string;
  /** Of the package that it confirms. */
  reference: string;
  at: number;
}

/** What the command log holds of labels. */
export type MerchantCommand =
  | { type: 'labelBought'; label: BoughtLabel; said: PackageSaid }
  | { type: 'labelCancelled'; sellingPartnerId: string; region: Region; shipmentId: string; at: number };

export interface KeptLabel extends BoughtLabel {
  cancelledAt?: number;
}

/** Labels as the commands have left them. */
export class MerchantDesk {
  readonly #labels = new Map<string, KeptLabel>();

  /** Applies a command that is about them; true where the business is another for it. */
  apply(command: { type: string }, business: Business): boolean {
    const change = command as MerchantCommand;
    if (change.type === 'labelCancelled') {
      const label = this.#labels.get(change.shipmentId);
      if (label) label.cancelledAt = change.at;
      return false;
    }
    if (change.type !== 'labelBought') return false;
    const { label, said } = change;
    this.#labels.set(label.shipmentId, { ...label });
    const account = business.accounts.find(
      (one) => one.sellingPartnerId === label.sellingPartnerId && one.region === label.region,
    );
    return account !== undefined && business.confirmPackage(account, label.orderId, said, label.at);
  }

  /** A seller's label; undefined for one that he did not buy. */
  label(of: { sellingPartnerId: string; region: Region }, shipmentId: string): KeptLabel | undefined {
    const found = this.#labels.get(shipmentId);
    return found?.sellingPartnerId === of.sellingPartnerId && found.region === of.region ? found : undefined;
  }

  /** All labels of an order, in the order in which they were bought. */
  ofOrder(orderId: string): KeptLabel[] {
    return [...this.#labels.values()].filter((label) => label.orderId === orderId);
  }

  /** How many labels were ever bought. */
  get size(): number {
    return this.#labels.size;
  }
}
