import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { titleAt } from '#kit/contract/columns.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { SESSION_CODES, type SessionCode } from '#kit/contract/envelope.ts';
import { forbiddenInput, type May, withheldFrom } from '#kit/contract/rights.ts';
import { audit } from '../audit.ts';
import type { Principal } from '../context.ts';
import { forbidden, invalid, refused, sessionLost } from '../errors.ts';
import { once } from '../idempotency.ts';
import { inTenant } from '../runtime.ts';
import { answer } from './answer.ts';
import type { AppOptions } from './app.ts';
import { type AnyRoute, FileReply, RedirectReply, type RequestInfo, TopLevel, type Upload } from './serve.ts';
import { inWords } from './wording.ts';

function isSessionCode(value: Principal | SessionCode): value is SessionCode {
  return typeof value === 'string' && (SESSION_CODES as readonly string[]).includes(value);
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function authorise(request: FastifyRequest, endpoint: Endpoint, options: AppOptions): Promise<Principal> {
  const session = headerOf(request, 'jsessionid');
  if (!session) throw sessionLost('A0231');
  const principal = await options.authenticate(session, infoOf(request));
  if (isSessionCode(principal)) throw sessionLost(principal);
  principal.gate?.(endpoint.path);
  const { permission } = endpoint;
  if (permission !== 'login' && principal.permissions && !principal.permissions.has(permission)) {
    throw forbidden(permission);
  }
  return principal.scopeWith ? { ...principal, dataScope: principal.scopeWith(permission) } : principal;
}

/** Paged lists are wrapped in a step that reads older spellings; the fields are those of what comes out of it. */
function fieldsOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe ? fieldsOf(schema.out as z.ZodType) : schema;
}

/** Chinese title of the field at a path, or of the nearest part around it that has one. */
function nearestTitle(schema: z.ZodType, path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const title = titleAt(schema, path.slice(0, length));
    if (title !== String(path[length - 1])) return title;
  }
  return titleAt(schema, []);
}

async function parse(part: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return part === 'body' ? undefined : {};
  const result = await schema.safeParseAsync(part === 'body' ? value : (value ?? {}), { error: inWords });
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.slice(0, 50).map((issue) => {
      const title = nearestTitle(fieldsOf(schema), issue.path);
      const msg = issue.message.includes(title) ? issue.message : `${title}：${issue.message}`;
      return { field: issue.path.join('.'), title, msg };
    }),
  );
}

async function inputOf(request: FastifyRequest, endpoint: Endpoint) {
  return {
    params: await parse('params', endpoint.params, request.params),
    query: await parse('query', endpoint.query, request.query),
    body: endpoint.upload ? undefined : await parse('body', endpoint.body, request.body),
  };
}

function infoOf(request: FastifyRequest): RequestInfo {
  return {
    ip: request.ip,
    userAgent: headerOf(request, 'user-agent') ?? '',
    requestId: request.id,
    session: headerOf(request, 'jsessionid'),
    cookies: request.cookies,
  };
}

const MAX_KEY = 100;

function keyOf(request: FastifyRequest, endpoint: Endpoint): string | undefined {
  if (endpoint.access === 'read') return undefined;
  const key = headerOf(request, 'idempotency-key');
  if (key && key.length > MAX_KEY) throw refused('Idempotency-Key 过长', 'B0020');
  return key;
}

function mayOf(principal: Principal): May {
  return (code) => principal.permissions === undefined || principal.permissions.has(code);
}

/** Fields that a caller may not see he may not filter by or set either. */
function refuseHidden(endpoint: Endpoint, principal: Principal, input: { query: unknown; body: unknown }): void {
  for (const part of ['query', 'body'] as const) {
    const schema = endpoint[part];
    const code = schema ? forbiddenInput(schema, input[part], mayOf(principal)) : undefined;
    if (code) throw forbidden(code);
  }
}

