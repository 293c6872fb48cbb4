import { createHash } from 'node:crypto';
import { Ajv2019, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js';
import { LRUCache } from 'lru-cache';
import type { DraftCheck, DraftIssue } from '../../contract/draft.ts';
import type { Attributes, FormAttribute, FormField, FormModel, FormNode } from '../../contract/form.ts';
import type { Schema } from './schema.ts';

type Item = Readonly<Record<string, unknown>>;

/** The most values that stand for one and the same marketplace, language and so on, as `selectors` tells them apart. */
function mostAlike(items: readonly Item[], selectors: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = JSON.stringify(selectors.map((name) => item[name] ?? null));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** Keywords of Amazon's vocabulary (product type definition meta-schema v1); those that only inform are let through. */
function vocabulary(): Ajv2019 {
  const ajv = new Ajv2019({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
  });
  for (const keyword of ['editable', 'enumNames', 'hidden', 'replaces', 'selectors', '$lifecycle']) {
    ajv.addKeyword({ keyword });
  }
  const lists = { type: 'array' as const, errors: false as const };
  ajv.addKeyword({
    keyword: 'maxUniqueItems',
    ...lists,
    validate: (most: number, items: Item[], parent?: AnySchemaObject) =>
      mostAlike(items, parent?.selectors ?? []) <= most,
  });
  ajv.addKeyword({
    keyword: 'minUniqueItems',
    ...lists,
    validate: (least: number, items: Item[]) => items.length >= least,
  });
  const texts = { type: 'string' as const, errors: false as const };
  ajv.addKeyword({
    keyword: 'maxUtf8ByteLength',
    ...texts,
    validate: (most: number, text: string) => Buffer.byteLength(text, 'utf8') <= most,
  });
  ajv.addKeyword({
    keyword: 'minUtf8ByteLength',
    ...texts,
    validate: (least: number, text: string) => Buffer.byteLength(text, 'utf8') >= least,
  });
  return ajv;
}

/** A schema that is ready to judge: what it is made of costs up to a second, so the last ones are kept. */
interface Judge {
  root: Schema;
  whole: ValidateFunction;
  when(condition: Schema): ValidateFunction;
}

const judges = new LRUCache<string, Judge>({ max: 40 });

/** The judge of a schema's text. @throws where it is no schema */
function judgeOf(text: string): Judge {
  const key = createHash('sha256').update(text).digest('base64');
  const known = judges.get(key);
  if (known) return known;
  const { $schema: _, $id: __, ...root } = JSON.parse(text) as Schema & { $schema?: string; $id?: string };
  const ajv = vocabulary();
  const conditions = new Map<Schema, ValidateFunction>();
  const judge: Judge = {
    root,
    whole: ajv.compile(root),
    when(condition) {
      const made = conditions.get(condition) ?? ajv.compile({ ...condition, $defs: root.$defs ?? {} });
      conditions.set(condition, made);
      return made;
    },
  };
  judges.set(key, judge);
  return judge;
}

/** Attributes that a schema asks for and those that it forbids, as things are: its conditions are followed. */
function demandsOf({ root, when }: Judge, attributes: Attributes): { required: Set<string>; excluded: Set<string> } {
  const required = new Set<string>();
  const excluded = new Set<string>();
  const walk = (schema: Schema | undefined): void => {
    if (!schema) return;
    for (const name of schema.required ?? []) required.add(name);
    const { required: forbidden, ...others } = schema.not ?? {};
    if (forbidden?.length === 1 && Object.keys(others).length === 0) excluded.add(forbidden[0] ?? '');
    for (const part of schema.allOf ?? []) walk(part);
    if (schema.if) walk(when(schema.if)(attributes) ? schema.then : schema.else);
  };
  walk(root);
  return { required, excluded };
}

function fieldsIn(node: FormNode | undefined): readonly FormField[] {
  if (node?.kind === 'list') return fieldsIn(node.item);
  return node?.kind === 'object' ? node.fields : [];
}

/** Titles on the way to a part of a value: "高 › 数值". */
function trailOf(attribute: FormAttribute, path: readonly string[]): string[] {
  let fields = attribute.fields;
  const trail: string[] = [];
  for (const step of path) {
    const field = fields.find(({ name }) => name === step);
    if (!field) continue;
    trail.push(field.title);
    fields = fieldsIn(field.node);
  }
  return trail;
}

const LONGEST_CHOICE = 3;

function wordsOf({ keyword, params }: ErrorObject): string | undefined {
  switch (keyword) {
    case 'enum':
      return Array.isArray(params.allowedValues) && params.allowedValues.length <= LONGEST_CHOICE
        ? `只能是 ${params.allowedValues.join('、')}`
        : '请从列表中选择';
    case 'const':
      return '请从列表中选择';
    case 'maxLength':
      return `最多 ${params.limit} 个字符`;
    case 'minLength':
      return Number(params.limit) <= 1 ? '不能为空' : `至少 ${params.limit} 个字符`;
    case 'maxUtf8ByteLength':
      return '超过最大字节数';
    case 'minUtf8ByteLength':
      return '字节数不足';
    case 'maximum':
    case 'exclusiveMaximum':
      return `不能大于 ${params.limit}`;
    case 'minimum':
      return `不能小于 ${params.limit}`;
    case 'exclusiveMinimum':
      return `必须大于 ${params.limit}`;
    case 'type':
      return params.type === 'number' ? '请输入数字' : params.type === 'integer' ? '请输入整数' : '格式不正确';
    case 'pattern':
    case 'format':
    case 'multipleOf':
      return '格式不正确';
    case 'maxUniqueItems':
    case 'maxItems':
      return '值过多，请删除一些';
    case 'minUniqueItems':
    case 'minItems':
    case 'required':
      return '必填';
    case 'additionalProperties':
      return '包含商品类型没有的内容';
    default:
      return undefined;
  }
}

function issueOf(error: ErrorObject, titles: ReadonlyMap<string, FormAttribute>): DraftIssue | undefined {
  const words = wordsOf(error);
  if (words === undefined) return undefined;
  const { keyword, instancePath, params } = error;
  const [attribute = '', ...rest] = instancePath.split('/').slice(1);
  const missing = keyword === 'required' ? [String(params.missingProperty)] : [];
  const strange = keyword === 'additionalProperties' ? [String(params.additionalProperty)] : [];
  const name = attribute || missing[0] || strange[0] || '';
  const known = titles.get(name);
  if (attribute === '' && strange.length > 0) {
    return { attribute: name, label: name, message: '商品类型没有这个属性', severity: 'ERROR' };
  }
  const steps = attribute === '' ? [] : [...rest, ...missing].filter((step) => !/^\d+$/.test(step));
  const trail = known ? trailOf(known, steps) : [];
  // A value that has one part only needs not be told which.
  const where = (known?.fields.length ?? 0) > 1 && trail.length > 0 ? `${trail.join(' › ')}：` : '';
  return { attribute: name, label: known?.title ?? name, message: `${where}${words}`, severity: 'ERROR' };
}

/**
 * What the schema of a product type (its text) finds wrong with attributes, in Chinese and by attribute; and which it asks
 * for and forbids as things are. An attribute that is empty counts as missing.
 */
export function checked(text: string, form: FormModel, attributes: Attributes): DraftCheck {
  const judge = judgeOf(text);
  const titles = new Map(form.attributes.map((one) => [one.name, one]));
  const { required, excluded } = demandsOf(judge, attributes);
  judge.whole(attributes);
  const found = (judge.whole.errors ?? []).flatMap((error) => issueOf(error, titles) ?? []);
  const forbidden = [...excluded]
    .filter((name) => attributes[name] !== undefined)
    .map((name): DraftIssue => {
      return {
        attribute: name,
        label: titles.get(name)?.title ?? name,
        message: '当前情况下不能填写',
        severity: 'ERROR',
      };
    });
  const issues = [...found, ...forbidden];
  const unique = [...new Map(issues.map((issue) => [`${issue.attribute} ${issue.message}`, issue])).values()];
  return { issues: unique, required: [...required], excluded: [...excluded] };
}
