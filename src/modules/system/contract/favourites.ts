import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base } from './shared.ts';

/** Route of a screen of this product, without its query. */
const ScreenPath = z
  .string()
  .trim()
  .max(200, '页面地址过长')
  .regex(/^\/([^\s?#\\/][^\s?#\\]*)?$/, '页面地址不正确')
  .meta({ title: '页面' });

const Paths = z.array(z.string());

/** Paths of the screens that the caller starred, in the order of starring. */
export const listFavourites = endpoint({
  title: '我的收藏',
  method: 'GET',
  path: `${base}/favourites`,
  permission: 'login',
  concurrent: true,
  reply: Paths,
});

/** Answers all of them as they are now; starring twice changes nothing. B0721 beyond 60. */
export const addFavourite = endpoint({
  title: '收藏页面',
  method: 'POST',
  path: `${base}/favourites`,
  permission: 'login',
  body: z.object({ path: ScreenPath }),
  reply: Paths,
});

/** Answers what is left; a screen that is not starred is left alone. */
export const removeFavourite = endpoint({
  title: '取消收藏页面',
  method: 'DELETE',
  path: `${base}/favourites`,
  permission: 'login',
  query: z.object({ path: ScreenPath }),
  reply: Paths,
});
