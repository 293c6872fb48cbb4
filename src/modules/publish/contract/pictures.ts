import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { base, EDIT } from './draft.ts';

/** Attributes that hold pictures, the main one first. */
export const PICTURE = /^(main_product_image_locator|other_product_image_locator_\d+)$/;

/** A picture for a draft: JPG or PNG up to 10 MB, known by its content. Answers the address by which Amazon fetches it. */
export const uploadPicture = endpoint({
  title: '上传商品图片',
  method: 'POST',
  path: `${base}/picture`,
  permission: EDIT,
  upload: true,
  body: z.object({ id: Id }),
  reply: z.object({
    url: z.string(),
    width: z.int(),
    height: z.int(),
    /** What is not refused but should be better; null where nothing is. */
    warning: z.string().nullable(),
  }),
});

/** A picture by its sealed address, for whoever was given it: Amazon fetches it without a session. */
export const fetchPicture = endpoint({
  title: '读取商品图片',
  method: 'GET',
  path: `${base}/image/:token`,
  permission: 'public',
  file: true,
  params: z.object({ token: z.string().max(300).meta({ title: '图片地址' }) }),
  reply: z.unknown(),
});
