import type { FormAttribute, FormField, FormGroup, FormModel, FormNode, Option } from '../../contract/form.ts';
import { type Groups, resolved, type Schema } from './schema.ts';

/** A list without a limit of its own takes so many values. */
const MOST = 50;

function optionsOf({ enum: values = [], enumNames = [] }: Schema): Option[] {
  return values.map((value, index) => ({
    value: value as Option['value'],
    label: enumNames[index] ?? String(value),
  }));
}

const typeOf = ({ type }: Schema): string | undefined => (typeof type === 'string' ? type : type?.[0]);

function textNode(schema: Schema): FormNode {
  return {
    kind: 'text',
    ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
    ...(schema.maxUtf8ByteLength === undefined ? {} : { maxBytes: schema.maxUtf8ByteLength }),
    ...(schema.format === 'uri' ? { url: true as const } : {}),
  };
}

/** Several shapes of one value: where some are lists of choices they are offered, and where one is free text it may be typed. */
function eitherNode(root: Schema, branches: readonly Schema[]): FormNode {
  const shapes = branches.map((branch) => resolved(root, branch));
  const options = shapes.flatMap(optionsOf);
  const free = shapes.find((shape) => shape.enum === undefined);
  if (options.length === 0) return nodeOf(root, shapes[0] ?? {});
  return { kind: 'choice', options, ...(free ? { open: true as const } : {}) };
}

function nodeOf(root: Schema, given: Schema): FormNode {
  const schema = resolved(root, given);
  if (schema.enum) return { kind: 'choice', options: optionsOf(schema) };
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches && !schema.properties) return eitherNode(root, branches);
  const type = typeOf(schema);
  if (type === 'object') return { kind: 'object', fields: fieldsOf(root, schema) };
  if (type === 'array') {
    const most = schema.maxItems ?? schema.maxUniqueItems ?? MOST;
    return { kind: 'list', most, item: nodeOf(root, schema.items ?? {}) };
  }
  if (type === 'boolean') {
    return {
      kind: 'choice',
      options: [
        { value: true, label: '是' },
        { value: false, label: '否' },
      ],
    };
  }
  if (type === 'number' || type === 'integer') {
    const min = schema.minimum ?? schema.exclusiveMinimum;
    return {
      kind: 'number',
      ...(type === 'integer' ? { whole: true as const } : {}),
      ...(min === undefined ? {} : { min }),
      ...(schema.maximum === undefined ? {} : { max: schema.maximum }),
    };
  }
  return textNode(schema);
}

/** Marketplace and language are the same in every value of a form. */
const isGiven = (name: string, { hidden }: Schema): boolean =>
  hidden === true || name === 'marketplace_id' || name === 'language_tag';

function fieldsOf(root: Schema, object: Schema): FormField[] {
  const required = new Set(object.required ?? []);
  return Object.entries(object.properties ?? {}).flatMap(([name, given]): FormField[] => {
    const schema = resolved(root, given);
    if (isGiven(name, schema)) return [];
    return [
      {
        name,
        title: schema.title ?? name,
        required: required.has(name),
        ...(schema.editable === false ? { fixed: true as const } : {}),
        node: nodeOf(root, schema),
      },
    ];
  });
}

function defaultsOf(root: Schema, object: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object.properties ?? {}).flatMap(([name, given]) => {
      const schema = resolved(root, given);
      const value = schema.default ?? (schema.enum?.length === 1 ? schema.enum[0] : undefined);
      return isGiven(name, schema) && value !== undefined ? [[name, value]] : [];
    }),
  );
}

function attributeOf(root: Schema, name: string, given: Schema, locked: string | undefined): FormAttribute {
  const schema = resolved(root, given);
  const item = resolved(root, schema.items ?? {});
  return {
    name,
    title: schema.title ?? name,
    description: schema.description ?? '',
    many: schema.maxUniqueItems ?? schema.maxItems ?? MOST,
    fields: fieldsOf(root, item),
    defaults: defaultsOf(root, item),
    replaces: schema.replaces ?? [],
    ...(locked === undefined ? {} : { locked }),
  };
}

/**
 * The form of a product type: its groups in Amazon's order, and its attributes. Hidden ones, and those that another one
 * replaces, are left out. `lockedOf` says why an attribute is only shown.
 */
export function formOf(
  root: Schema,
  groups: Groups,
  lockedOf: (name: string) => string | undefined = () => undefined,
): FormModel {
  const properties = Object.entries(root.properties ?? {});
  const replaced = new Set(properties.flatMap(([, schema]) => schema.replaces ?? []));
  const shown = properties.filter(([name, schema]) => schema.hidden !== true && !replaced.has(name));
  const attributes = shown.map(([name, schema]) => attributeOf(root, name, schema, lockedOf(name)));
  const known = new Set(attributes.map(({ name }) => name));
  const grouped = Object.values(groups).map(
    ({ title = '', propertyNames = [] }): FormGroup => ({
      title,
      names: propertyNames.filter((name) => known.has(name)),
    }),
  );
  const named = new Set(grouped.flatMap(({ names }) => names));
  const rest = [...known].filter((name) => !named.has(name));
  return {
    groups: [
      ...grouped.filter(({ names }) => names.length > 0),
      ...(rest.length > 0 ? [{ title: '其他', names: rest }] : []),
    ],
    attributes,
  };
}
