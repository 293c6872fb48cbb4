import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { fileOf } from '#kit/server/files.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { loaded, type SelfDoc } from '../load.ts';

interface StoredLabel {
  docId: string;
  format: 'PDF' | 'ZPL';
  fileId: string;
}

/** Files of the labels that documents have now, by document. */
async function storedOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, StoredLabel>> {
  const { rows } = await sql<StoredLabel>`
    SELECT l.doc_id AS "docId", l.format, l.file_id AS "fileId" FROM shipping.self_label AS l
     WHERE l.company_id = ${ctx.companyId} AND l.doc_id = ANY (${[...ids]}::uuid[]) AND l.state = 'bought'
       AND l.file_id IS NOT NULL`.execute(ctx.db);
  return new Map(rows.map((row) => [row.docId, row]));
}

async function bytesOf(ctx: Ctx, { fileId }: StoredLabel): Promise<Buffer> {
  const { sha256 } = await fileOf(ctx, fileId);
  return buffer(ctx.runtime.files.open(ctx.companyId, sha256));
}

/**
 * PDF of the bought label of each of the documents that has one, by document.
 * @throws refused B1425 where a label is one for label printers, or its file is not there
 */
export async function boughtPdfs(ctx: Ctx, docs: readonly SelfDoc[]): Promise<Map<string, Buffer>> {
  const bought = docs.filter(({ labelState }) => labelState === 'bought');
  const stored = await storedOf(
    ctx,
    bought.map(({ id }) => id),
  );
  const pdfs = new Map<string, Buffer>();
  for (const { id, number } of bought) {
    const label = stored.get(id);
    if (!label) throw refused(`自发货单${number}的面单没有文件，请在「面单」页签取回，或在卖家后台下载`, 'B1425');
    if (label.format === 'ZPL') throw refused(`自发货单${number}的面单是ZPL格式，请用「打印ZPL面单」`, 'B1425');
    pdfs.set(id, await bytesOf(ctx, label));
  }
  return pdfs;
}

/** ZPL of the labels of documents, one after the other. @throws notFound; refused B1425 for one without such a label */
export async function zplLabels(ctx: Ctx, ids: readonly string[]): Promise<FileReply> {
  const stored = await storedOf(ctx, ids);
  const parts: Buffer[] = [];
  let first = '';
  for (const id of new Set(ids)) {
    const { number } = await loaded(ctx, id);
    first ||= number;
    const label = stored.get(id);
    if (label?.format !== 'ZPL') throw refused(`自发货单${number}没有ZPL格式的面单`, 'B1425');
    parts.push(await bytesOf(ctx, label));
  }
  return new FileReply(`面单-${first}.zpl`, 'application/zpl', Buffer.concat(parts));
}
