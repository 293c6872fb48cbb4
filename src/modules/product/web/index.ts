/** The face of the module's web part: what screens above it may use. */
export { type Picked, ProductPicker } from './ProductPicker.tsx';
