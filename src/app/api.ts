import { existsSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createApp, withoutApiPrefix } from '#kit/server/http/app.ts';
import { openApiOf } from '#kit/server/http/openapi.ts';
import type { AnyRoute } from '#kit/server/http/serve.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { createAuthenticator, mountProvider, stopCaptcha } from '#modules/identity/server/index.ts';
import { stopPush } from '#modules/message/server/index.ts';
import { modules } from './modules.ts';
import { mountReference } from './reference.ts';

export const routes: readonly AnyRoute[] = modules.flatMap((module) => module.routes ?? []);

const PAGE = fileURLToPath(new URL('../../dist/web', import.meta.url));
/** Beginnings of addresses that are calls, whether one answers there or not; clients of old know /user/. */
const SERVICES = [
  '/auth/',
  '/user/',
  '/sso/',
  '/oauth2/',
  '/admin/api/',
  '/amazon/api/',
  '/amazonadv/api/',
  '/erp/api/',
];
/** Services that are described each by itself as well. */
const DOCUMENTED = ['admin', 'auth', 'erp', 'amazon', 'amazonadv'];

function isCall(url: string): boolean {
  const path = withoutApiPrefix(url);
  return url.startsWith('/api/') || SERVICES.some((service) => path.startsWith(service));
}

/** Name of a built file below the page's directory, or undefined where the path names none. */
function builtFile(path: string): string | undefined {
  // Built names are plain; anything else in a path, escapes included, is no file of ours.
  if (!/^[\w./-]+\.\w+$/.test(path)) return undefined;
  const file = normalize(join(PAGE, path));
  return file.startsWith(PAGE + sep) && existsSync(file) ? file.slice(PAGE.length + 1) : undefined;
}

/** Whatever is no call and no built file is a route of the page: its own router knows it. */
async function servePage(app: FastifyInstance): Promise<void> {
  const built = existsSync(PAGE);
  if (built) await app.register(fastifyStatic, { root: PAGE, serve: false, preCompressed: true });
  app.setNotFoundHandler((request, reply) => {
    const url = request.originalUrl;
    const path = url.split('?')[0] ?? '/';
    const file = built && request.method === 'GET' && !isCall(url) ? builtFile(path) : undefined;
    if (file)
      return reply.sendFile(file, {
        immutable: file.startsWith('assets'),
        maxAge: file.startsWith('assets') ? '365d' : 0,
      });
    if (!built || request.method !== 'GET' || isCall(url) || /\.\w+$/.test(path)) {
      return reply.status(404).send({ code: 404, msg: '接口不存在', data: null });
    }
    return reply.header('cache-control', 'no-cache').type('text/html').sendFile('index.html', { maxAge: 0 });
  });
}

/**
 * Describes the calls below a path at an address. The description is worked out when somebody asks for it first: it takes
 * as long as everything else of a start.
 */
function describeCalls(app: FastifyInstance, address: string, below: string): void {
  let document: object | undefined;
  app.get(address, async () => {
    document ??= openApiOf(routes.map((route) => route.endpoint).filter(({ path }) => path.startsWith(below)));
    return document;
  });
}

/** The API, its documentation, the health checks and, when built, the page. `imageSources`: origins of pictures. */
export async function createApi(runtime: Runtime, imageSources: readonly string[] = []): Promise<FastifyInstance> {
  const authenticator = await createAuthenticator(runtime, runtime.codes);
  const app = await createApp({ runtime, routes, authenticate: authenticator.authenticate, imageSources });
  // A server that closes waits for its open answers, and those of the push would never end.
  app.addHook('preClose', () => stopPush(runtime));
  app.addHook('onClose', async () => {
    await authenticator.stop();
    stopCaptcha(runtime);
  });
  await mountProvider(app, runtime);
  // The optional /api in front has been taken off by the time a route is looked for.
  describeCalls(app, '/openapi.json', '/');
  for (const service of DOCUMENTED) describeCalls(app, `/openapi/${service}.json`, `/${service}/`);
  await mountReference(app);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    try {
      await runtime.connections.pool.query('SELECT 1');
      return { status: 'ready' };
    } catch {
      return reply.status(503).send({ status: 'database unreachable' });
    }
  });
  await servePage(app);
  return app;
}
