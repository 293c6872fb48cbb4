/** The face of the module: what modules above it and the documents of this one may use. */
export type { CostComponents, Outside, StockStatus } from '../contract/stock.ts';
export { fbaCode, fbaWarehouse } from './base/fba.ts';
export { locationCodes } from './base/location-codes.ts';
export { demoDocuments } from './demo/documents.ts';
export { demoStock } from './demo/stock.ts';
export {
  mayMove,
  maySee,
  requireMove,
  type Warehouse,
  warehouseChoices,
  warehouseOf,
  warehouses,
} from './documents/core/places.ts';
export { separateApprover } from './documents/core/setting.ts';
export { partsFor } from './documents/kinds/assembly.ts';
export { availableOf, choices as stockChoices, type FreePieces, freeOf } from './documents/read/stock.ts';
export {
  type Batch,
  type BatchOrigin,
  type BatchSums,
  batchPieces,
  batchSumsSelect,
  originsOf,
  sumsOfMoves,
} from './ledger/batch.ts';
export {
  type BatchHistory,
  type BatchIssue,
  type BatchLayer,
  type BatchRaise,
  type BatchRevaluation,
  historyOf,
} from './ledger/batch-history.ts';
export { eventBook } from './ledger/event-book.ts';
export { type FreezeScope, type FreezingDocument, freeze, unfreeze } from './ledger/gate.ts';
export { setPeriod } from './ledger/period.ts';
export { post, reverse } from './ledger/post.ts';
export { SHORTAGE } from './ledger/refusal.ts';
export {
  type Held,
  heldBy,
  heldByAll,
  pick,
  pickedBy,
  pickMany,
  type ReserveLine,
  type ReserveRequest,
  release,
  reserve,
} from './ledger/reserve.ts';
export { inPosting } from './ledger/retry.ts';
export {
  addCost,
  type CostPlaced,
  type CostVariance,
  costAddedBy,
  costVariances,
  type LateCost,
  type LateValue,
  takeBackCost,
} from './ledger/revalue.ts';
export type { Cost, Move, Place, Posted, Posting, Side, Source } from './ledger/types.ts';
export { issuedValuesSelect, type MoveValue, transitCosts, valuesOf } from './ledger/values.ts';
export {
  changedSince,
  expectedAtSelect,
  type LayerAt,
  type LayerOrigin,
  layersAtSelect,
  layersOfProduct,
  ledgerBegins,
  ledgerValueAt,
  placesSelect,
} from './ledger/worth-at.ts';
export { type ScannedLine, type ScanPicks, scanPicks } from './scan/picks.ts';
export { type Planned, type PlannedQuery, plannedFor, plannedUses } from './stock/planned.ts';
export { type StockSource, stockSources } from './stock/sources.ts';
