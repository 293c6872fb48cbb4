export type { ComparedDbRow, ComparedFilter, ComparedList } from './def.ts';
export { either, inside, type MonthPart, monthParts, type Periods, periodsOf } from './periods.ts';
export { comparedRoutes } from './routes.ts';
