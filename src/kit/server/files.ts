import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import { notFound } from './errors.ts';

export interface StoredBytes {
  sha256: string;
  size: number;
}

/** Where bytes lie: by company and content hash, so the same bytes are kept once and never overwritten. */
export interface FileStore {
  /** Stores a stream; memory use does not depend on its length. */
  put(companyId: string, bytes: AsyncIterable<Uint8Array> | Readable): Promise<StoredBytes>;
  open(companyId: string, sha256: string): Readable;
  has(companyId: string, sha256: string): Promise<boolean>;
  /**
   * Takes away some bytes of a company, unless they were put there within the last `restMs`: whoever just did has not
   * recorded them yet. Says whether nothing lies there any more.
   */
  drop(companyId: string, sha256: string, restMs: number): Promise<boolean>;
  /** Takes away everything that lies there for a company; does nothing where nothing does. */
  forget(companyId: string): Promise<void>;
}

const HASH = /^[0-9a-f]{64}$/;
const COMPANY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Files in a directory of this machine, compressed; hash and size are those of the plain bytes. */
export class DiskFileStore implements FileStore {
  readonly #root: string;
  constructor(root: string) {
    this.#root = root;
  }

  #path(companyId: string, sha256: string): string {
    if (!HASH.test(sha256)) throw new Error('not a content hash');
    return join(this.#root, companyId, sha256.slice(0, 2), sha256);
  }

  async put(companyId: string, bytes: AsyncIterable<Uint8Array> | Readable): Promise<StoredBytes> {
    const directory = join(this.#root, companyId);
    // Not awaited: a source that breaks before the pipeline listens to it would end the process.
    mkdirSync(directory, { recursive: true });
    const partial = join(directory, `partial-${randomUUID()}`);
    const hash = createHash('sha256');
    let size = 0;
    try {
      await pipeline(
        bytes,
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            size += chunk.length;
            yield chunk;
          }
        },
        createZstdCompress(),
        createWriteStream(partial),
      );
      const sha256 = hash.digest('hex');
      const target = this.#path(companyId, sha256);
      await mkdir(join(target, '..'), { recursive: true });
      await rename(partial, target);
      return { sha256, size };
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  open(companyId: string, sha256: string): Readable {
    const file = createReadStream(this.#path(companyId, sha256));
    const plain = createZstdDecompress();
    file.on('error', (error) => plain.destroy(error));
    return file.pipe(plain);
  }

  async has(companyId: string, sha256: string): Promise<boolean> {
    return stat(this.#path(companyId, sha256)).then(
      () => true,
      () => false,
    );
  }

  async drop(companyId: string, sha256: string, restMs: number): Promise<boolean> {
    const path = this.#path(companyId, sha256);
    const found = await stat(path).catch(() => undefined);
    // By the disk's clock, which is this machine's.
    if (found && Date.now() - found.mtimeMs < restMs) return false;
    await rm(path, { force: true });
    return true;
  }

  async forget(companyId: string): Promise<void> {
    // Anything but an id could name a place outside of the company's own.
    if (!COMPANY.test(companyId)) throw new Error('not the id of a company');
    await rm(join(this.#root, companyId), { recursive: true, force: true });
  }
}

export interface FileInfo {
  name: string;
  mediaType: string;
  /** What it is for, e.g. "export", "report", "upload". */
  purpose: string;
  /** From then on nobody gets it, and its bytes go; kept for good where left out. */
  expiresAt?: Date;
}

/** Records stored bytes as a file of the company; returns its id. */
export async function recordFile(ctx: Ctx, stored: StoredBytes, info: FileInfo): Promise<string> {
  const row = await ctx.db
    .insertInto('kit.file')
    .values({
      company_id: ctx.companyId,
      name: info.name.slice(0, 200),
      media_type: info.mediaType,
      size: stored.size,
      sha256: stored.sha256,
      purpose: info.purpose,
      created_by: ctx.userId,
      expires_at: info.expiresAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The record of a file of the caller's company; 404 for anybody else's and for one whose time is over. */
export async function fileOf(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('kit.file')
    .select(['id', 'name', 'media_type', 'size', 'sha256', 'purpose', 'created_by'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`kit.now()`)]))
    .executeTakeFirst();
  if (!row) throw notFound('文件不存在或已过期');
  return row;
}
