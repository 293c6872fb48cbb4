import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { calculatorFacts } from '../contract/calculator.ts';
import { facts } from './facts.ts';

export const routes: AnyRoute[] = [serve(calculatorFacts, (ctx, { body }) => facts(ctx, body))];
