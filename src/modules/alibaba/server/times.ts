const PARTS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})([+-]\d\d)(\d\d)$/;

/** An instant as the platform writes it, "yyyyMMddHHmmssSSS+0800", in ISO 8601; undefined for anything else. */
export function instantOf(text: string | undefined): string | undefined {
  const found = PARTS.exec(text ?? '');
  if (!found) return undefined;
  const [, y, mo, d, h, mi, s, ms, zone, minutes] = found;
  const at = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}${zone}:${minutes}`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** An ISO instant as the platform takes it, in Beijing time. */
export function stampOf(iso: string): string {
  const beijing = new Date(Date.parse(iso) + 8 * 3_600_000).toISOString();
  return `${beijing.replace(/\D/g, '')}+0800`;
}
