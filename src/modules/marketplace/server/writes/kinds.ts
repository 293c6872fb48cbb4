import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { ModuleDef } from '#kit/server/module.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { ApiRefused, ApiRequest, SpApi } from '../api/port.ts';

/** A write as its kind sees it. */
export interface Write {
  marketplaceId: string;
  /** What it is about, e.g. the number of an order. */
  subject: string;
  /** Which of several writes about it. */
  key: string;
  /** What `planWrite` was given, as JSON. */
  request: unknown;
}

/** Whose write it is, for what the company itself says of it. */
export interface WriteWork {
  runtime: Runtime;
  companyId: string;
}

/** One sort of single writes to the marketplace: how it is called, and how to find out whether it arrived. */
export interface WriteKind {
  /** e.g. "order.shipment". */
  kind: string;
  /** For people, e.g. 确认发货. */
  title: string;
  /** Who may have it sent once more. */
  permission: string;
  /** The call; `once` where a second one would have a second effect. `announce` is not its concern. */
  call(write: Write): Omit<ApiRequest, 'announce'>;
  /**
   * What the body takes along that no row of writes may hold, such as where a buyer lives: read right before the call leaves,
   * and shown to nobody. Throws what the call itself would.
   */
  fill?(body: unknown, write: Write, work: WriteWork): Promise<unknown>;
  /**
   * After a lost answer: whether the marketplace shows the effect. Without it a call that may be made only once is left to
   * people. "unknown" is asked again a few times, and never sent again. `found` is kept in place of the lost answer's body.
   */
  verify?(api: SpApi, write: Write, work: WriteWork): Promise<'done' | 'absent' | 'unknown' | { found: unknown }>;
  /**
   * What is kept of an answer's body in place of it, where it holds what must not be written down; files of it go to the
   * store. What fails here counts as a lost answer.
   */
  take?(body: unknown, write: Write, work: WriteWork): Promise<unknown>;
  /**
   * Whether what the write was planned on still holds, looked up right before it leaves: words in Chinese where it must not
   * leave any more, and it is refused.
   */
  unfit?(api: SpApi, write: Write, work: WriteWork): Promise<string | undefined>;
  /** Where the marketplace answers 200 and refuses all the same: what it says, in Chinese; undefined where it accepts. */
  refusalIn?(body: unknown, write: Write): string | undefined;
  /** What a refusal means, in Chinese and naming the field; undefined leaves the marketplace's own words. */
  problemOf?(error: ApiRefused): string | undefined;
}

/** What modules above write to the marketplace one by one. */
export const writeKinds = extensionPoint<WriteKind>('marketplace.writeKinds');

/** The kind of that name; undefined for one that no module knows any more. */
export function kindOf(modules: readonly ModuleDef[], kind: string): WriteKind | undefined {
  return extensionsOf(modules, writeKinds).find((one) => one.kind === kind);
}
