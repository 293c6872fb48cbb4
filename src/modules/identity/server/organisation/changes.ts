type Values = Readonly<Record<string, unknown>>;

/** The fields that differ, as they were and as they are: what an audit row says. Undefined where nothing changed. */
export function changes(before: Values, after: Values): { before: Values; after: Values } | undefined {
  const keys = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (keys.length === 0) return undefined;
  const pick = (from: Values) => Object.fromEntries(keys.map((key) => [key, from[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
