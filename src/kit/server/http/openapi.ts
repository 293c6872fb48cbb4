import { z } from 'zod';
import type { Endpoint } from '#kit/contract/endpoint.ts';

type JsonSchema = Record<string, unknown>;

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'openapi-3.0' }) as JsonSchema;
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): JsonSchema[] {
  if (!schema) return [];
  const json = schemaOf(schema);
  const required = new Set((json.required as string[] | undefined) ?? []);
  return Object.entries((json.properties as Record<string, JsonSchema> | undefined) ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    description: property.title,
    schema: property,
  }));
}

function envelopeOf(reply: z.ZodType): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: {
      code: { type: 'integer', description: '201 为成功', example: 201 },
      msg: { type: 'string', example: '操作成功' },
      data: z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any', target: 'openapi-3.0' }),
    },
  };
}

/** The fields of the form, and after them the file: whoever reads the stream knows the fields by then. */
function formWithFile(body: z.ZodType | undefined): JsonSchema {
  const fields: JsonSchema = body ? schemaOf(body) : { type: 'object' };
  const required = (fields.required as string[] | undefined) ?? [];
  const file = { type: 'string', format: 'binary', title: '文件', description: '放在其他字段之后' };
  return { ...fields, properties: { ...(fields.properties as JsonSchema), file }, required: [...required, 'file'] };
}

function bodyOf({ body, upload, form }: Endpoint): JsonSchema {
  if (upload)
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: formWithFile(body) } } } };
  if (!body) return {};
  const schema = schemaOf(body);
  const asForm = form ? { 'application/x-www-form-urlencoded': { schema } } : {};
  return { requestBody: { content: { 'application/json': { schema }, ...asForm } } };
}

function operationOf(endpoint: Endpoint): JsonSchema {
  const content = endpoint.file
    ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: envelopeOf(endpoint.reply) } };
  return {
    summary: endpoint.title,
    tags: [endpoint.path.split('/')[1] ?? 'api'],
    description: endpoint.permission === 'public' ? '无需登录' : `权限：${endpoint.permission}`,
    parameters: [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)],
    ...bodyOf(endpoint),
    ...(endpoint.permission === 'public' ? { security: [] } : {}),
    responses: endpoint.redirect
      ? { 302: { description: '跳转', headers: { Location: { schema: { type: 'string' } } } } }
      : { 200: { description: '成功', content } },
  };
}

/** OpenAPI 3.0 description of all endpoints, made from their declarations. */
export function openApiOf(endpoints: readonly Endpoint[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.0.3',
    info: { title: '跨境电商 ERP 接口', version: '1' },
    components: { securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'jsessionid' } } },
    security: [{ session: [] }],
    paths,
  };
}
