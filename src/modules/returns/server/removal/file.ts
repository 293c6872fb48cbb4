import type { RemovalLine } from '../../contract/removals.ts';

const DISPOSITIONS: Readonly<Record<string, string>> = {
  Return: 'Return',
  Disposal: 'Disposal',
  Liquidations: 'Liquidate',
};

/** Lines are parted by tabs, so that no text may hold one. */
const clean = (text: string | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

/** A request as it stands in a file: `address` by the names of the address book, for a return. */
export interface Written {
  number: string;
  type: string;
  address: Readonly<Record<string, string>> | null;
  remark: string;
  lines: readonly RemovalLine[];
}

/** The file of a removal order: what it is and where it goes, an empty line, a table of the goods. The same request, the same bytes. */
export function fileOf({ number, type, address, remark, lines }: Written): string {
  const to = address && {
    AddressName: address.companyName ?? address.name,
    AddressFieldOne: address.addressLine1,
    AddressFieldTwo: address.addressLine2,
    AddressFieldThree: address.districtOrCounty,
    AddressCity: address.city,
    AddressCountryCode: address.countryCode,
    AddressStateOrRegion: address.stateOrProvinceCode,
    AddressPostalCode: address.postalCode,
    ContactPhoneNumber: address.phoneNumber,
    ShippingNotes: remark,
  };
  const head = { MerchantRemovalOrderID: number, RemovalDisposition: DISPOSITIONS[type], ...to };
  return [
    ...Object.entries(head).flatMap(([key, value]) => (clean(value) === '' ? [] : `${key}\t${clean(value)}`)),
    '',
    'MerchantSKU\tSellableQuantity\tUnsellableQuantity',
    ...lines.map(({ sku, sellable, unsellable }) => [sku, sellable, unsellable].join('\t')),
    '',
  ].join('\n');
}
