import type { Ctx } from './context.ts';
import { unscoped } from './scope.ts';

/** Something that a module tells whoever listens; the payload type is carried by the value. */
export interface EventDef<T> {
  name: string;
  /** Only for the type; never set. */
  readonly payload?: T;
}

export interface Handler {
  event: string;
  run: (ctx: Ctx, payload: never) => Promise<void>;
}

/** Names an event: `const goodsReceived = event<{ warehouseId: string }>('warehouse.goodsReceived')`. */
export function event<T>(name: string): EventDef<T> {
  return { name };
}

/** Reacts to an event in the transaction of whoever emitted it; a failure there rolls all of it back. */
export function on<T>(def: EventDef<T>, run: (ctx: Ctx, payload: T) => Promise<void>): Handler {
  return { event: def.name, run: run as Handler['run'] };
}

const handlers = new Map<string, Handler['run'][]>();

/** Called once at start with the handlers of all modules, in module order. */
export function listen(all: readonly Handler[]): void {
  handlers.clear();
  for (const handler of all) handlers.set(handler.event, [...(handlers.get(handler.event) ?? []), handler.run]);
}

/** Tells all listeners, one after the other, in the caller's transaction and for the whole company. */
export async function emit<T>(ctx: Ctx, def: EventDef<T>, payload: T): Promise<void> {
  const runs = handlers.get(def.name) ?? [];
  if (runs.length === 0) return;
  await unscoped(ctx, async () => {
    for (const run of runs) await run(ctx, payload as never);
  });
}
