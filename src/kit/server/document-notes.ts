import { basename, extname } from 'node:path';
import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { DocumentDef } from '#kit/contract/document.ts';
import {
  ATTACHMENT_BYTES,
  ATTACHMENT_TYPES,
  ATTACHMENTS,
  type Attachment,
  type NoteCalls,
} from '#kit/contract/document-notes.ts';
import { audit } from './audit.ts';
import type { Ctx } from './context.ts';
import { note } from './document.ts';
import { notFound, refused } from './errors.ts';
import { emit, event } from './events.ts';
import { fileOf, recordFile } from './files.ts';
import { type AnyRoute, FileReply, type OpenCtx, serve, serveOpen } from './http/serve.ts';
import { inTenant } from './runtime.ts';

const PURPOSE = 'attachment';
/** Days that the bytes of a removed attachment are still kept. */
const KEEP_DAYS = 30;

/** Somebody wrote a comment on a document. */
export interface Comment {
  documentType: string;
  documentId: string;
  /** e.g. 采购单 */
  title: string;
  number: string;
  text: string;
  /** Who may read the document. */
  view: string;
  /** Members who did something to the document before, the writer left out. */
  taken: readonly string[];
}
export const documentCommented = event<Comment>('kit.documentCommented');

interface Noted {
  def: DocumentDef;
  /** Reads a document within the caller's data rights. @throws notFound */
  find: (ctx: Ctx, id: string) => Promise<{ number: string }>;
}

async function comment(ctx: Ctx, kind: Noted, view: string, { id, text }: { id: string; text: string }): Promise<null> {
  const { number } = await kind.find(ctx, id);
  const { name, title } = kind.def;
  const { rows } = await sql<{ actor: string }>`
    SELECT DISTINCT actor_id AS actor FROM kit.timeline
     WHERE company_id = ${ctx.companyId} AND document_type = ${name} AND document_id = ${id}
       AND actor_id IS NOT NULL AND actor_id IS DISTINCT FROM ${ctx.userId}::uuid`.execute(ctx.db);
  await note(ctx, name, id, { kind: 'comment', title: '评论', body: text });
  await audit(ctx, { action: `${title}·评论`, resource: name, resourceId: id, after: { 评论: text } });
  const taken = rows.map((row) => row.actor);
  await emit(ctx, documentCommented, { documentType: name, documentId: id, title, number, text, view, taken });
  return null;
}

async function attachmentsOf(ctx: Ctx, kind: Noted, id: string): Promise<Attachment[]> {
  await kind.find(ctx, id);
  const { rows } = await sql<Attachment>`
    SELECT a.file_id AS "fileId", f.name, f.size::int8 AS size, coalesce(t.actor_name, '系统') AS "byName",
           a.created_at AS at, coalesce(a.created_by = ${ctx.userId}::uuid, false) AS mine
      FROM kit.attachment a JOIN kit.file f ON f.company_id = a.company_id AND f.id = a.file_id
      LEFT JOIN LATERAL (
        SELECT actor_name FROM kit.timeline
         WHERE company_id = a.company_id AND document_type = a.document_type AND document_id = a.document_id
           AND actor_id = a.created_by ORDER BY id DESC LIMIT 1) t ON true
     WHERE a.company_id = ${ctx.companyId} AND a.document_type = ${kind.def.name} AND a.document_id = ${id}
     ORDER BY a.created_at, a.file_id`.execute(ctx.db);
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Last part of whatever path a browser sent, without signs that cannot be seen. */
function nameOf(sent: string): string {
  const name = basename(sent.replaceAll('\\', '/')).replace(/\p{C}/gu, '').trim();
  return [...name].slice(-150).join('') || '附件';
}

function typeOf(name: string): string {
  const ending = extname(name).slice(1).toLowerCase();
  const type = Object.hasOwn(ATTACHMENT_TYPES, ending) ? ATTACHMENT_TYPES[ending] : undefined;
  if (!type) throw refused(`不支持该文件格式，可上传 ${Object.keys(ATTACHMENT_TYPES).join('、')}`, 'B0180');
  return type;
}

/** The bytes up to the limit. The rest is read and dropped: a refusal within a body would reach nobody. */
async function* limited(stream: Readable): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= ATTACHMENT_BYTES) yield chunk;
  }
  if (size > ATTACHMENT_BYTES) throw refused(`附件不能超过${ATTACHMENT_BYTES / 1024 / 1024}MB`, 'B0181');
  if (size === 0) throw refused('文件是空的', 'B0182');
}

