import { useQuery } from '@tanstack/react-query';

/** Services by the first part of their addresses. */
export const SERVICES = {
  admin: '管理',
  auth: '登录',
  erp: '进销存',
  amazon: '亚马逊',
  amazonadv: '亚马逊广告',
} as const;
export type Service = keyof typeof SERVICES;

export interface JsonSchema {
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  nullable?: boolean;
}

export interface ApiOperation {
  key: string;
  method: string;
  path: string;
  title: string;
  /** 「权限：…」 or 「无需登录」. */
  permission: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  body: JsonSchema | undefined;
  upload: boolean;
  file: boolean;
  reply: JsonSchema | undefined;
}

interface Raw {
  summary: string;
  description: string;
  parameters: ApiOperation['parameters'];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>;
}

function operationOf(path: string, method: string, raw: Raw): ApiOperation {
  const body = raw.requestBody?.content;
  const reply = raw.responses['200']?.content;
  return {
    key: `${method} ${path}`,
    method,
    path,
    title: raw.summary,
    permission: raw.description,
    parameters: raw.parameters,
    body: (body?.['application/json'] ?? body?.['multipart/form-data'])?.schema,
    upload: body?.['multipart/form-data'] !== undefined,
    file: reply?.['application/octet-stream'] !== undefined,
    reply: reply?.['application/json']?.schema.properties?.data,
  };
}

/** The calls of a service, in the order of their addresses. */
export function useApi(service: Service) {
  return useQuery({
    queryKey: ['openapi', service],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<ApiOperation[]> => {
      const response = await fetch(`/api/openapi/${service}.json`, { signal });
      if (!response.ok) throw new Error('接口文档加载失败');
      const { paths } = (await response.json()) as { paths: Record<string, Record<string, Raw>> };
      return Object.entries(paths)
        .flatMap(([path, methods]) => Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw)))
        .sort((a, b) => a.path.localeCompare(b.path));
    },
  });
}

export interface Field {
  path: string;
  title: string;
  type: string;
  required: boolean;
  rule: string;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return '枚举';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' 或 ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return schema.format ?? schema.type ?? '任意';
}

function ruleOf(schema: JsonSchema): string {
  const { enum: values, minimum, maximum, maxLength, default: initial } = schema;
  return [
    values ? values.join(' | ') : '',
    minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? `≥ ${minimum}` : '',
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `≤ ${maximum}` : '',
    maxLength === undefined ? '' : `最长 ${maxLength}`,
    initial === undefined || typeof initial === 'object' ? '' : `默认 ${String(initial)}`,
  ]
    .filter(Boolean)
    .join('，');
}

const DEPTH = 4;

/** The fields of a schema line by line, inner ones behind a dot. */
export function fieldsOf(schema: JsonSchema | undefined, prefix = '', depth = 0): Field[] {
  if (!schema || depth > DEPTH) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((each) => fieldsOf(each, prefix, depth + 1));
  if (schema.allOf) return schema.allOf.flatMap((each) => fieldsOf(each, prefix, depth));
  if (schema.type === 'array') return fieldsOf(schema.items, `${prefix}[]`, depth + 1);
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    const field = {
      path,
      title: each.title ?? '',
      type: typeOf(each),
      required: required.has(name),
      rule: ruleOf(each),
    };
    return [field, ...fieldsOf(each, path, depth + 1)];
  });
}

/** A body to begin with: what is required, with plain values. */
export function exampleOf(schema: JsonSchema | undefined): unknown {
  if (!schema) return {};
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0]);
  if (schema.type === 'array') return [];
  if (schema.type === 'object' || schema.properties) {
    const wanted = schema.required ?? [];
    const entries = Object.entries(schema.properties ?? {}).filter(([name]) => wanted.includes(name));
    return Object.fromEntries(entries.map(([name, each]) => [name, exampleOf(each)]));
  }
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.type === 'boolean' ? false : '';
}
