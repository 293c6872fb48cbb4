import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id } from '#kit/contract/field.ts';
import { MOST_LABELS, UnitLayout } from '#kit/contract/unit-layout.ts';
import { BOX, base, VIEW } from '../fields.ts';
import { MOST_BOXES } from './calls.ts';

const OrderId = Id.meta({ title: '发货单' });

/** The code with what lies in a box, for the fulfilment centre's scanners. */
export const ContentCode = Choice({ NONE: '不打印', PDF417: 'PDF417', QR: '二维码' }, '箱内信息码');
export type ContentCode = z.infer<typeof ContentCode>;

/** 箱唛: labels of cartons, 100 x 150 mm; notes for each box that its label is printed. */
export const printCartonLabels = endpoint({
  title: '打印箱唛',
  method: 'POST',
  path: `${base}/box/labels`,
  permission: BOX,
  file: true,
  body: z.object({
    id: OrderId,
    /** All boxes where left out. */
    boxNos: z.array(z.int().min(1)).min(1).max(MOST_BOXES).optional().meta({ title: '箱号' }),
    content: ContentCode.default('NONE'),
  }),
  reply: z.unknown(),
});

/** FNSKU labels of pieces: of the lines that are named, of one box, or of all lines that the seller labels. */
export const printUnitLabels = endpoint({
  title: '打印FNSKU标签',
  method: 'POST',
  path: `${base}/box/unitLabels`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: z.object({
    id: OrderId,
    layout: UnitLayout.default('GRID_24'),
    lines: z
      .array(
        z.object({
          lineId: Id.meta({ title: '明细行' }),
          copies: z.int().min(1, '张数必须为正整数').max(MOST_LABELS).meta({ title: '张数' }),
        }),
      )
      .min(1)
      .max(2000)
      .optional()
      .meta({ title: '明细' }),
    boxNo: z.int().min(1).max(MOST_BOXES).optional().meta({ title: '箱号' }),
    /** Places of the first sheet that are empty already. */
    used: z.int().min(0).max(43).default(0).meta({ title: '首页已用张数' }),
  }),
  reply: z.unknown(),
});
