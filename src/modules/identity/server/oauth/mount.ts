import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Provider } from 'oidc-provider';
import type { Config } from '#kit/server/config.ts';
import { throttled } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { issuerOf } from './issuer.ts';
import { clientProvider } from './provider.ts';

const PREFIX = '/oauth2';
const WINDOW_MS = 60_000;
/** Each log-in under way is a row: an address with hundreds of people behind it gets along with this many a minute. */
const CALLS_PER_WINDOW = 600;
const ADDRESSES = 20_000;

/** Counts calls of an address within this process; answers the seconds to wait where there were too many. */
function counter() {
  const seen = new LRUCache<string, { calls: number; until: number }>({ max: ADDRESSES });
  return (address: string): number => {
    const now = Date.now();
    const known = seen.get(address);
    const window = known && known.until > now ? known : { calls: 0, until: now + WINDOW_MS };
    window.calls += 1;
    seen.set(address, window);
    return window.calls > CALLS_PER_WINDOW ? Math.ceil((window.until - now) / 1000) : 0;
  };
}

/** The provider makes addresses of what a request says of itself; that is what the settings say, not what was sent. */
function address(raw: IncomingMessage & { originalUrl?: string }, config: Pick<Config, 'publicUrl'>): void {
  const { host, protocol, pathname } = new URL(issuerOf(config));
  const rest = (raw.url ?? '').slice(PREFIX.length) || '/';
  raw.originalUrl = `${pathname}${rest}`;
  raw.url = rest;
  raw.headers.host = host;
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
}

/**
 * Puts the provider for clients below /oauth2. Its answers are its own (RFC 6749, OpenID Connect Core 1.0), without the
 * product's envelope; security headers stay, and calls of one address are counted.
 */
export async function mountProvider(app: FastifyInstance, runtime: Runtime): Promise<void> {
  const tooMany = counter();
  let handle: ReturnType<Provider['callback']> | undefined;
  await app.register(async (scope) => {
    // The provider reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: `${PREFIX}/*`,
      handler: async (request, reply) => {
        const wait = tooMany(request.ip);
        if (wait > 0) throw throttled(wait);
        handle ??= (await clientProvider(runtime)).callback();
        reply.hijack();
        address(request.raw, runtime.config);
        await handle(request.raw, reply.raw);
      },
    });
  });
}
