/** Calls per second and how many may be saved up, per account and application. */
export interface UsagePlan {
  rate: number;
  burst: number;
}

/** Default usage plans as Amazon's current models state them; the answer's own header replaces the rate. */
const PLANS: Record<string, UsagePlan> = {
  getMarketplaceParticipations: { rate: 0.016, burst: 15 },
  getOrderMetrics: { rate: 0.5, burst: 15 },
  searchOrders: { rate: 0.0056, burst: 20 },
  getOrder: { rate: 0.5, burst: 30 },
  confirmShipment: { rate: 2, burst: 10 },
  getEligibleShipmentServices: { rate: 6, burst: 12 },
  createShipment: { rate: 2, burst: 2 },
  cancelShipment: { rate: 1, burst: 1 },
  // Merchant Fulfillment's own: the model of inbound shipments has another one of the same name.
  'merchant.getShipment': { rate: 1, burst: 1 },
  getSolicitationActionsForOrder: { rate: 1, burst: 5 },
  createProductReviewAndSellerFeedbackSolicitation: { rate: 1, burst: 5 },
  createReport: { rate: 0.0167, burst: 15 },
  getReport: { rate: 2, burst: 15 },
  getReports: { rate: 0.0222, burst: 10 },
  getReportDocument: { rate: 0.0167, burst: 15 },
  getInventorySummaries: { rate: 2, burst: 2 },
  searchListingsItems: { rate: 5, burst: 5 },
  getListingsItem: { rate: 5, burst: 10 },
  putListingsItem: { rate: 5, burst: 10 },
  patchListingsItem: { rate: 5, burst: 5 },
  getListingsRestrictions: { rate: 5, burst: 10 },
  searchCatalogItems: { rate: 2, burst: 2 },
  getCatalogItem: { rate: 2, burst: 2 },
  searchDefinitionsProductTypes: { rate: 5, burst: 10 },
  getDefinitionsProductType: { rate: 5, burst: 10 },
  searchContentDocuments: { rate: 10, burst: 10 },
  getContentDocument: { rate: 10, burst: 10 },
  createContentDocument: { rate: 10, burst: 10 },
  updateContentDocument: { rate: 10, burst: 10 },
  listContentDocumentAsinRelations: { rate: 10, burst: 10 },
  postContentDocumentAsinRelations: { rate: 10, burst: 10 },
  validateContentDocumentAsinRelations: { rate: 10, burst: 10 },
  searchContentPublishRecords: { rate: 10, burst: 10 },
  postContentDocumentApprovalSubmission: { rate: 10, burst: 10 },
  postContentDocumentSuspendSubmission: { rate: 10, burst: 10 },
  createUploadDestinationForResource: { rate: 10, burst: 10 },
  getItemOffersBatch: { rate: 0.1, burst: 1 },
  createFeedDocument: { rate: 0.5, burst: 15 },
  createFeed: { rate: 0.0083, burst: 15 },
  getFeed: { rate: 2, burst: 15 },
  getFeeds: { rate: 0.0222, burst: 10 },
  cancelFeed: { rate: 2, burst: 15 },
  getFeedDocument: { rate: 0.0222, burst: 10 },
  getShipments: { rate: 2, burst: 30 },
  getFulfillmentPreview: { rate: 2, burst: 30 },
  createFulfillmentOrder: { rate: 2, burst: 30 },
  listAllFulfillmentOrders: { rate: 2, burst: 30 },
  getFulfillmentOrder: { rate: 2, burst: 30 },
  updateFulfillmentOrder: { rate: 2, burst: 30 },
  cancelFulfillmentOrder: { rate: 2, burst: 30 },
  getPackageTrackingDetails: { rate: 2, burst: 30 },
  createInboundPlan: { rate: 2, burst: 2 },
  cancelInboundPlan: { rate: 2, burst: 2 },
  generatePackingOptions: { rate: 2, burst: 2 },
  confirmPackingOption: { rate: 2, burst: 2 },
  setPackingInformation: { rate: 2, burst: 2 },
  generatePlacementOptions: { rate: 2, burst: 2 },
  confirmPlacementOption: { rate: 2, burst: 2 },
  generateTransportationOptions: { rate: 2, burst: 2 },
  confirmTransportationOptions: { rate: 2, burst: 2 },
  updateShipmentTrackingDetails: { rate: 2, burst: 2 },
  generateShipmentContentUpdatePreviews: { rate: 2, burst: 2 },
  confirmShipmentContentUpdatePreview: { rate: 2, burst: 2 },
  listInboundPlans: { rate: 2, burst: 6 },
  getInboundPlan: { rate: 2, burst: 6 },
  listInboundPlanItems: { rate: 2, burst: 6 },
  listPackingOptions: { rate: 2, burst: 6 },
  listPlacementOptions: { rate: 2, burst: 6 },
  listTransportationOptions: { rate: 2, burst: 6 },
  listPrepDetails: { rate: 2, burst: 6 },
  getInboundOperationStatus: { rate: 2, burst: 6 },
  getShipment: { rate: 2, burst: 30 },
  listShipmentItems: { rate: 2, burst: 30 },
  listShipmentBoxes: { rate: 2, burst: 30 },
  listPackingGroupItems: { rate: 2, burst: 30 },
  generateDeliveryWindowOptions: { rate: 2, burst: 30 },
  listDeliveryWindowOptions: { rate: 2, burst: 30 },
  confirmDeliveryWindowOptions: { rate: 2, burst: 30 },
  setPrepDetails: { rate: 2, burst: 30 },
  getLabels: { rate: 2, burst: 30 },
  listShipmentContentUpdatePreviews: { rate: 2, burst: 30 },
  getShipmentContentUpdatePreview: { rate: 2, burst: 30 },
  getShipmentItemsByShipmentId: { rate: 2, burst: 30 },
  listTransactions: { rate: 0.5, burst: 10 },
  listFinancialEventGroups: { rate: 0.5, burst: 30 },
  getDestinations: { rate: 1, burst: 5 },
  createDestination: { rate: 1, burst: 5 },
  getSubscription: { rate: 1, burst: 5 },
  createSubscription: { rate: 1, burst: 5 },
  deleteSubscriptionById: { rate: 1, burst: 5 },
  rotateApplicationClientSecret: { rate: 0.0167, burst: 1 },
};

/** The plan of an operation; one that is not listed is called slowly. */
export function planOf(operation: string): UsagePlan {
  return PLANS[operation] ?? { rate: 0.5, burst: 1 };
}

const RESERVED_SHARE = 0.4;

/** Whole calls of a bucket that work without hurry leaves for the rest; a bucket that saves up too little has none. */
export function reserveOf({ burst }: UsagePlan): number {
  return Math.floor(burst * RESERVED_SHARE);
}
