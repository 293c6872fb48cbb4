import { listPerformance, performanceMonths } from '../contract/report.ts';
import { listRules } from '../contract/rule.ts';
import { yearTargets } from '../contract/targets.ts';

/** Whatever shows targets, rules and what follows from them. */
export const REFRESHES = [listPerformance, performanceMonths, listRules, yearTargets];
