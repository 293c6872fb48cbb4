import { countForecasts, forecastSeries, listForecasts } from '../contract/forecast.ts';

/** Whatever shows forecasts, after somebody changed one. */
export const REFRESHES = [listForecasts, countForecasts, forecastSeries];
