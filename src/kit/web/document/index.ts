export { ActionBar } from './ActionBar.tsx';
export { DocumentScreen, type DocumentTab } from './DocumentScreen.tsx';
export { type Fact, FactColumns, Facts } from './Facts.tsx';
export { eventsOf, useNotes } from './notes.tsx';
export { PiecesDialog, type PiecesLine } from './PiecesDialog.tsx';
export { Steps } from './Steps.tsx';
export { Stream, type StreamEvent } from './Stream.tsx';
export { type Step, stepsOf } from './steps.ts';
export { useStore } from './use-store.ts';
