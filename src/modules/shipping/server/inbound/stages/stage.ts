import type { SpApi } from '#modules/marketplace/server/index.ts';
import type { Problem } from '../answers.ts';
import type { Ask, InboundOperation, Patch, StageKey, View } from '../types.ts';

/** One step of the way: what it waits for, what it asks of Amazon, and what it reads of the end. */
export interface Stage {
  key: StageKey;
  /** For people. */
  title: string;
  /** Not a step of this plan. */
  skip?(view: View): boolean;
  /** What it still waits for, in words for people; nothing where it may go on. */
  gate?(view: View): string | undefined;
  /** Shipments that it is done for one by one; the plan as a whole where left out. */
  subjects?(view: View): readonly string[];
  /** What it asks; left out by a step that only reads. */
  request?(view: View, subject: string): Ask;
  /** Whether what was asked before still counts; by the same request where left out. */
  current?(view: View, operation: InboundOperation): boolean;
  /**
   * Whether Amazon shows the effect of an operation whose answer is lost. Left out where asking twice does no harm: then it
   * is asked again.
   */
  seen?(api: SpApi, view: View, subject: string): Promise<Patch | undefined>;
  /** Reads what came of it. For a step that only reads: all that it does. */
  take?(api: SpApi, view: View, subject: string): Promise<Patch>;
  /** Of a step that only reads: whether it was done. */
  done?(view: View): boolean;
  /** What of earlier offers is worth nothing once this is asked anew. */
  forget?: Patch['inbound'];
  /** An earlier step from which to begin again after these problems; undefined leaves it to people. */
  again?(view: View, problems: readonly Problem[]): StageKey | undefined;
}

/** Whether one of the problems has this code or says this. */
export function says(problems: readonly Problem[], ...signs: (string | RegExp)[]): boolean {
  return problems.some(({ code, message }) =>
    signs.some((sign) => (typeof sign === 'string' ? code === sign : sign.test(message))),
  );
}
