import { Ajv2019, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js';
import { schemaOf, type Wanted } from './schema.ts';

type Item = Record<string, unknown>;

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** How many items differ by their selectors at most: two values for the same place count twice. */
function mostPerPlace(items: readonly Item[], selectors: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = JSON.stringify(selectors.map((name) => item[name] ?? null));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

function checker(): Ajv2019 {
  const ajv = new Ajv2019({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: false,
    verbose: true,
  });
  for (const keyword of ['editable', 'enumNames', 'hidden', 'replaces', 'selectors']) ajv.addKeyword({ keyword });
  ajv.addKeyword({
    keyword: 'maxUniqueItems',
    type: 'array',
    validate: (most: number, items: Item[], schema?: AnySchemaObject) =>
      mostPerPlace(items, schema?.selectors ?? []) <= most,
  });
  ajv.addKeyword({
    keyword: 'minUniqueItems',
    type: 'array',
    validate: (least: number, items: Item[]) => items.length >= least,
  });
  ajv.addKeyword({
    keyword: 'maxUtf8ByteLength',
    type: 'string',
    validate: (most: number, text: string) => bytesOf(text) <= most,
  });
  return ajv;
}

const compiled = new Map<string, ValidateFunction>();

function compiledFor(wanted: Wanted): ValidateFunction {
  const { productType, marketplace, requirements, parentage } = wanted;
  const key = [productType, marketplace.marketplaceId, requirements, parentage].join('|');
  const known = compiled.get(key) ?? checker().compile(schemaOf(wanted));
  compiled.set(key, known);
  return known;
}

/** What a product type's own schema finds wrong with attributes. */
export function schemaErrors(wanted: Wanted, attributes: object): readonly ErrorObject[] {
  const validate = compiledFor(wanted);
  return validate(attributes) ? [] : (validate.errors ?? []);
}
