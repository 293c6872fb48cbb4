import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as views from '../contract/views.ts';
import { addView, changeView, defaultsOf, removeView, setDefault, viewsOf } from './views.ts';

export const viewRoutes: AnyRoute[] = [
  serve(views.listViews, (ctx, { query }) => viewsOf(ctx, query.queryname)),
  serve(views.defaultViews, (ctx) => defaultsOf(ctx)),
  serve(views.addView, (ctx, { body }) => addView(ctx, body)),
  serve(views.setDefaultView, async (ctx, { body }) => {
    await setDefault(ctx, body.queryname, body.id);
    return 'success' as const;
  }),
  serve(views.changeView, async (ctx, { params, body }) => {
    await changeView(ctx, params.id, body);
    return 'success' as const;
  }),
  serve(views.removeView, async (ctx, { params }) => {
    await removeView(ctx, params.id);
    return 'success' as const;
  }),
];
