import { listBindings } from '../contract/bindings.ts';
import { countRules, listRules, ruleDetail } from '../contract/rules.ts';
import { listRuns } from '../contract/runs.ts';

/** What is read again after something was done to rules or their listings. */
export const REFRESHES = [listRules, countRules, ruleDetail, listBindings, listRuns];
