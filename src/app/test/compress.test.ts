import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressUnder } from '../compress.ts';

const SCRIPT = 'export const title = "跨境电商";\n'.repeat(500);
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'erp-compress-'));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'assets/app-1.js'), SCRIPT);
  await writeFile(join(root, 'assets/small-1.js'), 'export {};');
  await writeFile(join(root, 'assets/font-1.woff2'), Buffer.alloc(5000, 7));
  await compressUnder(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('scripts get a brotli and a gzip twin with the same content; fonts and tiny files get none', async () => {
  expect((await readdir(join(root, 'assets'))).sort()).toEqual([
    'app-1.js',
    'app-1.js.br',
    'app-1.js.gz',
    'font-1.woff2',
    'small-1.js',
  ]);
  const read = (name: string) => readFile(join(root, 'assets', name));
  expect(brotliDecompressSync(await read('app-1.js.br')).toString('utf8')).toBe(SCRIPT);
  expect(gunzipSync(await read('app-1.js.gz')).toString('utf8')).toBe(SCRIPT);
});

test('a file that the not-found handler sends goes out compressed as the browser can take it', async () => {
  const app = Fastify();
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true });
  app.setNotFoundHandler((request, reply) => reply.sendFile(request.url.slice(1), { maxAge: '365d', immutable: true }));
  const sent = (accept: string) => app.inject({ url: '/assets/app-1.js', headers: { 'accept-encoding': accept } });
  for (const [accept, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
  ] as const) {
    const answer = await sent(accept);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-type']).toContain('javascript');
    expect(answer.headers.vary).toContain('accept-encoding');
    expect(answer.rawPayload.length).toBeLessThan(SCRIPT.length / 5);
  }
  const plain = await sent('identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toBe(SCRIPT);
  const small = await app.inject({ url: '/assets/small-1.js', headers: { 'accept-encoding': 'br, gzip' } });
  expect(small.body).toBe('export {};');
  await app.close();
});
