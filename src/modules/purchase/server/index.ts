/** The face of the module: what modules above it and the composition root may use. */
export { holdForPlatform, type PlatformHold, platformObstacle } from './amend/platform.ts';
export { demoPurchases } from './demo.ts';
export { demoPlans } from './demo-plans.ts';
export { act as actOnOrder } from './order/act.ts';
export { orderByNumber } from './order/by-number.ts';
export { loaded as orderOf, locked as lockOrder, type Order } from './order/load.ts';
export { openPricesSelect } from './order/open-prices.ts';
export { type PurchaseProof, purchaseProofs } from './order/proofs.ts';
export { saveOrder } from './order/save.ts';
export { type OrderTie, orderTies } from './order/ties.ts';
export { addPlanLines } from './plan/lines.ts';
