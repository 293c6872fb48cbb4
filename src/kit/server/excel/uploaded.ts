import { refused } from '../errors.ts';
import type { OpenCtx } from '../http/serve.ts';
import { SheetRefused } from './read.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/** The uploaded file, held in memory. @throws refused B0022 without one, B0933 above 10 MB */
export async function uploadedBytes(open: OpenCtx): Promise<{ name: string; bytes: Buffer }> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of upload.stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw refused('文件不能超过 10 MB', 'B0933');
    chunks.push(chunk);
  }
  return { name: upload.fileName, bytes: Buffer.concat(chunks) };
}

/** What a reader of sheets answers; its refusal in words that the caller may read. @throws refused B0933 */
export async function readOrRefuse<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof SheetRefused) throw refused(error.message, 'B0933');
    throw error;
  }
}
