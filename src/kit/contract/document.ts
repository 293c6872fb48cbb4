import type { StateMeta } from './field.ts';

/** One way from a state to another: who may take it, and how its button reads. */
export interface Transition<S extends string> {
  title: string;
  from: readonly S[];
  to: S;
  permission: string;
  /** Primary action of the action bar in these states. */
  primary?: boolean;
  /** Asks for a reason, which goes to the timeline. */
  reason?: boolean;
  /** What pressing it will do, shown left in the action bar and in the confirmation. */
  consequence?: string;
  /** Taken by jobs or by other documents only; never offered as a button. */
  internal?: boolean;
}

export interface DocumentDef<S extends string = string, T extends string = string> {
  /** Stable name; messages, attachments, comments and the timeline refer to it. */
  name: string;
  title: string;
  /** e.g. "UP{yyMMdd}{seq:4}": the sequence restarts with every different prefix. */
  number: string;
  /** Route of the detail screen. */
  detail: string;
  states: Record<S, StateMeta>;
  initial: S;
  transitions: Record<T, Transition<S>>;
}

/** Declares a kind of document; the server adds guards and effects, the page draws buttons and steps from it. */
export function documentType<const S extends string, const T extends string>(
  def: DocumentDef<S, T>,
): DocumentDef<S, T> {
  return def;
}

export interface OfferedAction {
  name: string;
  title: string;
  primary: boolean;
  reason: boolean;
  consequence?: string | undefined;
  /** Why it cannot be taken now, if so. */
  blocked?: string | undefined;
}

/** The actions that a document in `state` offers to somebody who holds `permissions`. */
export function actionsOf(def: DocumentDef, state: string, permissions: ReadonlySet<string>): OfferedAction[] {
  return Object.entries(def.transitions)
    .filter(([, t]) => !t.internal && t.from.includes(state) && permissions.has(t.permission))
    .map(([name, t]) => ({
      name,
      title: t.title,
      primary: t.primary ?? false,
      reason: t.reason ?? false,
      consequence: t.consequence,
    }));
}
