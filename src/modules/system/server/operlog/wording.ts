import { z } from 'zod';
import { columnsOf, metaOf } from '#kit/contract/columns.ts';
import type { StateMeta } from '#kit/contract/field.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { Change } from '../../contract/operlog.ts';

interface Word {
  title: string;
  states: Record<string, StateMeta> | undefined;
}

interface Words {
  /** By resource (an endpoint's path, or the table that calls of a module change), then by field. */
  byModule: Map<string, Map<string, Word>>;
  /** Of any module: the first that names a field. */
  any: Map<string, Word>;
  calls: Map<string, string>;
  /** Fields of a call by its title: most rows are named after the call that wrote them. */
  byCall: Map<string, Map<string, Word>>;
  codes: Map<string, string>;
  /** States of documents by the document's name. */
  documents: Map<string, Record<string, StateMeta>>;
}

const FIXED: Record<string, string> = {
  name: '名称',
  status: '状态',
  sort: '排序',
  remark: '备注',
  filter: '筛选条件',
  account: '账号',
  is_disabled: '是否停用',
  is_enabled: '是否启用',
  codes: '权限',
  body: '提交内容',
  query: '查询参数',
  params: '路径参数',
  roles: '角色',
  time_zone: '时区',
  sessions: '会话数',
  device: '设备',
  ip: 'IP 地址',
  moved: '移动数量',
  items: '数据项',
  kept: '保留手工修改',
  days: '天数',
  reset: '覆盖手工修改',
  checked: '校验条数',
  problem: '问题',
  enabled: '是否启用',
  title: '名称',
  to: '合并到',
  from: '被合并',
  permissions: '功能权限',
  fields: '字段权限',
  user: '用户',
  file: '文件',
  rows: '行数',
  region: '区域',
  sellingPartnerId: '卖家ID',
  format: '格式',
  reason: '原因',
  number: '单号',
  numbers: '单号',
  order: '采购单',
  lines: '明细',
  line: '行号',
  treatment: '处理方式',
  parts: '子件',
  qty: '数量',
  pieces: '件数',
  amount: '金额',
  difference: '差额',
  person: '人员',
  client: '客户端',
  login: '登录名',
  outOrderId: '1688订单号',
  until: '截止时间',
  flow: '审批流程',
  capitalised: '计入成本',
  expensed: '计入费用',
  fresh: '新增行',
  copied: '复制条数',
  written: '写入条数',
  problems: '问题',
  profiles: '广告账户数',
  foreign: '其他公司的广告账户数',
  proxy: '代理地址',
  subscriptionId: '订阅编号',
  set: '修改内容',
  sha256: '文件校验码',
  created: '新增',
  matched: '配对数',
  mskus: 'MSKU',
  count: '数量',
  seq: '序号',
  reversed: '已冲销',
  broken: '异常项数',
  unknown: '未识别',
  box: '箱规',
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Lines of a list that are told one by one; of longer ones the rest is counted. */
const TOLD = 20;

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function add(into: Map<string, Word>, key: string, word: Word): void {
  for (const each of [key, snake(key)]) if (!into.has(each)) into.set(each, word);
}

/** Titles of the fields of a schema and of what lies in it. */
function collect(schema: z.ZodType | undefined, into: Map<string, Word>, depth = 0): void {
  if (!schema || depth > 5) return;
  if (schema instanceof z.ZodObject) {
    for (const [key, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      const { title, states } = metaOf(field);
      if (title !== undefined) add(into, key, { title, states });
      collect(field, into, depth + 1);
    }
  } else if (schema instanceof z.ZodArray) {
    collect(schema.element as z.ZodType, into, depth + 1);
  } else if (schema instanceof z.ZodPipe) {
    collect(schema.out as z.ZodType, into, depth + 1);
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    collect(schema.unwrap() as z.ZodType, into, depth + 1);
  }
}

const cache = new WeakMap<Runtime['modules'], Words>();

function wordsOf(modules: Runtime['modules']): Words {
  const known = cache.get(modules);
  if (known) return known;
  const words: Words = {
    byModule: new Map(),
    any: new Map(),
    calls: new Map(),
    byCall: new Map(),
    codes: new Map(),
    documents: new Map(),
  };
  for (const module of modules) {
    const own = new Map<string, Word>();
    for (const { endpoint } of module.routes ?? []) {
      words.calls.set(endpoint.path, endpoint.title);
      const fields = new Map<string, Word>();
      for (const part of [endpoint.body, endpoint.query, endpoint.params]) collect(part, fields);
      words.byCall.set(endpoint.title, fields);
      if (endpoint.access === 'write') for (const [key, word] of fields) if (!own.has(key)) own.set(key, word);
    }
    for (const row of Object.values(module.lists ?? {})) {
      for (const column of columnsOf(row)) add(own, column.key, { title: column.title, states: column.states });
    }
    for (const [code, title] of Object.entries({ ...module.permissions, ...module.operatorPermissions })) {
      words.codes.set(code, title);
    }
    for (const document of module.documents ?? []) words.documents.set(document.name, document.states);
    words.byModule.set(module.name, own);
    for (const [key, word] of own) if (!words.any.has(key)) words.any.set(key, word);
  }
  cache.set(modules, words);
  return words;
}

function wordFor(words: Words, { action, resource }: LogRow, field: string): Word | undefined {
  const states = field === 'state' ? words.documents.get(resource) : undefined;
  if (states) return { title: '状态', states };
  const ofCall = words.byCall.get(action)?.get(field);
  if (ofCall) return ofCall;
  const fixed = FIXED[field];
  const known = words.byModule.get(resource.split('.')[0] ?? '')?.get(field) ?? words.any.get(field);
  return fixed ? { title: fixed, states: known?.states } : known;
}

/** What kind of object a row of the log is about, in Chinese where somebody named it. */
export function resourceTitle(modules: Runtime['modules'], resource: string): string {
  const known = wordsOf(modules).calls.get(resource);
  if (known) return known;
  for (const module of modules) {
    const object = module.objects?.[resource];
    if (object) return object;
    const document = module.documents?.find((each) => each.name === resource);
    if (document) return document.title;
  }
  const owner = modules.find((module) => module.name === resource.split('.')[0]);
  return owner ? owner.title : resource;
}

/** The fields of one line of a list; keys of other rows tell a reader nothing. */
function lineOf(words: Words, row: LogRow, line: object): string {
  return Object.entries(line)
    .flatMap(([field, value]) => {
      if (typeof value === 'string' && UUID.test(value)) return [];
      const word = wordFor(words, row, field);
      const text = textOf(words, row, value, word);
      return text === null ? [] : [`${word?.title ?? field} ${text}`];
    })
    .join('，');
}

function textOf(words: Words, row: LogRow, value: unknown, word: Word | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) {
    const told = value.slice(0, TOLD).map((each) => textOf(words, row, each, word) ?? '—');
    const more = value.length > TOLD ? ` 等${value.length}项` : '';
    return told.join(value.some((each) => isPlain(each)) ? '；' : '、') + more || null;
  }
  if (isPlain(value)) return lineOf(words, row, value) || '—';
  return word?.states?.[String(value)]?.title ?? words.codes.get(String(value)) ?? String(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Inputs of calls are kept whole; what was sent stands inside `body`, `query` and `params`. */
function flattened(value: unknown): Record<string, unknown> {
  if (!isPlain(value)) return value === null || value === undefined ? {} : { value };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      ['body', 'query', 'params'].includes(key) && isPlain(inner) ? Object.entries(inner) : [[key, inner]],
    ),
  );
}

export interface LogRow {
  action: string;
  resource: string;
  before: unknown;
  after: unknown;
}

/** What a row of the log changed, field by field, with the titles and states of the contracts. */
export function changesOf(modules: Runtime['modules'], row: LogRow): Change[] {
  const words = wordsOf(modules);
  const [old, fresh] = [flattened(row.before), flattened(row.after)];
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])].map((field) => {
    const word = wordFor(words, row, field);
    const title = word?.title ?? field;
    return {
      field,
      title,
      before: textOf(words, row, old[field], word),
      after: textOf(words, row, fresh[field], word),
    };
  });
}

const SUMMARY = 3;

/** The first changes in one line. */
export function summaryOf(changes: readonly Change[]): string {
  const lines = changes.slice(0, SUMMARY).map(({ title, before, after }) => {
    if (before === null) return `${title}：${after ?? '—'}`;
    return `${title}：${before} → ${after ?? '—'}`;
  });
  const more = changes.length > SUMMARY ? ` 等${changes.length}项` : '';
  return lines.join('；').slice(0, 300) + more;
}
