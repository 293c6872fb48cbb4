import type { Period } from '../../contract/compare.ts';
import { RELATIVE_KEYS, type RelativeDays, relativeDays } from '../../contract/days.ts';
import { ViewContent } from '../../contract/list-view.ts';
import { DEFAULT_PAGE_SIZE } from '../../contract/page.ts';
import { companyDay } from '../day.ts';
import { type ListState, writeState } from './address.ts';
import { type FilterField, type FilterValue, isSet, rangeOf, rangeValue } from './fields.ts';

type Shown = Pick<ListState, 'filter' | 'sort'>;
/** Which ranges of days are counted back whenever a view is opened, by filter. */
export type DaysChoice = Readonly<Record<string, RelativeDays>>;

/** The relative ranges that some days are just now, with both ends; none where one end is open. */
export function relativesOf(value: unknown, today: string): RelativeDays[] {
  const [from, to] = rangeOf(value);
  return RELATIVE_KEYS.filter((key) => {
    const days: Period = relativeDays(key, today);
    return days.from === from && days.to === to;
  });
}

/** The filters of days that can be kept as a relative range, each with the ranges that they are just now. */
export function relativeFields(fields: readonly FilterField[], filter: FilterValue, today: string) {
  return fields.flatMap((field) => {
    const keys = field.control === 'dateRange' ? relativesOf(filter[field.key], today) : [];
    return keys.length > 0 ? [{ field, keys }] : [];
  });
}

/** What a list shows, as a view keeps it. @throws ZodError where it is too much for a view */
export function contentOf(fields: readonly FilterField[], { filter, sort }: Shown, days: DaysChoice): ViewContent {
  const fixed = fields.filter(({ key }) => isSet(filter[key]) && days[key] === undefined);
  return ViewContent.parse({
    filter: Object.fromEntries(fixed.map(({ key }) => [key, filter[key]])),
    days,
    sort: sort ?? null,
  });
}

/** The same without asking anybody: days that are a relative range just now stay relative. */
export function contentNow(fields: readonly FilterField[], filter: FilterValue): ViewContent {
  const relative = relativeFields(fields, filter, companyDay()).map(({ field, keys }) => [field.key, keys[0]]);
  return contentOf(fields, { filter, sort: undefined }, Object.fromEntries(relative));
}

/** What a view shows when it is opened on a day. Filters that the list has no more are left out. */
export function shownBy(content: ViewContent, fields: readonly FilterField[], today: string): Shown {
  const filter = fields.flatMap((field) => {
    const relative = content.days[field.key];
    if (relative === undefined || field.control !== 'dateRange') {
      const value = content.filter[field.key];
      return value === undefined ? [] : [[field.key, value]];
    }
    const { from, to } = relativeDays(relative, today);
    return [[field.key, rangeValue(field, from, to)]];
  });
  return { filter: Object.fromEntries(filter), sort: content.sort ?? undefined };
}

/** Whether two states of a list show the same rows in the same order. */
export function showsSame(one: Shown, other: Shown, fields: readonly FilterField[], defaults: FilterValue): boolean {
  const text = ({ filter, sort }: Shown) =>
    writeState(new URLSearchParams(), { filter, sort, page: 1, size: DEFAULT_PAGE_SIZE }, fields, defaults).toString();
  return text(one) === text(other);
}
