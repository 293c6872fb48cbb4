import { z } from 'zod';
import { Box } from '#kit/contract/box.ts';
import { Id, Instant } from '#kit/contract/field.ts';

/** LIMIT: the marketplace refuses such a box. NOTE: it takes it with a mark of its own. */
export const BoxWarning = z.object({ level: z.enum(['LIMIT', 'NOTE']), text: z.string() });
export type BoxWarning = z.infer<typeof BoxWarning>;

/** A box as it stands: one that is being filled may still be empty. Sizes in cm, weight in kg. */
export const ShipBox = Box.extend({
  no: z.int(),
  /** The carton that it is packed in. */
  templateId: Id.nullable(),
  closed: z.boolean(),
  labelPrintedAt: Instant.nullable(),
  items: z.array(z.object({ lineId: Id, qty: z.int() })),
});
export type ShipBox = z.infer<typeof ShipBox>;

/** With what the marketplace's rules say of it. */
export const CheckedBox = ShipBox.extend({ warnings: z.array(BoxWarning) });
export type CheckedBox = z.infer<typeof CheckedBox>;

/** What the label on carton `no` of an order says to a scanner; it opens the box. */
export const boxCode = (order: string, no: number): string => `BX.${order}.${no}`;
