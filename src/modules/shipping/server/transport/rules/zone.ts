const PARTS = /[\s,，、;；/]+/;

/**
 * Whether a channel goes where something is sent. Its zone is a list of names of regions, or of beginnings of fulfilment
 * centres or postal codes ("美西", "ONT, LGB", "9"); an empty one is the whole country, as is an empty wish any zone.
 */
export function inZone(zone: string, wanted: string): boolean {
  const parts = zone.toUpperCase().split(PARTS).filter(Boolean);
  const goal = wanted.trim().toUpperCase();
  return parts.length === 0 || goal === '' || parts.some((part) => goal.startsWith(part));
}
