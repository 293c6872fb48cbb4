import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import {
  addDict,
  addItem,
  getDict,
  getItem,
  listItems,
  pageDicts,
  pageItems,
  removeDict,
  removeItem,
  saveDict,
  saveItem,
  selectItems,
} from '../../contract/dictionaries.ts';
import { windowOf } from '../../contract/shared.ts';
import { deleteDict, dictById, dictPage, insertDict, updateDict } from './dicts.ts';
import { choicesOf, deleteItem, insertItem, itemById, itemList, itemPage, updateItem } from './items.ts';

export const dictionaryRoutes: AnyRoute[] = [
  serve(pageDicts, (ctx, { query }) => dictPage(ctx, query, windowOf(query))),
  serve(getDict, (ctx, { params }) => dictById(ctx, params.id)),
  serve(addDict, (ctx, { body }) => insertDict(ctx, body)),
  serve(saveDict, async (ctx, { params, body }) => {
    await updateDict(ctx, params.id, body);
    return 'success' as const;
  }),
  serve(removeDict, async (ctx, { params }) => {
    await deleteDict(ctx, params.id);
    return 'success' as const;
  }),
  serve(listItems, (ctx, { query }) => itemList(ctx, query)),
  serve(pageItems, (ctx, { query }) => itemPage(ctx, query, windowOf(query))),
  serve(selectItems, (ctx, { params }) => choicesOf(ctx, params.code)),
  serve(getItem, (ctx, { params }) => itemById(ctx, params.id)),
  serve(addItem, (ctx, { body }) => insertItem(ctx, body)),
  serve(saveItem, async (ctx, { params, body }) => {
    await updateItem(ctx, params.id, body);
    return 'success' as const;
  }),
  serve(removeItem, async (ctx, { params }) => {
    await deleteItem(ctx, params.id);
    return 'success' as const;
  }),
];
