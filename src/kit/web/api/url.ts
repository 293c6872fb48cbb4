import type { EndpointDef } from '../../contract/endpoint.ts';
import { ApiError } from './errors.ts';

export interface RequestParts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const NOT_FOUND = 404;

/**
 * Address of a call without its query: "/api/admin/api/v1/jobs/42/cancel".
 * @throws Error on a missing parameter; ApiError for the user on an empty one, which a link without its number leads to
 */
export function pathOf(endpoint: EndpointDef, params: Record<string, unknown> = {}): string {
  const path = endpoint.path.replace(/:([A-Za-z]\w*)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null) throw new Error(`${endpoint.path}: ${name}`);
    if (value === '') throw new ApiError({ code: NOT_FOUND, msg: '链接不完整：缺少编号，请从列表打开' });
    return encodeURIComponent(String(value));
  });
  return `/api${path}`;
}

/** Query text with its question mark; empty values are left out, lists repeat their key, objects go as JSON. */
export function queryOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null || item === '') continue;
      search.append(key, typeof item === 'object' ? JSON.stringify(item) : String(item));
    }
  }
  const text = search.toString();
  return text ? `?${text}` : '';
}
