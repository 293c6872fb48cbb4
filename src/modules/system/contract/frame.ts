/**
 * The address that a tab may embed, or undefined: https, one of the allowed hosts by its whole name, and never this
 * site itself, whose pages inside a frame would be let out of their sandbox.
 */
export function frameSource(
  src: string | null | undefined,
  hosts: readonly string[],
  ownHost: string,
): string | undefined {
  if (!src || !URL.canParse(src)) return undefined;
  const url = new URL(src);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  return url.host !== ownHost && hosts.includes(url.host) ? url.href : undefined;
}
