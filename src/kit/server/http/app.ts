import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { SessionCode } from '#kit/contract/envelope.ts';
import type { Principal } from '../context.ts';
import type { Runtime } from '../runtime.ts';
import { answerError } from './answer.ts';
import { register } from './route.ts';
import type { AnyRoute, RequestInfo } from './serve.ts';

export interface AppOptions {
  runtime: Runtime;
  routes: readonly AnyRoute[];
  /** Turns a session id and where it comes from into who it is, or says why it no longer counts. */
  authenticate: (session: string, from: RequestInfo) => Promise<Principal | SessionCode>;
  /** Origins beside our own that pictures may come from. */
  imageSources?: readonly string[];
}

const MAX_BODY = 5 * 1024 * 1024;
const MAX_UPLOAD = 500 * 1024 * 1024;

/** The path without the optional /api in front of a service prefix: both spellings reach the same handler. */
export function withoutApiPrefix(url: string): string {
  return url.startsWith('/api/') ? url.slice(4) : url;
}

/** The HTTP side: envelope, validation, errors, security headers. Listens to nothing yet. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { runtime } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: runtime.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY,
    trustProxy: 'loopback',
    genReqId: () => randomUUID(),
    // What the router itself refuses, e.g. an address with a broken percent sign.
    frameworkErrors: (error, request, reply) => void answerError(runtime, error, request, reply),
    rewriteUrl: (request) => withoutApiPrefix(request.url ?? '/'),
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
  });
  app.setErrorHandler((error, request, reply) => answerError(runtime, error, request, reply));
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // antd and the grid place style elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', ...(options.imageSources ?? [])],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameSrc: ["'self'", ...runtime.config.frameHosts.map((host) => `https://${host}`)],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: runtime.config.publicUrl.startsWith('https:'),
  });
  await app.register(compress, { global: true, threshold: 2048, encodings: ['br', 'gzip'] });
  await app.register(cookie);
  await app.register(multipart, { limits: { fileSize: MAX_UPLOAD, files: 1, fields: 20 } });
  // An empty JSON body is a body without fields, not a fault.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('请求内容不是有效的 JSON'), { statusCode: 400 }), undefined);
    }
  });
  for (const route of options.routes) register(app, route, options);
  return app;
}
