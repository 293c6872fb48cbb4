import type { FastifyReply } from 'fastify';
import type { FaultRule } from './faults.ts';

const DEFAULT_HANG_MS = 60_000;

/** Say nothing for `ms`, then cut the connection. */
export function hang(reply: FastifyReply, ms = DEFAULT_HANG_MS): FastifyReply {
  reply.hijack();
  const timer = setTimeout(() => reply.raw.destroy(), ms);
  timer.unref();
  reply.raw.once('close', () => clearTimeout(timer));
  return reply;
}

/** Announce the whole body, send half of it, then reset the connection. */
export function breakConnection(reply: FastifyReply, body: Buffer, contentType: string): FastifyReply {
  reply.hijack();
  const raw = reply.raw;
  raw.writeHead(200, { 'content-type': contentType, 'content-length': body.length });
  // Destroyed only when the half is out, else the caller would see no answer at all instead of a broken one.
  raw.write(body.subarray(0, Math.floor(body.length / 2)), () => raw.socket?.resetAndDestroy());
  return reply;
}

/** A load balancer's page instead of JSON. */
export function htmlError(reply: FastifyReply, status: number): FastifyReply {
  const title = status === 503 ? '503 Service Temporarily Unavailable' : '500 Internal Server Error';
  const page = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return reply.code(status).type('text/html').send(page);
}

/** Make the answer's `Date` header wrong by the rule's offset (default one hour). */
export function applyClockSkew(reply: FastifyReply, rule: FaultRule | undefined): void {
  if (rule) reply.header('date', new Date(Date.now() + (rule.ms ?? 3_600_000)).toUTCString());
}
