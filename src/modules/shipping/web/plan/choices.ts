import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { Transport } from '../../contract/fields.ts';
import { listPlan, type PlanRow } from '../../contract/plan.ts';
import { planItem, previewPlan } from '../../contract/plan-submit.ts';
import { type Choices, refreshShip } from '../choices.ts';

/** Ways with their names, for selects. */
export const WAYS = Object.entries(Transport.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as Transport,
  label: title,
}));

export const wayName = (transport: Transport): string =>
  WAYS.find(({ value }) => value === transport)?.label ?? transport;

/** Sites of the caller's stores, for the filter. */
export function sitesOf(choices: Choices | undefined): { value: string; label: string }[] {
  const ids = new Set(choices?.stores.flatMap(({ sites }) => sites.map(({ marketplaceId }) => marketplaceId)));
  return MARKETPLACES.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ value: id, label: name }));
}

/** Warehouses that the caller may send from. */
export const sendersOf = (choices: Choices | undefined) =>
  choices?.warehouses.filter(({ mine }) => mine).map(({ id, name }) => ({ value: id, label: name })) ?? [];

/** Ids of all that is planned in rows. */
export const itemIds = (rows: readonly PlanRow[]): string[] => rows.flatMap(({ items }) => items.map(({ id }) => id));

/** Everything that shows the plan, and the orders that come of it, asks again. */
export async function refreshPlan(): Promise<void> {
  await Promise.all([
    refreshShip(),
    ...[listPlan, previewPlan, planItem].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
  ]);
}
