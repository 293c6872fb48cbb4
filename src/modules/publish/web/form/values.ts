import type { FormAttribute, FormField, FormNode, Values } from '../../contract/form.ts';

type Value = Readonly<Record<string, unknown>>;

/** The parts of a value that hold nothing yet: lists of one entry, whose parts then have a place. */
function emptyNode(node: FormNode): unknown {
  if (node.kind === 'object') return emptyParts(node.fields);
  return node.kind === 'list' ? [emptyNode(node.item)] : undefined;
}

function emptyParts(fields: readonly FormField[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, node }) => {
      const value = node.kind === 'choice' && node.options.length === 1 ? node.options[0]?.value : emptyNode(node);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A further value of an attribute, with what every one carries. */
export function newValue({ fields, defaults }: FormAttribute): Value {
  return { ...emptyParts(fields), ...defaults };
}

/** A value with one part changed; an emptied part is left out. */
export function withPart(value: Value, name: string, part: unknown): Value {
  if (part !== undefined && part !== '' && part !== null) return { ...value, [name]: part };
  const { [name]: _, ...rest } = value;
  return rest;
}

/** Values with the one at a place changed, or taken out. */
export function withValue<T>(values: readonly T[], at: number, value: T | undefined): T[] {
  return values.flatMap((one, index) => (index === at ? (value === undefined ? [] : [value]) : [one]));
}

/** What a form shows of an attribute: its values, or one to fill in. */
export function shownValues(attribute: FormAttribute, values: Values | undefined): Values {
  return values && values.length > 0 ? values : [newValue(attribute)];
}
