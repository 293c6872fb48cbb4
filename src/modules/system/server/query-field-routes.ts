import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import {
  deleteVersion,
  loadFields,
  myVersions,
  saveVersion,
  saveVersionWithName,
  shareVersion,
  usedVersion,
  useVersion,
  versionById,
} from '../contract.ts';
import { catalogueOf } from './catalogue.ts';
import { byId, choose, put, remove, save, share, usedOf, versionsOf } from './query-fields.ts';

export const queryFieldRoutes: AnyRoute[] = [
  serve(myVersions, (ctx, { query }) => versionsOf(ctx, query.queryname)),
  serve(usedVersion, (ctx, { query }) => usedOf(ctx, query.queryname)),
  serve(versionById, (ctx, { query }) => byId(ctx, query.id)),
  serve(loadFields, async (ctx, { query }) => catalogueOf(ctx, query.queryname)),
  serve(deleteVersion, async (ctx, { query }) => {
    await remove(ctx, query.versionid);
    return 'success' as const;
  }),
  serve(saveVersionWithName, (ctx, { body }) => put(ctx, body.queryname, body.versionname, body.fieldlist)),
  serve(saveVersion, (ctx, { params, body }) => save(ctx, params.id, body)),
  serve(useVersion, async (ctx, { body }) => {
    await choose(ctx, body.queryname, body.id);
    return 'success' as const;
  }),
  serve(shareVersion, async (ctx, { params, body }) => {
    await share(ctx, params.id, body.shared);
    return 'success' as const;
  }),
];
