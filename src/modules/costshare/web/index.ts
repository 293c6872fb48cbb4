/** The page's face of the module: what screens of modules above it may use. */
export { ShareDialog } from './ShareDialog.tsx';
