import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadFile } from '#modules/system/contract.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { DiskFileStore, recordFile } from '../files.ts';
import { dropExpiredFiles } from '../files-expiry.ts';

const US = randomUUID();
const THEM = randomUUID();
let root: string;
let store: DiskFileStore;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'erp-files-'));
  store = new DiskFileStore(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function kept(company: string): Promise<string[]> {
  const entries = await readdir(join(root, company), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('bytes on disk', () => {
  test('come back as they went, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.integer({ min: 1, max: 700 }), async (bytes, step) => {
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step));
        const stored = await store.put(US, Readable.from(chunks));
        expect(stored).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
        expect(Buffer.compare(await buffer(store.open(US, stored.sha256)), Buffer.from(bytes))).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test('the same bytes are kept once, however often and however many put them at a time', async () => {
    const company = randomUUID();
    const bytes = randomBytes(100_000);
    const hashes = await Promise.all(Array.from({ length: 8 }, () => store.put(company, Readable.from([bytes]))));
    expect(new Set(hashes.map((stored) => stored.sha256)).size).toBe(1);
    expect(await kept(company)).toEqual([hashes[0]?.sha256]);
    expect(await buffer(store.open(company, hashes[0]?.sha256 ?? ''))).toEqual(bytes);
  });

  test('of one company are not those of another', async () => {
    const { sha256 } = await store.put(US, Readable.from([Buffer.from('ours')]));
    expect([await store.has(US, sha256), await store.has(THEM, sha256)]).toEqual([true, false]);
    await expect(buffer(store.open(THEM, sha256))).rejects.toThrow(/ENOENT/);
  });

  test('an upload that breaks off leaves nothing behind', async () => {
    const company = randomUUID();
    const broken = (async function* () {
      yield Buffer.from('half');
      throw new Error('connection lost');
    })();
    await expect(store.put(company, broken)).rejects.toThrow('connection lost');
    expect(await kept(company)).toEqual([]);
  });

  test.each(['../../secret.key', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])('%s is no content hash', (name) => {
    expect(() => store.open(US, name)).toThrow('not a content hash');
  });
});

describe('files of a company', () => {
  let world: World;
  let owner: Person;
  beforeAll(async () => {
    world = await createWorld();
    owner = await world.owner();
  });
  afterAll(() => world.close());

  async function recorded(name: string, expiresAt?: Date): Promise<string> {
    const stored = await world.runtime.files.put(owner.companyId, Readable.from([Buffer.from('内容')]));
    const info = { name, mediaType: 'text/plain', purpose: 'export', ...(expiresAt ? { expiresAt } : {}) };
    return world.as(owner, (ctx) => recordFile(ctx, stored, info));
  }

  test('are given to who made them, under their name', async () => {
    const id = await recorded('订单 2026"\r\n/..\\.csv');
    const answer = await owner.send(downloadFile, { params: { id } });
    expect([answer.status, answer.raw.toString('utf8')]).toEqual([200, '内容']);
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('订单 2026"\r\n/..\\.csv')}`,
    );
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  test('are nobody else’s, and nobody’s once their time is over', async () => {
    const id = await recorded('a.csv');
    const colleague = await world.member(owner, []);
    const stranger = await world.owner('另一家');
    for (const person of [colleague, stranger]) {
      expect((await person.send(downloadFile, { params: { id } })).status).toBe(404);
    }
    const old = await recorded('b.csv', new Date(worldClock().ms() - 1000));
    expect(await owner.send(downloadFile, { params: { id: old } })).toMatchObject({
      status: 404,
      msg: '文件不存在或已过期',
    });
    expect(
      (
        await owner.send(downloadFile, {
          params: { id: await recorded('c.csv', new Date(worldClock().ms() + 60_000)) },
        })
      ).status,
    ).toBe(200);
  });

  test('lose their bytes when their time is over, unless another file still has the same ones', async () => {
    const { files } = world.runtime;
    const put = (text: string) => files.put(owner.companyId, Readable.from([text]));
    const past = new Date(worldClock().ms() - 1000);
    const record = (stored: { sha256: string; size: number }, name: string, expiresAt?: Date) =>
      world.as(owner, (ctx) =>
        recordFile(ctx, stored, {
          name,
          mediaType: 'text/csv',
          purpose: 'export',
          ...(expiresAt ? { expiresAt } : {}),
        }),
      );
    const [alone, both, fresh] = [await put('alone'), await put('both'), await put('fresh')];
    await record(alone, 'alone.csv', past);
    await record(both, 'old.csv', past);
    const kept = await record(both, 'kept.csv');
    await record(fresh, 'later.csv', new Date(worldClock().ms() + 60_000));
    const lies = ({ sha256 }: { sha256: string }) => files.has(owner.companyId, sha256);
    // What was put there a moment ago may be about to be recorded by somebody.
    await dropExpiredFiles(world.runtime);
    expect(await lies(alone)).toBe(true);
    await dropExpiredFiles(world.runtime, 0);
    expect([await lies(alone), await lies(both), await lies(fresh)]).toEqual([false, true, true]);
    expect((await owner.send(downloadFile, { params: { id: kept } })).status).toBe(200);
    expect(await dropExpiredFiles(world.runtime, 0)).toBe(0);
  });

  test('whose bytes are gone are a fault in words, not a download that breaks off', async () => {
    const id = await recorded('lost.csv');
    await rm(join(world.runtime.config.dataDir, 'files'), { recursive: true });
    const answer = await owner.send(downloadFile, { params: { id } });
    expect([answer.status, answer.code, answer.msg]).toEqual([500, 500, '系统繁忙，请稍后重试']);
  });
});
