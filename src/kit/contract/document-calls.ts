import { z } from 'zod';
import { Id, Instant } from './field.ts';

/** A command to a document: `version` is what the caller saw. */
export const Command = z.object({
  id: Id.meta({ title: '单据' }),
  version: z.int().optional().meta({ title: '版本' }),
  reason: z.string().trim().max(200).optional().meta({ title: '原因' }),
});
export type Command = z.infer<typeof Command>;

/** A command that somebody will have to explain later. */
export const Reasoned = Command.extend({
  reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
});

/** What a command came to. `repeated`: it was done before and nothing has changed. */
export const Outcome = z.object({
  id: Id,
  number: z.string(),
  state: z.string(),
  version: z.int(),
  repeated: z.boolean(),
  message: z.string(),
});
export type Outcome = z.infer<typeof Outcome>;

/** A step that a document offers to the caller now; `blocked` says why it cannot be taken, if so. */
export const OfferedAction = z.object({
  name: z.string(),
  title: z.string(),
  primary: z.boolean(),
  reason: z.boolean(),
  consequence: z.string().optional(),
  blocked: z.string().optional(),
});
export type OfferedAction = z.infer<typeof OfferedAction>;

/** What happened to a document, newest first in its timeline. */
export const TimelineEntry = z.object({
  id: Id,
  at: Instant,
  kind: z.string(),
  actorName: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  title: z.string(),
  body: z.string().nullable(),
});
