import type { Readable } from 'node:stream';
import type { Endpoint, EndpointDef, Input, Reply } from '#kit/contract/endpoint.ts';
import type { Ctx, Principal } from '../context.ts';
import type { Runtime } from '../runtime.ts';

/** A file as an answer; `body` may stream while the handler's transaction is still open. */
export class FileReply {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Readable | Buffer;
  /** Shown in the page instead of saved. */
  readonly inline: boolean;
  constructor(name: string, mediaType: string, body: Readable | Buffer, inline = false) {
    this.name = name;
    this.mediaType = mediaType;
    this.body = body;
    this.inline = inline;
    // Bytes that cannot be read may say so before the answer begins, when nobody listens yet; the process must live.
    if (!Buffer.isBuffer(body)) body.on('error', () => {});
  }
}

/** An answer whose fields stand at the top level of the body as well as under data (the captcha protocol). */
export class TopLevel {
  readonly data: object;
  constructor(data: object) {
    this.data = data;
  }
}

/** A cookie that goes with an answer. It is never readable by scripts, and comes back only from links and this site. */
export interface CookieToSet {
  name: string;
  /** An empty text takes the cookie away. */
  value: string;
  /** Seconds; left out: until the browser closes. */
  maxAge?: number;
}

/**
 * Sends the browser elsewhere (302), for calls that it opens as a page. Such addresses carry codes and ids, so nothing
 * on the way keeps the answer and the next page does not learn where the browser comes from.
 */
export class RedirectReply {
  /** Absolute; never made of what the caller sent. */
  readonly location: string;
  readonly cookies: readonly CookieToSet[];
  constructor(location: string, cookies: readonly CookieToSet[] = []) {
    this.location = location;
    this.cookies = cookies;
  }
}

/** Data of an ordinary answer, with cookies beside it. */
export class WithCookies<T> {
  readonly data: T;
  readonly cookies: readonly CookieToSet[];
  constructor(data: T, cookies: readonly CookieToSet[]) {
    this.data = data;
    this.cookies = cookies;
  }
}

/** One uploaded file, not yet read. */
export interface Upload {
  fileName: string;
  mediaType: string;
  stream: Readable;
}

export interface RequestInfo {
  ip: string;
  userAgent: string;
  requestId: string;
  /** The caller's session id as sent, if any. */
  session: string | undefined;
  /** Cookies as sent: whatever a browser, or somebody who is none, put there. */
  cookies: Readonly<Record<string, string | undefined>>;
}

/** Context of a call without a session. */
export interface PublicCtx extends RequestInfo {
  runtime: Runtime;
}

/** Context of a call that manages its own transactions: uploads, streamed files. */
export interface OpenCtx extends RequestInfo {
  runtime: Runtime;
  principal: Principal;
  upload: (() => Promise<Upload>) | undefined;
}

type Answer<E extends EndpointDef> = Reply<E> | FileReply | RedirectReply | TopLevel | WithCookies<Reply<E>>;

export type AnyRoute =
  | { kind: 'tenant'; endpoint: Endpoint; run: (ctx: Ctx, input: never) => Promise<unknown> }
  | { kind: 'public'; endpoint: Endpoint; run: (ctx: PublicCtx, input: never) => Promise<unknown> }
  | { kind: 'open'; endpoint: Endpoint; run: (ctx: OpenCtx, input: never) => Promise<unknown> };

/** Binds a handler to an endpoint. It runs in one transaction of the caller's company, read-only for reads. */
export function serve<E extends Endpoint>(
  endpoint: E,
  run: (ctx: Ctx, input: Input<E>) => Promise<Answer<E>>,
): AnyRoute {
  return { kind: 'tenant', endpoint, run: run as never };
}

/** Binds a handler to a public endpoint; it opens its own transactions. */
export function servePublic<E extends Endpoint & { permission: 'public' }>(
  endpoint: E,
  run: (ctx: PublicCtx, input: Input<E>) => Promise<Answer<E>>,
): AnyRoute {
  return { kind: 'public', endpoint, run: run as never };
}

/** Binds a handler that needs a session and a permission but opens its own transactions. */
export function serveOpen<E extends Endpoint>(
  endpoint: E,
  run: (ctx: OpenCtx, input: Input<E>) => Promise<Answer<E>>,
): AnyRoute {
  return { kind: 'open', endpoint, run: run as never };
}
