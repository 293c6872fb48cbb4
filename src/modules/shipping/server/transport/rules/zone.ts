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

/** How forwarders call the parts of the United States: by the first digit of the postal code. */
const US_REGIONS = ['美东', '美东', '美东', '美东', '美中', '美中', '美中', '美中', '美西', '美西'];

/** A fulfilment centre as zones may name it. */
export interface Center {
  /** Its code, as "ONT8"; empty where nobody knows it. */
  code: string;
  postalCode: string;
  /** As sites are called: US, DE. */
  country: string;
}

/** Whether a channel goes to a fulfilment centre, by its code, its postal code or, in the United States, its region. */
export function reaches(zone: string, { code, postalCode, country }: Center): boolean {
  const region = country === 'US' ? US_REGIONS[Number(postalCode.slice(0, 1) || Number.NaN)] : undefined;
  const names = [code, postalCode, region ?? ''].filter(Boolean);
  // Of a centre that nobody knows only a channel without zones can be told.
  return names.length === 0 ? inZone(zone, '?') : names.some((name) => inZone(zone, name));
}
