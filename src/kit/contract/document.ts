import type { OfferedAction } from './document-calls.ts';
import type { StateMeta } from './field.ts';

export type { OfferedAction } from './document-calls.ts';

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

/**
 * The steps of a document that an approval flow takes in the place of people, where a company has its documents
 * approved by flows.
 */
export interface ApprovalSteps<T extends string = string> {
  /** Steps that hand the document in; each begins a flow. */
  submit: readonly T[];
  /** Taken when the flow ends well. */
  approve: T;
  /** Taken when somebody refuses or returns the document. */
  reject: T;
  /** Taken when its maker takes it back; `reject` where left out. */
  withdraw?: T;
  /** Steps that stay open while a flow runs, and end it: the document is void then. */
  cancel?: readonly T[];
  /** Puts an approved document back among those that wait, after a change that asks for approval again. */
  reopen?: T;
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
  /** Left out: no flow approves such documents. */
  approval?: ApprovalSteps<NoInfer<T>>;
}

/** Declares a kind of document; the server adds guards and effects, the page draws buttons and steps from it. */
export function documentType<const S extends string, const T extends string>(
  def: DocumentDef<S, T>,
): DocumentDef<S, T> {
  return def;
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
