export { ImportDialog } from './ImportDialog.tsx';
export type { ImportCheck, ImportProblem } from './types.ts';
