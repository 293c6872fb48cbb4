import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { changeDayKind, generateYear, listHolidays } from '../../contract/holidays.ts';
import { changeKind, generate, yearOf } from './calendar.ts';

export const calendarRoutes: AnyRoute[] = [
  serve(listHolidays, (ctx, { query }) => yearOf(ctx, query.year)),
  serve(generateYear, (ctx, { body }) => generate(ctx, body.year, body.reset)),
  serve(changeDayKind, async (ctx, { body }) => {
    await changeKind(ctx, body.day, body.kind, body.name);
    return 'success' as const;
  }),
];
