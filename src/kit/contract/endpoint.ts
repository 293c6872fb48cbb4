import type { z } from 'zod';

/**
 * Who may call: 'public' needs no session, 'login' any session, anything else is a permission code
 * `<service>:<resource>:<action>`.
 */
export type Permission = 'public' | 'login' | (string & {});

export interface EndpointDef {
  /** What the call does, in Chinese: API documentation and audit. */
  title: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without the optional /api before it, e.g. "/amazon/api/v1/orders/manager/list"; parameters as ":id". */
  path: `/${string}`;
  permission: Permission;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  reply: z.ZodType;
  /**
   * 'read' runs in a read-only transaction; 'write' may carry an idempotency key and must leave an audit row.
   * Default: GET reads, everything else writes.
   */
  access?: 'read' | 'write';
  /** The answer is a file, not an envelope. */
  file?: boolean;
  /** The body is multipart/form-data with one file; `body` describes the other fields. */
  upload?: boolean;
  /** The body may come as application/x-www-form-urlencoded too, as other servers send it. */
  form?: boolean;
  /** The answer sends a browser elsewhere; it is opened as a page, not called. */
  redirect?: boolean;
  /** Fields of the row that a list can be ordered by; any other one is refused. */
  sortable?: readonly string[];
  /** A repeated call does not cancel the earlier one in the browser. */
  concurrent?: boolean;
}

export type Endpoint<D extends EndpointDef = EndpointDef> = D & { access: 'read' | 'write' };

/** Declares one call: both sides, the API documentation and the endpoint walks read this definition. */
export function endpoint<const D extends EndpointDef>(def: D): Endpoint<D> {
  return { ...def, access: def.access ?? (def.method === 'GET' ? 'read' : 'write') };
}

type Of<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler receives. */
export interface Input<E extends EndpointDef> {
  params: Of<E['params'], Record<string, never>>;
  query: Of<E['query'], Record<string, never>>;
  body: Of<E['body'], undefined>;
}

/** What a caller gives; parts that the endpoint does not declare are left out. */
export type CallInput<E extends EndpointDef> = (E['params'] extends z.ZodType ? { params: In<E['params']> } : object) &
  (E['query'] extends z.ZodType ? { query: In<E['query']> } : object) &
  (E['body'] extends z.ZodType ? { body: In<E['body']> } : object);

export type Reply<E extends EndpointDef> = z.output<E['reply']>;
