import type { DocumentDef } from '#kit/contract/document.ts';
import type { Ctx } from './context.ts';
import { conflict } from './errors.ts';
import { type ExtensionPoint, extensionPoint, extensionsOf } from './extension.ts';
import type { Runtime } from './runtime.ts';
import { unscoped } from './scope.ts';

/** A value that a condition of a flow compares; amounts and ratios are decimal text. */
export type ApprovalValue = string | number | boolean | null | readonly string[];

/** A field of a kind of document that flows may decide by. */
export interface ApprovalField {
  key: string;
  /** Chinese, as the designer of flows reads it. */
  title: string;
  /** 'money' is in the currency of the document, 'choice' one or several of `options`. */
  kind: 'money' | 'number' | 'text' | 'choice' | 'boolean';
  options?: (ctx: Ctx) => Promise<readonly { value: string; title: string }[]>;
}

/** A document as those who approve it see it. */
export interface ApprovalSubject {
  number: string;
  /** One line: what it is about, e.g. "采购入库 · 深圳仓 · 3 个SKU 共 1,200 件". */
  summary: string;
  /** What the decision needs, label and value as they are read. */
  facts: readonly { label: string; value: string }[];
  /** Decimal text in `currency`; null where the document has no amount. */
  amount: string | null;
  currency: string | null;
  /** Warehouse or store that it belongs to, by name. */
  place: string;
  /** Ids by which the scope of a flow finds the document. */
  warehouses?: readonly string[];
  stores?: readonly string[];
  /** One value for each of the kind's fields. */
  vars: Readonly<Record<string, ApprovalValue>>;
  /** Members whom flows name by what they are to the document, by key of the kind's `people`. */
  people?: Readonly<Record<string, readonly string[]>>;
  /** Whatever must not change while people decide; it is kept as a hash. */
  content: unknown;
}

/** A kind of document that flows can approve: a module with such documents adds one to `approvables`. */
export interface Approvable {
  /** With `approval`: the steps that are the flow's. */
  def: DocumentDef;
  /** Qualified table with company_id, id and number; its rows are locked before those of a flow. */
  table: string;
  /** Permission with which the document itself can be looked at. */
  view: string;
  /** Permission without which its amount is told to those alone who are asked to decide. */
  amountPermission?: string;
  fields: readonly ApprovalField[];
  /** What members can be to the document: key to Chinese name, e.g. { buyer: '采购员' }. */
  people?: Readonly<Record<string, string>>;
  /** Fields whose change after the approval asks for another one, whatever they become; amounts have a tolerance. */
  fixed?: readonly string[];
  /** Money leaves by it: a time-out never approves it. */
  pays?: boolean;
  /** Reads the document within the caller's data rights. @throws notFound */
  subject: (ctx: Ctx, id: string) => Promise<ApprovalSubject>;
  /** Takes a step of the document, with its effects, in the caller's transaction. */
  take: (ctx: Ctx, id: string, step: string, reason?: string) => Promise<unknown>;
}

/** Where modules add the kinds of their documents that flows can approve. */
export const approvables = extensionPoint<Approvable>('kit.approvables');

/** CNY for one unit of each of some currencies on a day "yyyy-MM-dd"; one that the source does not know is absent. */
export interface RateSource {
  rates: (ctx: Ctx, currencies: readonly string[], day: string) => Promise<ReadonlyMap<string, string>>;
}

/** Where a module adds the exchange rates by which amounts of several currencies are compared; the first that knows one counts. */
export const rateSources = extensionPoint<RateSource>('kit.rateSources');

/** What rates are told in: the currency in which companies count. */
export const BASE_CURRENCY = 'CNY';

