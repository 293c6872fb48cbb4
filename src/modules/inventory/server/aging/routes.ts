import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as contract from '../../contract/aging.ts';
import { forecastOf } from './detail.ts';
import { dropRateCard, putRateCard, rateCards } from './rates.ts';

export const agingRoutes: AnyRoute[] = [
  serve(contract.readRateCards, (ctx) => rateCards(ctx)),
  serve(contract.saveRateCard, (ctx, { body }) => putRateCard(ctx, body)),
  serve(contract.dropRateCard, (ctx, { body }) => dropRateCard(ctx, body)),
  serve(contract.agingForecast, (ctx, { body }) => forecastOf(ctx, body)),
];
