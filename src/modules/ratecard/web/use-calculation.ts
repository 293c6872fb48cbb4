import { useEffect, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { Picked } from '#modules/product/web/index.ts';
import { COUNTRIES, calculatorFacts } from '../contract/calculator.ts';
import { type EstimateInput, readEstimate } from '../contract/estimates.ts';
import { planned } from '../contract/planned.ts';
import { listPlans } from '../contract/plans.ts';
import type { AtSite, Typed } from '../contract/results.ts';
import { VAT } from './plans.ts';

const TYPED: Omit<Typed, 'day'> = {
  category: 'other',
  length: '',
  width: '',
  height: '',
  weight: '',
  cost: '',
  firstLeg: '',
  duty: '',
  ads: '10',
  returns: '2',
  other: '',
  fixed: '',
  months: '1',
};
type Sites = EstimateInput['sites'];
type Country = keyof Sites;
const PRICES: Readonly<Record<Country, string>> = {
  US: '24.99',
  CA: '29.99',
  MX: '399',
  UK: '19.99',
  DE: '24.99',
  FR: '24.99',
  IT: '24.99',
  ES: '24.99',
  JP: '2980',
  AU: '34.99',
};
const SITES: Sites = Object.fromEntries(
  COUNTRIES.map(({ country }) => [country, { price: PRICES[country], vat: VAT[country], rate: '' }]),
);
const NOTHING: AtSite = { price: '0', vat: '0', rate: '' };
type PlanCopy = NonNullable<EstimateInput['plan']>;
/** Stands among the plans for the one that a kept calculation was made with, as it was then. */
const KEPT = 'kept';

/**
 * What is reckoned with in the calculator, and how it changes: typed in, taken from the product that was picked, or from
 * the calculation `calcId` that was kept, which stays as it was until another product or day is chosen.
 */
export function useCalculation(calcId: string | undefined) {
  const [typed, setTyped] = useState<Typed>({ ...TYPED, day: companyDay() });
  const [sites, setSites] = useState<Sites>(SITES);
  const [picked, setPicked] = useState<Picked>();
  const [keptPlan, setKeptPlan] = useState<PlanCopy>();
  // undefined: nobody has chosen, so it is the company's default; null: none.
  const [planId, setPlanId] = useState<string | null>();
  // The calculation that was gone on from: from then on product and rates are those of today again.
  const [left, setLeft] = useState<string>();
  const following = calcId === left;
  const { data: plans = [] } = useCall(listPlans, {});
  const { data: kept } = useCall(readEstimate, { params: { id: calcId ?? '' } }, { enabled: calcId !== undefined });
  const body = { day: typed.day, ...(picked ? { productId: picked.id } : {}) };
  const { data: facts } = useCall(calculatorFacts, { body });
  // What was taken over once is the user's: a later reading of the same does not undo what was typed since.
  const asked = JSON.stringify(body);
  const [taken, setTaken] = useState<string>();

  useEffect(() => {
    if (!kept) return;
    setTyped(kept.typed);
    setSites({ ...SITES, ...kept.sites });
    setPicked({ id: kept.product.id, sku: kept.product.code, name: kept.product.name, image: null });
    setKeptPlan(kept.plan ?? undefined);
    setPlanId(kept.plan ? KEPT : null);
  }, [kept]);
  useEffect(() => {
    if (!facts || !following || taken === asked) return;
    setTaken(asked);
    const known = new Map(facts.rates.map(({ currency, rate }) => [currency, rate]));
    setSites((old) =>
      Object.fromEntries(
        COUNTRIES.map(({ country, currency }) => {
          const at = old[country] ?? NOTHING;
          return [country, { ...at, rate: known.get(currency) ?? at.rate }];
        }),
      ),
    );
    const { measures, cost } = facts;
    setTyped((old) => ({
      ...old,
      ...(cost === null ? {} : { cost }),
      ...(measures && {
        length: measures.length ?? '',
        width: measures.width ?? '',
        height: measures.height ?? '',
        weight: measures.weight ?? '',
      }),
    }));
  }, [facts, following, taken, asked]);

  const chosen = planId === undefined ? (plans.find(({ isDefault }) => isDefault)?.id ?? null) : planId;
  const plan = chosen === KEPT ? keptPlan : plans.find(({ id }) => id === chosen);
  return {
    typed,
    sites,
    picked,
    plan,
    /** Id of the plan that is reckoned with; null for none. */
    planId: chosen,
    planChoices: [
      ...(keptPlan ? [{ value: KEPT, label: `${keptPlan.name}（测算时）` }] : []),
      ...plans.map(({ id, name }) => ({ value: id, label: name })),
    ],
    /** Id under which the plan can be named to the server; undefined for none, and for one as it was. */
    sentPlanId: plan && chosen !== KEPT ? (chosen ?? undefined) : undefined,
    change: (more: Partial<Typed>) => {
      if (more.day !== undefined) setLeft(calcId);
      setTyped((old) => ({ ...old, ...more }));
    },
    changeSite: (country: Country, more: Partial<AtSite>) =>
      setSites((old) => ({ ...old, [country]: { ...(old[country] ?? NOTHING), ...more } })),
    pick: (product: Picked) => {
      setLeft(calcId);
      setPicked(product);
    },
    choosePlan: (id: string | null) => setPlanId(id),
  };
}

export type Calculation = ReturnType<typeof useCalculation>;

/** What one country is reckoned with. */
export const atSite = (
  { plan, typed, sites }: Pick<Calculation, 'plan' | 'typed' | 'sites'>,
  country: Country,
): ReturnType<typeof planned> => planned(plan, country, typed, sites[country]);
