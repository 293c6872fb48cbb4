import type { z } from 'zod';
import type { Exchange } from '../wire/operation.ts';
import { type ModelOperation, type ModelParameter, modelOperations } from './model.ts';

/** What is wrong with exchanges by Amazon's published models; each kind of wrong is told once. */
export interface Conformance {
  /** For `SandboxOptions.watch`. */
  watch(exchange: Exchange): void;
  /** "getOrder 200 order.orderId: …", in the order of their first appearance. */
  problems(): string[];
  /** How many exchanges of each operation were checked. */
  seen(): ReadonlyMap<string, number>;
}

function issuesOf(schema: z.ZodType, value: unknown, at: string): string[] {
  const result = schema.safeParse(value);
  return result.success
    ? []
    : result.error.issues.map((issue) => `${[at, ...issue.path.map(String)].join('.')}: ${issue.message}`);
}

/** A text of the query as the value that its parameter describes. */
function givenValue(parameter: ModelParameter, raw: unknown): unknown {
  if (parameter.type === 'array') return (Array.isArray(raw) ? raw : [raw]).flatMap((text) => String(text).split(','));
  if (parameter.type === 'integer' || parameter.type === 'number') return Number(raw);
  if (parameter.type === 'boolean') return raw === 'true' ? true : raw === 'false' ? false : raw;
  return raw;
}

/** What is wrong with the query, path and body of a request. */
export function requestProblems(
  model: ModelOperation,
  { query, params, body }: Pick<Exchange, 'query' | 'params' | 'body'>,
): string[] {
  const values = { query, path: params, body: { body }, header: {} };
  const known = new Set(model.parameters.filter((each) => each.in === 'query').map((each) => each.name));
  const undescribed = Object.keys(query).filter((name) => !known.has(name));
  return [
    ...undescribed.map((name) => `query.${name}: no such parameter`),
    ...model.parameters.flatMap((parameter) => {
      const at = `${parameter.in}.${parameter.name}`;
      const raw: unknown = parameter.in === 'body' ? body : Reflect.get(values[parameter.in], parameter.name);
      if (raw === undefined || raw === null) return parameter.required ? [`${at}: is required`] : [];
      return issuesOf(parameter.schema, givenValue(parameter, raw), at);
    }),
  ];
}

/** What is wrong with an answer. */
export function replyProblems(model: ModelOperation, status: number, reply: unknown): string[] {
  if (!model.replies.has(status)) return [`the model has no answer ${status}`];
  const schema = model.replies.get(status);
  // What goes over the wire is the JSON of it: a field that is undefined is none.
  return schema ? issuesOf(schema, JSON.parse(JSON.stringify(reply ?? null)), String(status)) : [];
}

/** Same parameters under other names are the same path. */
const shapeOf = (method: string, path: string): string => `${method} ${path.replaceAll(/:\w+/g, ':')}`;

/** The model of an operation of the sandbox, by method and path. */
export function modelOf({ method, path }: { method: string; path: string }): ModelOperation | undefined {
  // Read once, and only by whoever checks: most processes never do.
  models ??= new Map(modelOperations().map((model) => [shapeOf(model.method, model.path), model]));
  return models.get(shapeOf(method, path));
}

let models: ReadonlyMap<string, ModelOperation> | undefined;

/** A watcher that holds every exchange against the models. Requests that were refused need not be right. */
export function conformance(): Conformance {
  const problems = new Set<string>();
  const seen = new Map<string, number>();
  const watch = (exchange: Exchange): void => {
    const { operation, status, reply } = exchange;
    // What the sandbox does not simulate it says in a way of its own.
    if (status === 501) return;
    const model = modelOf(operation);
    seen.set(operation.name, (seen.get(operation.name) ?? 0) + 1);
    if (!model) {
      problems.add(`${operation.name}: no model describes it`);
      return;
    }
    const found = [...(status < 300 ? requestProblems(model, exchange) : []), ...replyProblems(model, status, reply)];
    for (const each of found) problems.add(`${operation.name} ${each.replaceAll(/\.\d+\./g, '.#.')}`);
  };
  return { watch, problems: () => [...problems], seen: () => seen };
}
