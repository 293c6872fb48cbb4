import type { Outcome } from '#kit/contract/document-calls.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, notFound } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { ScanKind, ScanPack, ScanTask } from '../../contract/scan.ts';

type Task = NonNullable<ScanPack['task']>;

/** What a picker took of a line; `short`: the rest is not to be found. */
export interface ScannedLine {
  lineId: string;
  qty: number;
  short: boolean;
}

/** Documents of another module whose pieces are picked with a scanner. */
export interface ScanPicks {
  kind: ScanKind;
  /** Prefix of the codes on its papers, e.g. 'PS'. */
  prefix: string;
  /** Permission to pick. */
  right: string;
  /** Those that wait in a warehouse, the oldest first, 200 at most. */
  tasks: (ctx: Ctx, warehouseId: string) => Promise<ScanTask[]>;
  /** One with its lines, and where it is picked; undefined for none that the caller may see. */
  task: (ctx: Ctx, id: string) => Promise<{ warehouseId: string; task: Task } | undefined>;
  /** The document that an id or number on a code means. */
  find: (ctx: Ctx, text: string) => Promise<{ id: string; number: string; warehouseId: string } | undefined>;
  /** The screen where the box is packed that a code `BX.<text>` means. */
  box?: (ctx: Ctx, text: string) => Promise<{ number: string; path: string } | undefined>;
  /** Takes pieces; once for its client id. */
  pick: (
    ctx: Ctx,
    input: { id: string; clientId?: string | undefined; lines: readonly ScannedLine[] },
  ) => Promise<Outcome>;
}

/** Where modules add documents that are picked with a scanner. */
export const scanPicks = extensionPoint<ScanPicks>('warehouse.scanPicks');

export const picksOf = (ctx: Ctx): ScanPicks[] => extensionsOf(ctx.runtime.modules, scanPicks);

/** @throws notFound for a kind that no module picks, forbidden without its right */
export async function pickScanned(
  ctx: Ctx,
  { kind, ...input }: { kind: ScanKind; id: string; clientId?: string | undefined; lines: readonly ScannedLine[] },
): Promise<Outcome> {
  const found = picksOf(ctx).find((one) => one.kind === kind);
  if (!found) throw notFound();
  if (!can(ctx, found.right)) throw forbidden(found.right);
  return found.pick(ctx, input);
}
