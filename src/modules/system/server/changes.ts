/** The fields of `after` that differ from `before`, on both sides: what the log of changes keeps. */
export function changed(before: object, after: object): { before: object; after: object } {
  const old = before as Record<string, unknown>;
  const keys = Object.entries(after).filter(([key, value]) => JSON.stringify(old[key]) !== JSON.stringify(value));
  return {
    before: Object.fromEntries(keys.map(([key]) => [key, old[key] ?? null])),
    after: Object.fromEntries(keys),
  };
}
