/** Amazon's codes of carriers that sellers who ship from China or from a warehouse abroad use most. */
export const CARRIERS = [
  'UPS',
  'USPS',
  'FedEx',
  'DHL',
  'DHL eCommerce',
  'OnTrac',
  'Royal Mail',
  'DPD',
  'Hermes',
  'GLS',
  'Deutsche Post',
  'La Poste',
  'Canada Post',
  'Yamato',
  'Sagawa',
  'Japan Post',
  'China Post',
  'SF Express',
  '4PX',
  'YunExpress',
  'Yanwen',
  'CNE Express',
] as const;

/** Stands for a carrier that Amazon has no code for; its name is told beside it. */
export const OTHER_CARRIER = 'Other';

/** A carrier as people type it, as Amazon takes it: a known code whatever its case and blanks, else "Other" and the name. */
export function carrierOf(text: string): { carrierCode: string; carrierName?: string } {
  const plain = (word: string) => word.toLowerCase().replace(/[\s\-_.]/g, '');
  const known = CARRIERS.find((code) => plain(code) === plain(text));
  return known ? { carrierCode: known } : { carrierCode: OTHER_CARRIER, carrierName: text.trim() };
}
