import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { type LedgerSource, type LedgerVariant, ledgerSources } from '#kit/server/ledger-source.ts';
import type { Place } from '../../contract/rules.ts';

/** The parts of the business whose events are booked, in their order. */
export function sourcesOf(ctx: Pick<Ctx, 'runtime'>): LedgerSource[] {
  return extensionsOf(ctx.runtime.modules, ledgerSources).toSorted((a, b) => a.sort - b.sort);
}

/** The source of a name. @throws notFound */
export function sourceOf(ctx: Pick<Ctx, 'runtime'>, name: string): LedgerSource {
  const found = sourcesOf(ctx).find((source) => source.name === name);
  if (!found) throw notFound();
  return found;
}

/** The key of a place: of a part, or of a variant of it. */
export const keyOf = (part: string, variant?: string): string => (variant ? `${part}:${variant}` : part);

/** All places of a source that subjects are chosen for: each part, and below it what it is told apart by. */
export async function placesOf(ctx: Ctx, source: LedgerSource): Promise<Place[]> {
  const variants = (await source.variants?.(ctx)) ?? {};
  return Object.entries(source.parts).flatMap(([part, { title, subject }]) => [
    { key: part, title, preset: subject, isVariant: false },
    ...(variants[part] ?? []).map(
      ({ key, title: name, subject: own }: LedgerVariant): Place => ({
        key: keyOf(part, key),
        title: name,
        preset: own,
        isVariant: true,
      }),
    ),
  ]);
}
