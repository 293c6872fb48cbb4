import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { countBindings, listBindings } from '../contract/bindings.ts';
import { salesOptions } from '../contract/fields.ts';
import { missingRates, salesOrders, salesReport } from '../contract/report.ts';
import { salesVolume, volumeDays } from '../contract/volume.ts';

const TOUCHED = [
  salesReport,
  salesOrders,
  missingRates,
  listBindings,
  countBindings,
  salesOptions,
  salesVolume,
  volumeDays,
];
/** Sums follow a change in the background: what shows them asks again when they will have, in milliseconds. */
const PAUSES = [0, 3_000, 8_000];

/** Everything that shows sales asks again, now and once the sums have followed. */
export function refreshSales(): void {
  for (const pause of PAUSES) {
    setTimeout(() => {
      for (const each of TOUCHED) void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
    }, pause);
  }
}
