import { z } from 'zod';

/** Amazon sends these kinds over its event bus only; a rule there passes them on into our queue. */
export function goesByBus(type: string): boolean {
  return type.startsWith('LISTINGS_ITEM_');
}

/** The version of the payload that a subscription asks for. */
export function payloadVersionOf(type: string): string {
  return type === 'ACCOUNT_STATUS_CHANGED' ? '2021-01-01' : '1.0';
}

/** Whom a payload is about and what; the seller is absent where the payload names none. */
export interface Subject {
  sellerId?: string | undefined;
  subject: string;
}

const Text = z.string().min(1).max(200);
const Listing = z.object({ SellerId: Text, Sku: Text });

const listing = Listing.extend({ Status: z.array(z.string()) }).transform(({ SellerId, Sku }) => ({
  sellerId: SellerId,
  subject: Sku,
}));

const issues = Listing.extend({
  Severities: z.array(z.string()),
  EnforcementActions: z.array(z.string()).nullish(),
}).transform(({ SellerId, Sku }) => ({ sellerId: SellerId, subject: Sku }));

const pricing = z
  .object({ issueType: Text, sellerId: Text, offerChangeTrigger: z.object({ marketplaceId: Text, asin: Text }) })
  .transform(({ sellerId, offerChangeTrigger }) => ({ sellerId, subject: offerChangeTrigger.asin }));

const outbound = z
  .object({
    FBAOutboundShipmentStatusNotification: z.object({
      SellerId: Text,
      AmazonOrderId: Text,
      AmazonShipmentId: Text,
      ShipmentStatus: Text,
    }),
  })
  .transform(({ FBAOutboundShipmentStatusNotification: { SellerId, AmazonOrderId } }) => ({
    sellerId: SellerId,
    subject: AmazonOrderId,
  }));

const standing = z
  .object({ accountStatusChangeNotification: z.object({ previousAccountStatus: Text, currentAccountStatus: Text }) })
  .transform(({ accountStatusChangeNotification: { currentAccountStatus } }) => ({ subject: currentAccountStatus }));

/** Payloads by kind, as far as anything is read from them. */
export const PAYLOADS: Readonly<Record<string, z.ZodType<Subject>>> = {
  LISTINGS_ITEM_STATUS_CHANGE: listing,
  LISTINGS_ITEM_ISSUES_CHANGE: issues,
  PRICING_HEALTH: pricing,
  FBA_OUTBOUND_SHIPMENT_STATUS: outbound,
  ACCOUNT_STATUS_CHANGED: standing,
};
