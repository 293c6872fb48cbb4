/** What Amazon's warehouses say about the pieces that they keep; see types.ts for the units. */
import type { SimProduct } from './types.ts';

export type FbaDisposition = 'SELLABLE' | 'CUSTOMER_DAMAGED' | 'DEFECTIVE' | 'WAREHOUSE_DAMAGED' | 'CARRIER_DAMAGED';

export type FbaEvent = 'Receipts' | 'Shipments' | 'CustomerReturns' | 'VendorReturns' | 'WhseTransfers' | 'Adjustments';

/** One movement into or out of one warehouse; `quantity` is signed. */
export interface FbaMovement {
  product: SimProduct;
  at: number;
  event: FbaEvent;
  reference: string;
  quantity: number;
  centre: string;
  disposition: FbaDisposition;
  /** Of adjustments: M lost, F found, E damaged in the warehouse, D disposed of. */
  reason: '' | 'M' | 'F' | 'E' | 'D';
}

/** A business day of one product and disposition: start + all signed movements = end. */
export interface FbaDay {
  product: SimProduct;
  day: string;
  disposition: FbaDisposition;
  start: number;
  /** Under way between warehouses at the end of the day; in neither start nor end. */
  inTransit: number;
  receipts: number;
  shipments: number;
  customerReturns: number;
  vendorReturns: number;
  transfers: number;
  found: number;
  lost: number;
  damaged: number;
  disposed: number;
  end: number;
}

/** One piece that came back from a buyer. */
export interface FbaReturn {
  product: SimProduct;
  at: number;
  orderId: string;
  centre: string;
  disposition: FbaDisposition;
  reason: string;
  /** License plate: unique per piece. */
  plate: string;
}

export interface FbaReimbursement {
  product: SimProduct;
  at: number;
  reimbursementId: string;
  caseId: string;
  reason: string;
  quantity: number;
  /** Decimal text in the marketplace's currency. */
  amountPerUnit: string;
  amount: string;
}

/** One SKU and disposition of an order to take pieces away, as far as they go together: in one parcel, or at one time. */
export interface FbaRemoval {
  product: SimProduct;
  orderId: string;
  type: 'Return' | 'Disposal' | 'Liquidations';
  requestedAt: number;
  /** Undefined while it is being worked on. */
  doneAt: number | undefined;
  disposition: FbaDisposition;
  quantity: number;
  /** Decimal text. */
  fee: string;
  carrier: string;
  tracking: string;
}

/** Everything as of an instant, oldest first. */
export interface FbaBooks {
  movements: FbaMovement[];
  days: FbaDay[];
  returns: FbaReturn[];
  reimbursements: FbaReimbursement[];
  removals: FbaRemoval[];
}

/** Storage of one product in one month that is over. Decimal texts; the fee to a hundredth of the smallest coin. */
export interface FbaStorage {
  product: SimProduct;
  /** "2026-06". */
  month: string;
  centre: string;
  average: string;
  /** Cubic feet of one piece and of the average stock. */
  volume: string;
  totalVolume: string;
  rate: string;
  fee: string;
}

/** Fees of one piece at the present price. */
export interface FbaFeePreview {
  product: SimProduct;
  price: string;
  referral: string;
  fulfilment: string;
  total: string;
}

/** A product that Amazon measured wrongly; cm and kg, fees of one piece as decimal texts. */
export interface FbaMeasured {
  sku: string;
  since: number;
  measured: Pick<SimProduct, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'>;
  real: Pick<SimProduct, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'>;
  /** By Amazon's measurement, and by the product as it is. */
  charged: string;
  due: string;
}

/** What the warehouses cost: months that are over, and one piece of each product now. */
export interface FbaFees {
  storage: FbaStorage[];
  previews: FbaFeePreview[];
}
