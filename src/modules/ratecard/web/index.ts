/** The page's face of the module: what screens of modules above it may use. */
export { FeeTables } from './FeeTables.tsx';
