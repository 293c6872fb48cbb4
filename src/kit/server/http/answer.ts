import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { success } from '#kit/contract/envelope.ts';
import { AppError, translate } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { type CookieToSet, FileReply, RedirectReply, TopLevel, WithCookies } from './serve.ts';

async function firstByte(body: Readable): Promise<void> {
  if (body.errored) throw body.errored;
  if (!body.readableEnded && !body.destroyed) await once(body, 'readable');
}

/**
 * Sends what a handler returned: an envelope, a file, a redirection, or a body with top-level fields. A file begins once
 * its first byte is there, so that what fails before is answered in words instead of as a broken download. `secure`:
 * browsers reach the product over https, so cookies travel over nothing else.
 */
export async function answer(reply: FastifyReply, result: unknown, secure: boolean): Promise<FastifyReply> {
  if (result instanceof RedirectReply) return redirect(reply, result, secure);
  if (result instanceof FileReply) {
    if (result.body instanceof Readable) await firstByte(result.body);
    const disposition = result.inline ? 'inline' : 'attachment';
    return reply
      .header('content-type', result.mediaType)
      .header(
        'content-disposition',
        `${disposition}; filename*=UTF-8''${encodeURIComponent(result.name.toWellFormed())}`,
      )
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, no-store')
      .send(result.body);
  }
  if (result instanceof WithCookies) {
    setCookies(reply, result.cookies, secure);
    return answer(reply, result.data, secure);
  }
  if (result instanceof TopLevel) return reply.send({ ...success(result.data), ...result.data });
  return reply.send(success(result ?? null));
}

function setCookies(reply: FastifyReply, cookies: readonly CookieToSet[], secure: boolean): void {
  for (const { name, value, maxAge } of cookies) {
    const age = value === '' ? 0 : maxAge;
    reply.setCookie(name, value, {
      path: '/',
      httpOnly: true,
      // A provider sends the browser back from another site, by a link: "strict" would leave the cookie behind.
      sameSite: 'lax',
      secure,
      ...(age === undefined ? {} : { maxAge: age }),
    });
  }
}

function redirect(reply: FastifyReply, { location, cookies }: RedirectReply, secure: boolean): FastifyReply {
  setCookies(reply, cookies, secure);
  return reply
    .status(302)
    .header('location', location)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send({ code: 302, msg: '正在跳转', data: null });
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

const HTTP_MESSAGES: Record<number, string> = {
  400: '请求内容有误',
  404: '接口不存在',
  413: '上传内容过大',
  415: '不支持的内容类型',
  429: '操作过于频繁，请稍后再试',
};

/** What the form parser says of a form that is cut off or has no boundary; it gives these no status. */
const BROKEN_FORM =
  /^(Unexpected end of (multipart data|form|file)|Part terminated early|Multipart: Boundary not found)/;

/** Sends an error as an envelope; what is not meant for the caller becomes a general line with a trace id. */
export function answerError(
  runtime: Runtime,
  raw: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = translate(raw);
  if (error instanceof AppError) {
    const retry = (error.data as { retryAfter?: number } | null)?.retryAfter;
    if (error.status === 429 && retry) reply.header('retry-after', retry);
    return reply.status(error.status).send({ code: error.code, msg: error.message, data: error.data });
  }
  const broken = error instanceof Error && BROKEN_FORM.test(error.message);
  if (broken) return reply.status(400).send({ code: 400, msg: '上传内容不完整，请重新上传', data: null });
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) {
    return reply.status(status).send({ code: status, msg: HTTP_MESSAGES[status] ?? '请求内容有误', data: null });
  }
  // Whoever closed the page before its answer came has nobody to tell.
  const level = request.raw.socket.destroyed ? 'info' : 'error';
  runtime.log[level]({ err: error, url: request.url.split('?')[0], requestId: request.id }, 'request failed');
  return reply.status(500).send({ code: 500, msg: '系统繁忙，请稍后重试', data: { traceId: request.id } });
}
