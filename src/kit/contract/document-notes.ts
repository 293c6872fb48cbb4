import { z } from 'zod';
import type { DocumentDef } from './document.ts';
import { endpoint } from './endpoint.ts';
import { Id, Instant } from './field.ts';

/** Bytes that one attachment may have. */
export const ATTACHMENT_BYTES = 20 * 1024 * 1024;
/** Attachments that one document may have. */
export const ATTACHMENTS = 30;

/** What may be attached, by the ending of its name, and the media type it is served with. */
export const ATTACHMENT_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  csv: 'text/csv',
  txt: 'text/plain',
  eml: 'message/rfc822',
  zip: 'application/zip',
};

/** A file that somebody put to a document. */
export const Attachment = z.object({
  fileId: Id,
  name: z.string().meta({ title: '文件名' }),
  size: z.int().meta({ title: '大小（字节）' }),
  byName: z.string().meta({ title: '上传人' }),
  at: Instant.meta({ title: '上传时间' }),
  /** The caller put it there and may take it away. */
  mine: z.boolean(),
});
export type Attachment = z.infer<typeof Attachment>;

const Document = z.object({ id: Id.meta({ title: '单据' }) });
const AttachmentKey = Document.extend({ fileId: Id.meta({ title: '附件' }) });

interface Spec {
  def: DocumentDef;
  /** Where the calls of this kind of document begin, e.g. "/erp/api/v1/purchase/orders". */
  base: string;
  /** Who may read the document: reads its attachments and comments on it. */
  view: string;
  /** Who may put files to it. */
  attach: string;
}

/** The calls by which people talk about a document and keep its papers: comments and attachments. */
export function noteCalls({ def, base, view, attach }: Spec) {
  const at = (part: string) => `${base}/${part}` as `/${string}`;
  return {
    comment: endpoint({
      title: `${def.title}·评论`,
      method: 'POST',
      path: at('addComment'),
      permission: view,
      body: Document.extend({ text: z.string().trim().min(1, '请填写评论').max(1000).meta({ title: '评论' }) }),
      reply: z.null(),
    }),
    attachments: endpoint({
      title: `${def.title}·附件列表`,
      method: 'GET',
      path: at('attachments/:id'),
      permission: view,
      concurrent: true,
      params: Document,
      reply: z.array(Attachment),
    }),
    attach: endpoint({
      title: `${def.title}·上传附件`,
      method: 'POST',
      path: at('addAttachment'),
      permission: attach,
      upload: true,
      concurrent: true,
      body: Document,
      reply: z.object({ fileId: Id }),
    }),
    detach: endpoint({
      title: `${def.title}·移除附件`,
      method: 'POST',
      path: at('removeAttachment'),
      permission: attach,
      body: AttachmentKey,
      reply: z.null(),
    }),
    attachment: endpoint({
      title: `${def.title}·下载附件`,
      method: 'GET',
      path: at('attachment/:id/:fileId'),
      permission: view,
      file: true,
      params: AttachmentKey,
      reply: z.unknown(),
    }),
  };
}
export type NoteCalls = ReturnType<typeof noteCalls>;
