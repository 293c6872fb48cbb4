import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import {
  addTag,
  addTagGroup,
  listTagGroups,
  mergeTags,
  removeTag,
  removeTagGroup,
  saveTag,
  saveTagGroup,
  selectTags,
} from '../../contract/tags.ts';
import { deleteGroup, groupRows, insertGroup, updateGroup } from './groups.ts';
import { deleteTag, insertTag, merge, tagsInUse, updateTag } from './tags.ts';

export const tagRoutes: AnyRoute[] = [
  serve(listTagGroups, (ctx) => groupRows(ctx)),
  serve(addTagGroup, (ctx, { body }) => insertGroup(ctx, body)),
  serve(saveTagGroup, async (ctx, { params, body }) => {
    await updateGroup(ctx, params.id, body);
    return 'success' as const;
  }),
  serve(removeTagGroup, async (ctx, { params }) => {
    await deleteGroup(ctx, params.id);
    return 'success' as const;
  }),
  serve(selectTags, (ctx) => tagsInUse(ctx)),
  serve(addTag, (ctx, { body }) => insertTag(ctx, body)),
  serve(saveTag, async (ctx, { params, body }) => {
    await updateTag(ctx, params.id, body);
    return 'success' as const;
  }),
  serve(removeTag, async (ctx, { params }) => {
    await deleteTag(ctx, params.id);
    return 'success' as const;
  }),
  serve(mergeTags, async (ctx, { body }) => ({ moved: await merge(ctx, body.from, body.to) })),
];