/** What of an answer the caller may see: whatever a handler left in, its schema's permissions hold. */
function shown(endpoint: Endpoint, principal: Principal, result: unknown): unknown {
  if (result instanceof FileReply || result instanceof RedirectReply || result instanceof TopLevel) return result;
  return withheldFrom(endpoint.reply, result, mayOf(principal));
}

/** What reads one document by its key, in the same few statements each time; plans of lists depend on their filter. */
const ONE = /\/:\w+$/;

async function callTenant(
  request: FastifyRequest,
  route: Extract<AnyRoute, { kind: 'tenant' }>,
  options: AppOptions,
): Promise<unknown> {
  const { endpoint } = route;
  const principal = await authorise(request, endpoint, options);
  const input = await inputOf(request, endpoint);
  refuseHidden(endpoint, principal, input);
  const key = keyOf(request, endpoint);
  const call = key === undefined ? undefined : { key, endpoint: endpoint.path, body: input };
  const result = await inTenant(
    options.runtime,
    principal,
    (ctx) =>
      once(ctx, call, async () => {
        const result = await route.run(ctx, input as never);
        if (endpoint.access === 'write' && !ctx.audited) {
          await audit(ctx, { action: endpoint.title, resource: endpoint.path, after: input });
        }
        return result;
      }),
    {
      readOnly: endpoint.access === 'read',
      prepared: endpoint.access === 'write' || ONE.test(endpoint.path),
      requestId: request.id,
      ip: request.ip,
    },
  );
  return shown(endpoint, principal, result);
}

/** The uploaded file; the other fields of the form come before it and end up in `fields`. */
async function takeUpload(request: FastifyRequest): Promise<Upload & { fields: Record<string, unknown> }> {
  if (!request.isMultipart()) throw refused('请以表单方式上传文件', 'B0021');
  const part = await request.file();
  if (!part) throw refused('请选择要上传的文件', 'B0022');
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(part.fields)) {
    if (field && !Array.isArray(field) && field.type === 'field') fields[name] = field.value;
  }
  return { fileName: part.filename, mediaType: part.mimetype, stream: part.file, fields };
}

async function callOpen(
  request: FastifyRequest,
  route: Extract<AnyRoute, { kind: 'open' }>,
  options: AppOptions,
): Promise<unknown> {
  const { endpoint } = route;
  const principal = await authorise(request, endpoint, options);
  const input = await inputOf(request, endpoint);
  refuseHidden(endpoint, principal, input);
  const base = { ...infoOf(request), runtime: options.runtime, principal };
  if (!endpoint.upload)
    return shown(endpoint, principal, await route.run({ ...base, upload: undefined }, input as never));
  const upload = await takeUpload(request);
  const body = await parse('body', endpoint.body, upload.fields);
  const result = await route.run({ ...base, upload: async () => upload }, { ...input, body } as never);
  return shown(endpoint, principal, result);
}

async function callPublic(
  request: FastifyRequest,
  route: Extract<AnyRoute, { kind: 'public' }>,
  options: AppOptions,
): Promise<unknown> {
  const input = await inputOf(request, route.endpoint);
  return route.run({ ...infoOf(request), runtime: options.runtime }, input as never);
}

/** Only calls that ask for forms get them: to the others no page of another site can send anything without asking. */
function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

/** Adds one endpoint to the app. Every call is answered in the envelope, whatever happens. */
export function register(app: FastifyInstance, route: AnyRoute, options: AppOptions): void {
  if (!route.endpoint.form) {
    addRoute(app, route, options);
    return;
  }
  void app.register(async (scope) => {
    takeForms(scope);
    addRoute(scope, route, options);
  });
}

function addRoute(app: FastifyInstance, route: AnyRoute, options: AppOptions): void {
  const { endpoint } = route;
  const secure = options.runtime.config.publicUrl.startsWith('https:');
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const result =
        route.kind === 'tenant'
          ? await callTenant(request, route, options)
          : route.kind === 'open'
            ? await callOpen(request, route, options)
            : await callPublic(request, route, options);
      return answer(reply, result, secure);
    },
  });
}
