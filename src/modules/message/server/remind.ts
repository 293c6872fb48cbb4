import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { channelsOf, membersAmong, membersWith } from '#modules/identity/server/index.ts';
import { FTYPE } from '../contract/messages.ts';
import { sendOut } from './delivery/plan.ts';
import { paragraphs, sanitised } from './html.ts';

const MAX_TITLE = 100;

export interface Reminder {
  /** Members by id, or everybody who holds a permission now, but for one who knows already. */
  to: readonly string[] | { permission: string; except?: string | null };
  /** Plain text; what is longer than 100 characters is cut. */
  title: string;
  /** Plain text, a line a paragraph: marks in names stay marks. */
  content?: string | undefined;
  /** Instead of `content`: HTML, which is sanitised here. */
  html?: string | undefined;
  /** Stable name of what happened, e.g. "marketplace.authorisationLost": subscriptions refer to it. */
  event: string;
  /** The document that the message opens: see documentRoutes. */
  documentType?: string | undefined;
  documentId?: string | undefined;
  /** The reader is asked to examine the document. */
  approval?: boolean | undefined;
  /** A second message with the same key is not sent, e.g. "authorisationLost:<account>:<day>". */
  dedupeKey?: string | undefined;
  /** From then on nobody needs it: it leaves all inboxes. */
  expiresAt?: Date | undefined;
  /** A private message of the caller instead of a reminder. */
  private?: boolean | undefined;
}

/** Readers who did not switch the event off on the site; who is asked to examine something always finds it there. */
async function onSite(ctx: Ctx, { event, approval }: Reminder, readers: readonly string[]): Promise<readonly string[]> {
  if (approval) return readers;
  const chosen = await channelsOf(ctx, readers, event);
  return readers.filter((reader) => chosen.get(reader)?.includes('site'));
}

/**
 * Puts a message into the inboxes of its readers, in the caller's transaction: it exists only if that commits. After
 * that it also goes out by e-mail, SMS and so on to those who chose so for its event. Answers its id, or null where
 * nobody is to be told or the same was said before.
 */
export async function remind(ctx: Ctx, reminder: Reminder): Promise<string | null> {
  const { to } = reminder;
  const readers =
    'permission' in to
      ? (await membersWith(ctx, to.permission)).filter((reader) => reader !== to.except)
      : await membersAmong(ctx, to);
  if (readers.length === 0) return null;
  const ftype = reminder.private ? FTYPE.private : FTYPE.reminder;
  const row = await ctx.db
    .insertInto('message.message')
    .values({
      company_id: ctx.companyId,
      ftype,
      title: [...reminder.title.trim()].slice(0, MAX_TITLE).join(''),
      content: reminder.html === undefined ? paragraphs(reminder.content ?? '') : sanitised(reminder.html),
      event: reminder.event,
      approval: reminder.approval ?? false,
      document_type: reminder.documentType ?? null,
      document_id: reminder.documentId ?? null,
      dedupe_key: reminder.dedupeKey ?? null,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      expires_at: reminder.expiresAt ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'dedupe_key']).where('dedupe_key', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) return null;
  await sql`
    INSERT INTO message.inbox (company_id, user_id, message_id, ftype)
    SELECT ${ctx.companyId}::uuid, reader, ${row.id}::uuid, ${ftype}::smallint
      FROM unnest(${await onSite(ctx, reminder, readers)}::uuid[]) AS reader`.execute(ctx.db);
  await sendOut(ctx, row.id, reminder.event, readers);
  return row.id;
}
