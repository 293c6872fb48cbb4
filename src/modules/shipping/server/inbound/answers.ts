/** What Fulfillment Inbound 2024-03-20 answers, as far as it is used. */

/** What an operation says of its end. */
export interface Problem {
  code: string;
  message: string;
  details?: string;
  severity?: string;
}

export interface ApiMoney {
  amount: number;
  code: string;
}

export interface Incentive {
  type: string;
  target?: string;
  description?: string;
  value: ApiMoney;
}

export interface ApiItem {
  msku: string;
  quantity: number;
  fnsku?: string;
  labelOwner?: string;
}

export interface ApiPackingOption {
  packingOptionId: string;
  status: string;
  expiration?: string;
  packingGroups: string[];
  fees: Incentive[];
  discounts: Incentive[];
  supportedConfigurations?: { boxRequirements?: { weight?: { minimum: number; maximum: number; unit: string } } }[];
}

export interface ApiPlacementOption {
  placementOptionId: string;
  status: string;
  expiration?: string;
  fees: Incentive[];
  discounts: Incentive[];
  shipmentIds: string[];
}

export interface ApiShipment {
  shipmentId: string;
  status?: string;
  shipmentConfirmationId?: string;
  destination?: { warehouseId?: string; address?: { postalCode?: string } };
  selectedTransportationOptionId?: string;
  selectedDeliveryWindow?: {
    deliveryWindowOptionId: string;
    startDate: string;
    endDate: string;
    editableUntil?: string;
  };
}

export interface ApiTransport {
  transportationOptionId: string;
  shipmentId: string;
  shippingMode: string;
  shippingSolution: string;
  carrier: { name?: string; alphaCode?: string };
  preconditions?: string[];
  carrierAppointment?: { startTime: string; endTime: string };
  quote?: { cost: ApiMoney; expiration?: string; voidableUntil?: string };
}

export interface ApiWindow {
  deliveryWindowOptionId: string;
  availabilityType: string;
  startDate: string;
  endDate: string;
  validUntil: string;
}

export interface ApiBox {
  packageId: string;
  boxId?: string;
  quantity: number;
  weight?: { unit: string; value: number };
  dimensions?: { unitOfMeasurement: string; length: number; width: number; height: number };
  items: ApiItem[];
}

export interface ApiPrep {
  msku: string;
  prepCategory: string;
  prepTypes?: string[];
}
