import type { ScopeGrant } from '../../contract/roles.ts';

/** Scopes as one text, whatever their order: two that mean the same read the same. */
export function plain(scopes: readonly ScopeGrant[]): string {
  return JSON.stringify(
    scopes
      .map(({ dimension, mode, ids }) => ({ dimension, mode, ids: mode === 'LIST' ? [...ids].sort() : [] }))
      .sort((a, b) => a.dimension.localeCompare(b.dimension)),
  );
}

/** `next` with what the user ticked and unticked since `base`: an answer that arrives later takes none of it away. */
export function rebased(next: readonly string[], base: readonly string[], held: ReadonlySet<string>): Set<string> {
  const was = new Set(base);
  const kept = next.filter((code) => held.has(code) || !was.has(code));
  return new Set([...kept, ...[...held].filter((code) => !was.has(code))]);
}

/** `next` with the dimensions that the user changed since `base`. */
export function rebasedScopes(
  next: readonly ScopeGrant[],
  base: readonly ScopeGrant[],
  held: readonly ScopeGrant[],
): ScopeGrant[] {
  const of = (scopes: readonly ScopeGrant[], dimension: string) =>
    plain(scopes.filter((scope) => scope.dimension === dimension));
  const changed = (scope: ScopeGrant) => of(base, scope.dimension) !== of(held, scope.dimension);
  return [...next.filter((scope) => !changed(scope)), ...held.filter(changed)];
}
