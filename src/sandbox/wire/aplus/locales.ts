const LOCALES: Readonly<Record<string, readonly string[]>> = {
  US: ['en-US', 'es-US'],
  CA: ['en-CA', 'fr-CA'],
  MX: ['es-MX'],
  BR: ['pt-BR'],
  GB: ['en-GB'],
  DE: ['de-DE'],
  FR: ['fr-FR'],
  IT: ['it-IT'],
  ES: ['es-ES'],
  NL: ['nl-NL'],
  BE: ['fr-BE', 'nl-BE'],
  IE: ['en-IE'],
  SE: ['sv-SE'],
  PL: ['pl-PL'],
  TR: ['tr-TR'],
  AE: ['en-AE', 'ar-AE'],
  SA: ['ar-SA', 'en-SA'],
  EG: ['ar-EG', 'en-EG'],
  IN: ['en-IN', 'hi-IN'],
  ZA: ['en-ZA'],
  JP: ['ja-JP'],
  AU: ['en-AU'],
  SG: ['en-SG'],
};

/** Languages in which a marketplace shows A+ content, the usual one first. */
export function localesOf(countryCode: string): readonly string[] {
  return LOCALES[countryCode] ?? ['en-US'];
}
