export { type FileCheck, fileCheck } from './checked.ts';
export { ImportDialog } from './ImportDialog.tsx';
export type { ImportCheck, ImportCorrection, ImportProblem } from './types.ts';
