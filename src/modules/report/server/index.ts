/** The face of the module: what modules above it may use. */
export { trafficTouched } from './traffic.ts';
export { featuredDaysSelect, trafficDaysSelect, trafficToSelect } from './traffic-days.ts';
