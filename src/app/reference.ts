import { createHash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

const PATH = '/doc/reference';
const INLINE = /<script type="text\/javascript">([\s\S]*?)<\/script>/;

/**
 * The readable page of the API's document. It starts by a script within the page, which no other page of the product may
 * have: for this one alone the policy names the script by its hash.
 */
export async function mountReference(app: FastifyInstance): Promise<void> {
  let hash: string | undefined;
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      const script = typeof payload === 'string' ? INLINE.exec(payload)?.[1] : undefined;
      const policy = reply.getHeader('content-security-policy');
      if (script === undefined || typeof policy !== 'string') return payload;
      hash ??= createHash('sha256').update(script).digest('base64');
      reply.header(
        'content-security-policy',
        policy.replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`),
      );
      return payload;
    });
    await scope.register(scalar, {
      routePrefix: PATH,
      configuration: { url: '/api/openapi.json', hideClientButton: true, withDefaultFonts: false },
    });
  });
}
