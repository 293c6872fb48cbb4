/** The face of the module's web part: what screens above it may use. */
export { ProductPicker } from './ProductPicker.tsx';
