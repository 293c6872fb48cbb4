import { z } from 'zod';
import type { DocumentDef } from '#kit/contract/document.ts';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, COST, EntryRow, EXPORT, LineRow, VIEW } from './fields.ts';

export const ById = z.object({ id: Id });

/** Filter of a list of documents; `states` and `types` are the choices of its kind. */
export function documentFilter<S extends z.ZodType, T extends z.ZodType>(states: S, types: T) {
  return z.object({
    state: z.array(states).max(20).meta({ title: '状态' }),
    type: z.array(types).max(20).meta({ title: '类型' }),
    warehouse: z.array(Id).max(200).meta({ title: '仓库' }),
    created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '创建日期', kind: 'date' }),
    keyword: z.string().trim().max(100).meta({ title: '单号、SKU、往来单位' }),
    creator: z.string().trim().max(50).meta({ title: '创建人', optional: true }),
  });
}

/** What any kind of document's list is filtered by, on the server. */
export interface AnyFilter {
  state?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  warehouse?: readonly string[] | undefined;
  created?: { from?: string | undefined; to?: string | undefined } | undefined;
  keyword?: string | undefined;
  creator?: string | undefined;
}

const BadLine = z.object({
  line: z.int(),
  key: z.string(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
});

/** Lines read from a sheet: either all of them are good, or none is taken and each bad row says why. */
export const ReadLines = z.object({
  rows: z.int(),
  problems: z.array(BadLine),
  lines: z.array(LineRow),
});
export type ReadLines = z.infer<typeof ReadLines>;

interface Spec<P extends string, R extends z.ZodObject, F extends z.ZodObject, B extends z.ZodType> {
  /** Part of the path: inwform, outwform … */
  path: P;
  def: DocumentDef;
  /** Who makes such documents, and puts files to them. */
  add: string;
  row: R;
  filter: F;
  body: B;
}

/** What documents are ordered by, as far as their kind has it. */
const SORTABLE = ['number', 'type', 'state', 'departedOn', 'landedOn', 'plannedOn', 'createdAt', 'updatedAt'];

/** The calls that every kind of document has. */
export function documentCalls<
  const P extends string,
  R extends z.ZodObject,
  F extends z.ZodObject,
  B extends z.ZodType,
>(spec: Spec<P, R, F, B>) {
  const { def, add, row, filter, body } = spec;
  const { title } = def;
  const at = <const S extends string>(part: S) => `${base}/${spec.path}/${part}` as `/${string}`;
  return {
    list: endpoint({
      title: `${title}列表`,
      method: 'POST',
      path: at('list'),
      permission: VIEW,
      access: 'read',
      body: PageQuery(filter),
      sortable: SORTABLE.filter((key) => Object.hasOwn(row.shape, key)),
      reply: Page(row),
    }),
    counts: endpoint({
      title: `${title}各状态数量`,
      method: 'POST',
      path: at('statusCounts'),
      permission: VIEW,
      access: 'read',
      concurrent: true,
      body: z.object({ filter: filter.partial().prefault({}) }),
      reply: z.record(z.string(), z.int()),
    }),
    export: endpoint({
      title: `导出${title}`,
      method: 'POST',
      path: at('export'),
      permission: EXPORT,
      access: 'read',
      file: true,
      body: ExportQuery(filter),
      reply: z.unknown(),
    }),
    data: endpoint({
      title: `${title}详情`,
      method: 'GET',
      path: at('getData/:id'),
      permission: VIEW,
      concurrent: true,
      params: ById,
      reply: z.object({
        document: row,
        lines: z.array(LineRow),
        entries: z.array(EntryRow),
        actions: z.array(OfferedAction),
        timeline: z.array(TimelineEntry),
      }),
    }),
    save: endpoint({
      title: `保存${title}`,
      method: 'POST',
      path: at('saveData'),
      permission: add,
      body,
      reply: Outcome,
    }),
    template: endpoint({
      title: `${title}明细模板`,
      method: 'GET',
      path: at('downExcelTemp'),
      permission: VIEW,
      file: true,
      reply: z.unknown(),
    }),
    lines: endpoint({
      title: `导出${title}明细`,
      method: 'GET',
      path: at('exportLines/:id'),
      permission: EXPORT,
      params: ById,
      file: true,
      reply: z.unknown(),
    }),
    print: endpoint({
      title: `打印${title}`,
      method: 'GET',
      path: at('getPdf/:id'),
      permission: VIEW,
      params: ById,
      file: true,
      reply: z.unknown(),
    }),
    labels: endpoint({
      title: `打印${title}SKU标签`,
      method: 'GET',
      path: at('getLabels/:id'),
      permission: VIEW,
      params: ById,
      file: true,
      reply: z.unknown(),
    }),
    upload: endpoint({
      title: `读取${title}明细表`,
      method: 'POST',
      path: at('uploadExcel'),
      permission: add,
      access: 'read',
      upload: true,
      body: z.object({ warehouseId: z.string().max(60).default('').meta({ title: '仓库' }) }),
      reply: ReadLines,
    }),
    notes: noteCalls({ def, base: `${base}/${spec.path}`, view: VIEW, attach: add }),
  };
}
export type DocumentCalls = ReturnType<typeof documentCalls>;

/** One command to a kind of document. */
export function command<B extends z.ZodType = typeof Command>(
  path: string,
  title: string,
  permission: string,
  body?: B,
) {
  return endpoint({
    title,
    method: 'POST',
    path: `${base}/${path}`,
    permission,
    body: (body ?? Command) as B,
    reply: Outcome,
  });
}

/** Commands that are nothing but a transition: taken from the document's own definition. */
export function transitionCalls<const N extends string>(path: string, def: DocumentDef, names: readonly N[]) {
  const entries = names.map((name) => {
    const rule = def.transitions[name];
    if (!rule) throw new Error(`${def.name} has no transition ${name}`);
    return [name, command(`${path}/${name}`, `${def.title}·${rule.title}`, rule.permission)] as const;
  });
  return Object.fromEntries(entries) as unknown as Record<N, ReturnType<typeof command<typeof Command>>>;
}

export { COST };
