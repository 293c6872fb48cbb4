import { unitDraw } from './random.ts';

/** Everything that can be made to go wrong, by what the caller sees. */
export const faultKinds = [
  'throttleStorm',
  'serverError',
  'timeoutBefore',
  'timeoutAfter',
  'connectionReset',
  'truncatedGzip',
  'wrongCharset',
  'bom',
  'duplicateRows',
  'shuffledRows',
  'missingColumn',
  'newColumn',
  'renamedColumn',
  'localisedHeaders',
  'emptyPage',
  'expiredPageToken',
  'codeReused',
  'tokenRevoked',
  'roleRemoved',
  'reportStuck',
  'reportFatal',
  'reportCancelled',
  'feedStuck',
  'feedFatal',
  'documentExpired',
  'clockSkew',
  'noticeDuplicated',
  'noticeLost',
  'noticesShuffled',
] as const;

/**
 * What can go wrong with inbound plans beside the rest; named apart because each of the others has its story with the
 * product. inboundFailed: an operation fails with `code` and `message`. inboundStuck: it stays IN_PROGRESS for `ms`, or for
 * good. inboundExpired: what it offers has expired at once. transportationEmpty: it offers no way of transport at all.
 */
export const inboundFaultKinds = ['inboundFailed', 'inboundStuck', 'inboundExpired', 'transportationEmpty'] as const;
export type FaultKind = (typeof faultKinds)[number] | (typeof inboundFaultKinds)[number];
const allKinds: readonly FaultKind[] = [...faultKinds, ...inboundFaultKinds];

/** Which calls a rule is about (every field given must match) and how often it strikes. */
export interface FaultRule {
  kind: FaultKind;
  /** e.g. "searchOrders", "token", "downloadDocument". */
  operation?: string;
  reportType?: string;
  /** A text that the request's path contains. */
  path?: string;
  sellingPartnerId?: string;
  /** Strike from the nth matching call on (1 = the first). */
  nth?: number;
  /** Strike with this probability, drawn from `seed` and the number of the matching call. */
  probability?: number;
  seed?: string;
  /** Strike at most this often; 1 when `nth` is given, else without limit. */
  count?: number;
  /** serverError: 500 or 503. */
  status?: number;
  /**
   * timeout*: how long the connection hangs before it is cut, ms (default 60,000). clockSkew: offset of `Date`, ms.
   * inboundStuck: how long, ms of the throttle clock (default: for good).
   */
  ms?: number;
  /** missingColumn, renamedColumn: the column; newColumn: its name. */
  column?: string;
  /** renamedColumn: the new name. */
  to?: string;
  /** localisedHeaders: "de", "fr", "ja". */
  language?: string;
  /** wrongCharset: what the content type claims. */
  charset?: string;
  /** inboundFailed: the problem's code and message. */
  code?: string;
  message?: string;
}

/** A rule at work: what the control surface lists. */
export interface ActiveRule {
  id: string;
  rule: FaultRule;
  seen: number;
  struck: number;
}

/** What is known about the call at hand when a rule is matched. */
export interface FaultTarget {
  operation?: string;
  reportType?: string;
  path?: string;
  sellingPartnerId?: string;
}

/**
 * The switchboard of faults. A rule counts the calls that match it and decides by count, position or a seeded draw,
 * so that the same sequence of calls fails in the same places every time.
 */
export class Faults {
  #rules: (ActiveRule & { documents: Set<string> })[] = [];
  #nextId = 1;

  /** Add a rule; returns it with its id. Throws an Error that names the wrong field. */
  add(rule: FaultRule): ActiveRule {
    checkRule(rule);
    const active = { id: `f${this.#nextId++}`, rule, seen: 0, struck: 0, documents: new Set<string>() };
    this.#rules.push(active);
    return visible(active);
  }

  /** All rules with their counts. */
  list(): ActiveRule[] {
    return this.#rules.map(visible);
  }

  /** Remove one rule, or all of them; returns how many went. */
  clear(id?: string): number {
    const before = this.#rules.length;
    this.#rules = id === undefined ? [] : this.#rules.filter((rule) => rule.id !== id);
    return before - this.#rules.length;
  }

  /** The first rule of this kind that strikes this call, or undefined. Counts the call. */
  strike(kind: FaultKind, target: FaultTarget): FaultRule | undefined {
    for (const active of this.#rules) {
      if (active.rule.kind === kind && matches(active.rule, target) && this.#decide(active)) return active.rule;
    }
    return undefined;
  }

  /**
   * As `strike`, but for what lies in a document: a document once struck stays struck for as long as the rule stands,
   * because a report is the same bytes however often it is fetched.
   */
  strikeDocument(kind: FaultKind, target: FaultTarget, documentId: string): FaultRule | undefined {
    for (const active of this.#rules) {
      if (active.rule.kind !== kind || !matches(active.rule, target)) continue;
      if (active.documents.has(documentId)) return active.rule;
      if (this.#decide(active)) {
        active.documents.add(documentId);
        return active.rule;
      }
    }
    return undefined;
  }

  #decide(active: ActiveRule): boolean {
    const { rule } = active;
    active.seen += 1;
    const limit = rule.count ?? (rule.nth === undefined ? Number.POSITIVE_INFINITY : 1);
    if (active.struck >= limit) return false;
    if (rule.nth !== undefined && active.seen < rule.nth) return false;
    if (rule.probability !== undefined) {
      const draw = unitDraw(rule.seed ?? 'faults', rule.kind, active.seen);
      if (draw >= rule.probability) return false;
    }
    active.struck += 1;
    return true;
  }
}

function visible({ id, rule, seen, struck }: ActiveRule): ActiveRule {
  return { id, rule, seen, struck };
}

function matches(rule: FaultRule, target: FaultTarget): boolean {
  return (
    (rule.operation === undefined || rule.operation === target.operation) &&
    (rule.reportType === undefined || rule.reportType === target.reportType) &&
    (rule.path === undefined || (target.path ?? '').includes(rule.path)) &&
    (rule.sellingPartnerId === undefined || rule.sellingPartnerId === target.sellingPartnerId)
  );
}

const texts = [
  'operation',
  'reportType',
  'path',
  'sellingPartnerId',
  'seed',
  'column',
  'to',
  'language',
  'charset',
  'code',
  'message',
];
const numbers = ['nth', 'probability', 'count', 'status', 'ms'];

/** A rule from untrusted fields. Throws an Error that names the first field that is unknown or of the wrong type. */
export function parseRule(fields: Record<string, unknown>): FaultRule {
  const kind = allKinds.find((known) => known === fields.kind);
  if (!kind) throw new Error(`Unknown fault kind: ${String(fields.kind)}`);
  const rule: FaultRule = { kind };
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'kind') continue;
    const expected = texts.includes(name) ? 'string' : numbers.includes(name) ? 'number' : undefined;
    if (expected === undefined) throw new Error(`Unknown field of a fault rule: ${name}`);
    if (typeof value !== expected) throw new Error(`${name}: a ${expected} is expected`);
    Object.assign(rule, { [name]: value });
  }
  checkRule(rule);
  return rule;
}

function checkRule(rule: FaultRule): void {
  const { probability, nth, count, status } = rule;
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    throw new Error('probability must lie between 0 and 1');
  }
  if (nth !== undefined && !(Number.isInteger(nth) && nth >= 1)) throw new Error('nth must be 1 or more');
  if (count !== undefined && !(Number.isInteger(count) && count >= 1)) throw new Error('count must be 1 or more');
  if (status !== undefined && status !== 500 && status !== 503) throw new Error('status must be 500 or 503');
}
