import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

type Node = Record<string, unknown>;

/** A parameter as Swagger 2 describes it. */
export interface ModelParameter {
  name: string;
  in: 'query' | 'path' | 'body' | 'header';
  required: boolean;
  type: string | undefined;
  schema: z.ZodType;
}

/** A static example of an answer: the parameters that bring it. */
export interface ModelExample {
  status: number;
  parameters: Readonly<Record<string, unknown>>;
}

/** One operation of a published model. */
export interface ModelOperation {
  name: string;
  method: string;
  /** "/orders/2026-01-01/orders/:orderId". */
  path: string;
  /** As the description's table says; undefined where it says nothing. */
  plan: { rate: number; burst: number } | undefined;
  parameters: readonly ModelParameter[];
  /** What an answer of that status looks like; undefined where it has no body. */
  replies: ReadonlyMap<number, z.ZodType | undefined>;
  examples: readonly ModelExample[];
}

const FOLDER = join(import.meta.dirname, 'models');

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const nodeOf = (value: unknown): Node => (isNode(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A file of the models, without ".gz". */
function readModel(file: string): Node {
  return nodeOf(JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${file}.gz`))).toString('utf8')));
}

/** Names that take part in an `allOf`: their objects may hold what the other parts describe. */
function mixedNames(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const each of value) mixedNames(each, found);
  else if (isNode(value)) {
    for (const part of listOf(value.allOf)) found.add(String(nodeOf(part).$ref ?? ''));
    for (const each of Object.values(value)) mixedNames(each, found);
  }
  return found;
}

/** The same schema, but with objects that hold nothing undescribed: a misspelt field is as wrong as a missing one. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isNode(value)) return value;
  const copy: Node = {};
  for (const [key, each] of Object.entries(value)) {
    if (key === 'example' || key === 'examples' || key.startsWith('x-') || key === 'readOnly') continue;
    copy[key] = key === 'properties' ? closedFields(each) : closed(each);
  }
  const isObject = isNode(value.properties) && Object.keys(value.properties).length > 0;
  if (isObject && value.additionalProperties === undefined && !value.allOf) copy.additionalProperties = false;
  return copy;
}

/** Names of fields are the model's own, whatever they are spelled like. */
function closedFields(fields: unknown): Node {
  return Object.fromEntries(Object.entries(nodeOf(fields)).map(([name, each]) => [name, closed(each)]));
}

function closedDefinitions(definitions: Node): Node {
  const mixed = mixedNames(definitions);
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => {
      const whole = nodeOf(closed(schema));
      if (mixed.has(`#/definitions/${name}`)) delete whole.additionalProperties;
      return [name, whole];
    }),
  );
}

/** The checker of a schema of a model. */
function checkerOf(schema: unknown, definitions: Node): z.ZodType {
  const root = { ...nodeOf(closed(schema)), definitions };
  return z.fromJSONSchema(root as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'draft-4' });
}

function planOf(description: unknown): ModelOperation['plan'] {
  const row = /\|\s*Rate[^\n]*\n\s*\|[\s\-|:]*\n\s*\|(?<cells>[^\n]*)/.exec(String(description ?? ''));
  const numbers = (row?.groups?.cells ?? '').split('|').map((cell) => Number(cell.trim()));
  const [rate, burst] = numbers.filter((number) => Number.isFinite(number) && number > 0).slice(-2);
  return rate === undefined || burst === undefined ? undefined : { rate, burst };
}

function parameterOf(raw: unknown, definitions: Node): ModelParameter {
  const { name, in: place, required, schema, description: _, collectionFormat: __, ...plain } = nodeOf(raw);
  return {
    name: String(name),
    in: place as ModelParameter['in'],
    required: required === true,
    type: typeof plain.type === 'string' ? plain.type : undefined,
    schema: checkerOf(schema ?? plain, definitions),
  };
}

function examplesOf(responses: Node): ModelExample[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    listOf(nodeOf(nodeOf(response)['x-amzn-api-sandbox']).static).map((example) => ({
      status: Number(status),
      parameters: Object.fromEntries(
        Object.entries(nodeOf(nodeOf(nodeOf(example).request).parameters)).map(([name, each]) => [
          name,
          nodeOf(each).value,
        ]),
      ),
    })),
  );
}

function operationOf(method: string, path: string, raw: Node, definitions: Node): ModelOperation {
  const responses = nodeOf(raw.responses);
  return {
    name: String(raw.operationId),
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    plan: planOf(raw.description),
    parameters: listOf(raw.parameters).map((each) => parameterOf(each, definitions)),
    replies: new Map(
      Object.entries(responses).map(([status, response]) => {
        const { schema } = nodeOf(response);
        return [Number(status), schema === undefined ? undefined : checkerOf(schema, definitions)];
      }),
    ),
    examples: examplesOf(responses),
  };
}

/** Every operation of the published models that lie here. */
export function modelOperations(): ModelOperation[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'));
  return files.flatMap((file) => {
    const model = readModel(file.slice(0, -3));
    const definitions = closedDefinitions(nodeOf(model.definitions));
    return Object.entries(nodeOf(model.paths)).flatMap(([path, methods]) =>
      Object.entries(nodeOf(methods))
        .filter(([, raw]) => nodeOf(raw).operationId !== undefined)
        .map(([method, raw]) => operationOf(method, path, nodeOf(raw), definitions)),
    );
  });
}

/** The checker of a published JSON schema, as it is written: "reports/sellerSalesAndTrafficReport.json". */
export function schemaChecker(file: string): z.ZodType {
  const { examples: _, $id: __, ...schema } = readModel(file);
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'draft-7' });
}
