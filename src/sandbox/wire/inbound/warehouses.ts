/** The warehouses that goods may be sent to. */
import type { Address } from './bodies.ts';

interface Warehouse {
  code: string;
  city: string;
  state?: string;
  postalCode: string;
}

const at = (code: string, city: string, postalCode: string, state?: string): Warehouse => ({
  code,
  city,
  postalCode,
  ...(state === undefined ? {} : { state }),
});

/** By country; the first one takes everything. */
const WAREHOUSES: Readonly<Record<string, readonly Warehouse[]>> = {
  US: [
    at('ONT8', 'Moreno Valley', '92551', 'CA'),
    at('FTW1', 'Dallas', '75241', 'TX'),
    at('ABE8', 'Florence', '08518', 'NJ'),
    at('IND9', 'Greenwood', '46143', 'IN'),
    at('PHX7', 'Phoenix', '85043', 'AZ'),
  ],
  CA: [
    at('YYZ4', 'Brampton', 'L6Y0B2', 'ON'),
    at('YVR3', 'New Westminster', 'V3M6B8', 'BC'),
    at('YOW1', 'Ottawa', 'K4B0L2', 'ON'),
  ],
  GB: [at('BHX4', 'Coventry', 'CV59PF'), at('LBA4', 'Doncaster', 'DN93GA'), at('EUK5', 'Peterborough', 'PE29EN')],
  DE: [at('DTM2', 'Dortmund', '44145'), at('LEJ1', 'Leipzig', '04347'), at('HAM2', 'Winsen', '21423')],
  FR: [at('ORY4', 'Bretigny-sur-Orge', '91220'), at('LIL1', 'Lauwin-Planque', '59553'), at('LYS1', 'Sevrey', '71100')],
  JP: [at('NRT5', 'Kawagoe', '3501182'), at('KIX3', 'Sakai', '5928331'), at('HND3', 'Kawasaki', '2108560')],
};

/** Codes of the warehouses of a country. Throws RangeError for one without any. */
export function warehousesOf(countryCode: string): string[] {
  const found = WAREHOUSES[countryCode];
  if (!found) throw new RangeError(`no warehouses in ${countryCode}`);
  return found.map(({ code }) => code);
}

/** Where a warehouse is. */
export function addressOf(countryCode: string, code: string): Address {
  const found = (WAREHOUSES[countryCode] ?? []).find((one) => one.code === code);
  return {
    name: 'Amazon.com Services, Inc.',
    addressLine1: `1 ${code} Fulfillment Way`,
    city: found?.city ?? '',
    ...(found?.state === undefined ? {} : { stateOrProvinceCode: found.state }),
    postalCode: found?.postalCode ?? '',
    countryCode,
    phoneNumber: '0000000000',
  };
}
