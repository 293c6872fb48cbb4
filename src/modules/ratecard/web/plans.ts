import { COUNTRIES } from '../contract/calculator.ts';
import type { Plan, PlanSite } from '../contract/plans.ts';

/** Screen of all plans. */
export const LIST_PATH = '/amazon/profit/config';
/** Screen of one plan; `id` in its address names it, without one it is new. */
export const EDIT_PATH = '/a/p/c';

/** VAT in percent that a new plan, and a calculation without one, begins with. */
export const VAT: Readonly<Record<PlanSite['country'], string>> = {
  US: '',
  CA: '',
  MX: '16',
  UK: '20',
  DE: '19',
  FR: '20',
  IT: '22',
  ES: '21',
  JP: '10',
  AU: '10',
};

/** One line for every country: as the plan has it, or as a new plan begins. */
export function sitesOf(plan: Plan | undefined): PlanSite[] {
  return COUNTRIES.map(
    ({ country }) =>
      plan?.sites.find((site) => site.country === country) ?? {
        country,
        freight: '',
        divisor: '6000',
        vat: VAT[country],
        duty: '',
        ads: '10',
        returns: '2',
        other: '',
        fixed: '',
        months: '1',
      },
  );
}
