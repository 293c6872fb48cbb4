import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { calculatorFacts } from '../contract/calculator.ts';
import { listEstimates, readEstimate, removeEstimate, saveEstimate } from '../contract/estimates.ts';
import { defaultPlan, listPlans, removePlan, savePlan } from '../contract/plans.ts';
import { dropEstimate, estimateInput, estimatePage, putEstimate } from './estimates.ts';
import { facts } from './facts.ts';
import { chooseDefault, dropPlan, plans, putPlan } from './plans.ts';

export const routes: AnyRoute[] = [
  serve(calculatorFacts, (ctx, { body }) => facts(ctx, body)),
  serve(listPlans, (ctx) => plans(ctx)),
  serve(savePlan, (ctx, { body }) => putPlan(ctx, body)),
  serve(defaultPlan, (ctx, { body }) => chooseDefault(ctx, body.id)),
  serve(removePlan, (ctx, { body }) => dropPlan(ctx, body)),
  serve(listEstimates, (ctx, { body }) => estimatePage(ctx, body)),
  serve(saveEstimate, (ctx, { body }) => putEstimate(ctx, body)),
  serve(readEstimate, (ctx, { params }) => estimateInput(ctx, params.id)),
  serve(removeEstimate, (ctx, { body }) => dropEstimate(ctx, body.calcId)),
];
