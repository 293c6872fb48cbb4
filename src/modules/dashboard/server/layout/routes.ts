import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as layout from '../../contract/layout.ts';
import { forgetLayout, keepLayout, layoutOf } from './layout.ts';
import { dropTemplate, putTemplate, templates } from './templates.ts';

export const layoutRoutes: AnyRoute[] = [
  serve(layout.getLayout, (ctx) => layoutOf(ctx)),
  serve(layout.saveLayout, async (ctx, { body }) => {
    await keepLayout(ctx, body.version, body.cards);
    return layoutOf(ctx);
  }),
  serve(layout.resetLayout, async (ctx) => {
    await forgetLayout(ctx);
    return layoutOf(ctx);
  }),
  serve(layout.listTemplates, (ctx) => templates(ctx)),
  serve(layout.saveTemplate, async (ctx, { body }) => {
    await putTemplate(ctx, body.roleIds, body.cards);
    return 'success' as const;
  }),
  serve(layout.removeTemplate, async (ctx, { params }) => {
    await dropTemplate(ctx, params.roleId);
    return 'success' as const;
  }),
];