async function countOf(ctx: Ctx, kind: Noted, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM kit.attachment
     WHERE company_id = ${ctx.companyId} AND document_type = ${kind.def.name} AND document_id = ${id}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

async function attach(open: OpenCtx, kind: Noted, id: string): Promise<{ fileId: string }> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const { fileName, stream } = await open.upload();
  const { runtime, principal } = open;
  const name = nameOf(fileName);
  const mediaType = await Promise.resolve()
    .then(() => inTenant(runtime, principal, (ctx) => kind.find(ctx, id), { readOnly: true }))
    .then(() => typeOf(name))
    .catch((error: unknown) => {
      stream.resume();
      throw error;
    });
  const stored = await runtime.files.put(principal.companyId, limited(stream));
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      // Two uploads at once would both find the last place free.
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`attachment:${id}`}, 0))`.execute(ctx.db);
      if ((await countOf(ctx, kind, id)) >= ATTACHMENTS) throw refused(`一张单据最多${ATTACHMENTS}个附件`, 'B0183');
      const fileId = await recordFile(ctx, stored, { name, mediaType, purpose: PURPOSE });
      await ctx.db
        .insertInto('kit.attachment')
        .values({
          company_id: ctx.companyId,
          document_type: kind.def.name,
          document_id: id,
          file_id: fileId,
          created_by: ctx.userId,
        })
        .execute();
      await noted(ctx, kind, id, '上传附件', name);
      return { fileId };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

async function noted(ctx: Ctx, { def }: Noted, id: string, action: string, name: string): Promise<void> {
  await note(ctx, def.name, id, { kind: 'note', title: action, body: name });
  await audit(ctx, {
    action: `${def.title}·${action}`,
    resource: def.name,
    resourceId: id,
    ...(action === '移除附件' ? { before: { 附件: name } } : { after: { 附件: name } }),
  });
}

async function attachmentOf(ctx: Ctx, kind: Noted, key: { id: string; fileId: string }) {
  await kind.find(ctx, key.id);
  const row = await ctx.db
    .selectFrom('kit.attachment')
    .select('created_by')
    .where('company_id', '=', ctx.companyId)
    .where('document_type', '=', kind.def.name)
    .where('document_id', '=', key.id)
    .where('file_id', '=', key.fileId)
    .executeTakeFirst();
  if (!row) throw notFound('附件不存在或已移除');
  return { ...(await fileOf(ctx, key.fileId)), by: row.created_by };
}

async function detach(ctx: Ctx, kind: Noted, key: { id: string; fileId: string }): Promise<null> {
  const { name, by } = await attachmentOf(ctx, kind, key);
  if (by !== ctx.userId) throw refused('只能移除自己上传的附件', 'B0184');
  await ctx.db
    .deleteFrom('kit.attachment')
    .where('company_id', '=', ctx.companyId)
    .where('document_type', '=', kind.def.name)
    .where('document_id', '=', key.id)
    .where('file_id', '=', key.fileId)
    .execute();
  await sql`
    UPDATE kit.file SET expires_at = kit.now() + make_interval(days => ${KEEP_DAYS})
     WHERE company_id = ${ctx.companyId} AND id = ${key.fileId}`.execute(ctx.db);
  await noted(ctx, kind, key.id, '移除附件', name);
  return null;
}

async function read(open: OpenCtx, kind: Noted, key: { id: string; fileId: string }): Promise<FileReply> {
  const { runtime, principal } = open;
  const file = await inTenant(runtime, principal, (ctx) => attachmentOf(ctx, kind, key), { readOnly: true });
  return new FileReply(file.name, file.media_type, runtime.files.open(principal.companyId, file.sha256));
}

/**
 * Serves the comments and attachments of one kind of document; whoever may read the document reaches them. Refuses other formats (B0180), too many bytes (B0181), empty files (B0182), too many files
 * (B0183) and the removal of what somebody else attached (B0184).
 */
export function noteRoutes(calls: NoteCalls, kind: Noted): AnyRoute[] {
  return [
    serve(calls.comment, (ctx, { body }) => comment(ctx, kind, calls.comment.permission, body)),
    serve(calls.attachments, (ctx, { params }) => attachmentsOf(ctx, kind, params.id)),
    serveOpen(calls.attach, (open, { body }) => attach(open, kind, body.id)),
    serve(calls.detach, (ctx, { body }) => detach(ctx, kind, body)),
    serveOpen(calls.attachment, (open, { params }) => read(open, kind, params)),
  ];
}
