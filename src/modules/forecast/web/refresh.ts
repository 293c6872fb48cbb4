import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { countForecasts, forecastSeries, listForecasts } from '../contract/forecast.ts';

/** Whatever shows forecasts, after somebody changed one. */
export const REFRESHES = [listForecasts, countForecasts, forecastSeries];

/** Everything that shows forecasts asks again. */
export async function refreshForecasts(): Promise<void> {
  await Promise.all(REFRESHES.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
