import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { readMonthEnd } from '../contract/closing.ts';
import { monthEnd } from './read.ts';

export const routes: AnyRoute[] = [serve(readMonthEnd, (ctx, { query }) => monthEnd(ctx, query.month))];
