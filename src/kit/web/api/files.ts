import type { CallInput, EndpointDef, Reply } from '../../contract/endpoint.ts';
import { notice } from '../notice.tsx';
import { currentSession, sessionStands } from '../session.ts';
import { readAnswer } from './answer.ts';
import { type CallOptions, FILE_TIMEOUT, refuse, request } from './call.ts';
import { ApiError, CallCancelled, messageOf, NETWORK_FAILED, TIMED_OUT } from './errors.ts';
import { pathOf, queryOf, type RequestParts } from './url.ts';
import { uuid } from './uuid.ts';

/** A file that the browser keeps, or the background task that will make it. */
export type Download = { kind: 'file'; name: string; blob: Blob } | { kind: 'task'; taskId: string };

function nameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? 'download';
}

async function readDownload(response: Response): Promise<Download> {
  const isEnvelope = response.headers.get('content-type')?.includes('application/json') ?? false;
  const isAttachment = response.headers.has('content-disposition');
  if (response.ok && (isAttachment || !isEnvelope)) {
    return { kind: 'file', name: nameOf(response), blob: await response.blob() };
  }
  const data = readAnswer(response.status, await response.text());
  const taskId = (data as { taskId?: unknown } | null)?.taskId;
  if (typeof taskId !== 'string') throw new ApiError({ code: 0, msg: NETWORK_FAILED });
  return { kind: 'task', taskId };
}

/** Bytes of a file endpoint, to be shown in the page. @throws ApiError where it is refused */
export function blobOf<E extends EndpointDef>(endpoint: E, input: CallInput<E>): Promise<Blob> {
  return request(endpoint, input as RequestParts, { quiet: true }, async (response) => {
    const got = await readDownload(response);
    if (got.kind !== 'file') throw new ApiError({ code: 0, msg: NETWORK_FAILED });
    return got.blob;
  });
}

/** Hands a blob to the browser's downloads. */
export function keep(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Calls a file endpoint. A file goes to the browser's downloads; a large export answers with the id of the background
 * task that writes it. Failures are shown as 「导出失败：…」.
 */
export async function download<E extends EndpointDef>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Download> {
  try {
    const got = await request(endpoint, input as RequestParts, { timeout: FILE_TIMEOUT, ...options }, readDownload);
    if (got.kind === 'file') keep(got.blob, got.name);
    return got;
  } catch (error) {
    if (!options.quiet && error instanceof ApiError) notice.error(`导出失败：${messageOf(error)}`);
    throw error;
  }
}

export interface UploadOptions extends CallOptions {
  /** Share of the file that has left, 0 to 1. */
  onProgress?: (share: number) => void;
}

function send(endpoint: EndpointDef, input: RequestParts, form: FormData, options: UploadOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // fetch does not report how much of a body has been sent.
    const xhr = new XMLHttpRequest();
    xhr.open(endpoint.method, pathOf(endpoint, input.params) + queryOf(input.query));
    xhr.timeout = options.timeout ?? FILE_TIMEOUT;
    xhr.setRequestHeader('accept', 'application/json');
    xhr.setRequestHeader('idempotency-key', options.idempotencyKey ?? uuid());
    const session = currentSession();
    if (session) xhr.setRequestHeader('jsessionid', session.id);
    xhr.upload.onprogress = (event) => event.lengthComputable && options.onProgress?.(event.loaded / event.total);
    xhr.onerror = () => reject(new ApiError({ code: 0, msg: NETWORK_FAILED }));
    xhr.ontimeout = () => reject(new ApiError({ code: 0, msg: TIMED_OUT }));
    xhr.onabort = () => reject(new CallCancelled());
    xhr.onload = () => {
      try {
        resolve(readAnswer(xhr.status, xhr.responseText));
      } catch (error) {
        reject(error);
      }
    };
    options.signal?.addEventListener('abort', () => xhr.abort());
    xhr.send(form);
  });
}

/** Sends one file (field `file`) with the other fields of the endpoint's body, reporting progress. */
export async function upload<E extends EndpointDef>(
  endpoint: E,
  input: CallInput<E>,
  file: File,
  options: UploadOptions = {},
): Promise<Reply<E>> {
  if (!sessionStands()) throw new CallCancelled();
  const parts = input as RequestParts;
  const form = new FormData();
  // Fields go first: a server that streams the file must know them before it starts.
  for (const [key, value] of Object.entries((parts.body ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null) continue;
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.append('file', file, file.name);
  try {
    return (await send(endpoint, parts, form, options)) as Reply<E>;
  } catch (error) {
    return refuse(error, options.quiet);
  }
}
