/** The face of the module: what modules above it may use. */
export { type Bank, payTo } from './bank.ts';
export { gradeNight } from './grading/run.ts';
export { type SupplierSheetRow, sheetRows, takeSheetRow } from './import.ts';
export { type Period, type ScoredSource, type SuppliersLine, scoredLines } from './measure.ts';
export { move as moveSupplier } from './move.ts';
export { choices as supplierChoices, requireOrderable, type SupplierName } from './names.ts';
export { save as saveSupplier } from './save.ts';
export { expectedLead, leadTime, type Score, type ScoredLine, score } from './scorecard.ts';
export { parseTerms, termsAddUp } from './words.ts';
