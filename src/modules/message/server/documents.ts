import { type Extension, extend, extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { FTYPE, type MessageLink } from '../contract/messages.ts';

/** Where the page of a kind of document is: a message about one opens it there. */
export interface DocumentRoute {
  documentType: string;
  /** Chinese name of the kind. */
  title: string;
  /** Path of its page with the query that finds the document, e.g. "/orders/detail?id=…". */
  path: (id: string) => string;
}

/** Modules with pages for documents say so here. */
export const documentRoutes = extensionPoint<DocumentRoute>('message.documentRoutes');

/** Goes into a manifest's `extensions`. */
export function documentRoute(route: DocumentRoute): Extension {
  return extend(documentRoutes, route);
}

const tables = new WeakMap<Runtime, Map<string, DocumentRoute>>();

function tableOf(runtime: Runtime): Map<string, DocumentRoute> {
  const known = tables.get(runtime);
  if (known) return known;
  const routes = extensionsOf(runtime.modules, documentRoutes);
  const table = new Map(routes.map((route) => [route.documentType, route]));
  tables.set(runtime, table);
  return table;
}

export interface Subject {
  ftype: number;
  approval: boolean;
  document_type: string | null;
  document_id: string | null;
}

/**
 * Where a message leads, or null where its kind of document has no page. Who is asked to examine a document comes to
 * its page with isGoExamine and source.
 */
export function linkOf(runtime: Runtime, subject: Subject): MessageLink | null {
  const route = subject.document_type ? tableOf(runtime).get(subject.document_type) : undefined;
  if (!route) return null;
  const [path = '', search = ''] = route.path(subject.document_id ?? '').split('?');
  const query = Object.fromEntries(new URLSearchParams(search));
  const examine = subject.approval && subject.ftype === FTYPE.reminder;
  return {
    path,
    title: route.title,
    query: examine ? { ...query, isGoExamine: 'true', source: 'boxmsg' } : query,
  };
}

/** Path of a document's page with the query that finds it, '' where its kind has none. */
export const pathOf = (runtime: Runtime, { type, id }: { type: string; id: string }): string =>
  tableOf(runtime).get(type)?.path(id) ?? '';

/** Chinese name of a kind of document, or null where nobody registered it. */
export function documentTitle(runtime: Runtime, documentType: string | null): string | null {
  return (documentType && tableOf(runtime).get(documentType)?.title) || null;
}
