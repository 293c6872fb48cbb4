export { type Bar, Bars, type BarTone } from './Bars.tsx';
export { Curve } from './Curve.tsx';
export type { Measure } from './format.ts';
export { Legend, type LegendItem } from './Legend.tsx';
export { LineTrend, type TrendSeries } from './LineTrend.tsx';
export { Ring, type RingPart } from './Ring.tsx';
export { type Stack, Stacks } from './Stacks.tsx';
export { Waterfall } from './Waterfall.tsx';
export type { WaterfallStep } from './waterfall-steps.ts';