/** CNY for one unit of currencies on a day "yyyy-MM-dd", CNY itself at 1; a currency that nobody knows is absent. */
export async function ratesOn(ctx: Ctx, currencies: readonly string[], day: string): Promise<Map<string, string>> {
  const rates = new Map([[BASE_CURRENCY, '1']]);
  for (const source of extensionsOf(ctx.runtime.modules, rateSources)) {
    const open = [...new Set(currencies)].filter((currency) => !rates.has(currency));
    if (open.length === 0) break;
    for (const [currency, rate] of await source.rates(ctx, open, day)) rates.set(currency, rate);
  }
  return rates;
}

/** What stands between a document's steps and the flows. */
export interface ApprovalGate {
  /** @throws AppError B0840 where a flow is in charge of the step */
  before: (ctx: Ctx, def: DocumentDef, id: string, step: string) => Promise<void>;
  /** Begins a flow after a document was handed in, ends it after it became void. Answers whether there was one. */
  after: (ctx: Ctx, def: DocumentDef, id: string, step: string, reason: string | undefined) => Promise<boolean>;
  /** Whether a flow decides about the document now. */
  deciding: (ctx: Ctx, documentType: string, id: string) => Promise<boolean>;
  /**
   * Looks at a document that was changed after its approval: a higher amount than the tolerance allows, or another value
   * of a fixed field, reopens it and begins a flow. Answers whether it did; undefined where no flow had approved it.
   */
  changed: (ctx: Ctx, def: DocumentDef, id: string) => Promise<boolean | undefined>;
}

/** Where the module of the flows adds its gate; without one, documents are approved by whoever may. */
export const approvalGate: ExtensionPoint<ApprovalGate> = extensionPoint('kit.approvalGate');

const gates = new WeakMap<Runtime, ApprovalGate | null>();

function gateOf(runtime: Runtime): ApprovalGate | null {
  const known = gates.get(runtime);
  if (known !== undefined) return known;
  const gate = extensionsOf(runtime.modules, approvalGate)[0] ?? null;
  gates.set(runtime, gate);
  return gate;
}

/** Contexts in which a flow takes the steps of a document. */
const taking = new WeakSet<Ctx>();

/** Whether a flow takes the step that runs in this context: who may is the flow's matter then, not the document's. */
export function actsForFlow(ctx: Ctx): boolean {
  return taking.has(ctx);
}

/** The gate that a step of a document passes; none for documents without flows and for steps that a flow takes. */
export function flowGate(ctx: Ctx, def: DocumentDef): ApprovalGate | undefined {
  if (!def.approval || taking.has(ctx)) return undefined;
  return gateOf(ctx.runtime) ?? undefined;
}

/**
 * Runs `work` in the caller's transaction and name, but with every permission and for the whole company: being asked to
 * decide is the right to do so.
 */
export async function forFlow<T>(ctx: Ctx, work: (flow: Ctx) => Promise<T>): Promise<T> {
  const flow: Ctx = { ...ctx, permissions: undefined, dataScope: undefined };
  taking.add(flow);
  try {
    return await unscoped(ctx, () => work(flow));
  } finally {
    ctx.audited ||= flow.audited;
  }
}

/**
 * A document that a flow decides about does not change under those who decide.
 * @throws conflict that says how it can be changed; nothing where no flow decides
 */
export async function requireUnlocked(ctx: Ctx, def: DocumentDef, id: string): Promise<void> {
  if (await flowGate(ctx, def)?.deciding(ctx, def.name, id)) throw conflict('单据审批中，不可修改，请先撤回');
}

/** Whether somebody else than the document's own module tells people of its approval: a flow is or was in charge. */
export async function flowTells(ctx: Ctx, def: DocumentDef, id: string): Promise<boolean> {
  if (taking.has(ctx)) return true;
  return (await flowGate(ctx, def)?.deciding(ctx, def.name, id)) ?? false;
}

/**
 * Says that a document was changed after its approval; to be called where it was saved. Answers whether it waits for
 * approval again now; undefined where no flow had approved it, and the document itself has to judge.
 */
export async function changedAfterApproval(ctx: Ctx, def: DocumentDef, id: string): Promise<boolean | undefined> {
  return flowGate(ctx, def)?.changed(ctx, def, id);
}
