/** The parts of the scanner's page that screens of other modules are made of. */
import './scan/scan.css';

export type { Act } from './scan/acts.ts';
export { Counter } from './scan/Counter.tsx';
export { PendingSheet, pendingWords } from './scan/PendingSheet.tsx';
export { ScanField } from './scan/ScanField.tsx';
export { enqueueCall, useOnLine, useOutbox } from './scan/sender.ts';
export { signal } from './scan/signals.ts';
export { Wrong } from './scan/Wrong.tsx';
