export type Region = 'na' | 'eu' | 'fe';

export const REGION_NAMES: Record<Region, string> = { na: '北美', eu: '欧洲', fe: '远东' };

export interface Marketplace {
  id: string;
  /** As the page shows it; the API calls the United Kingdom "GB". */
  country: string;
  name: string;
  region: Region;
  currency: string;
  /** IANA zone of the business day. */
  timeZone: string;
  /** Charset of flat files that do not name one. */
  charset: 'UTF-8' | 'windows-1252' | 'CP932';
  /** Whether listed prices include VAT or consumption tax. */
  taxIncluded: boolean;
  salesChannel: string;
}

const row = (
  id: string,
  country: string,
  name: string,
  region: Region,
  currency: string,
  timeZone: string,
  charset: Marketplace['charset'],
  taxIncluded: boolean,
  salesChannel: string,
): Marketplace => ({ id, country, name, region, currency, timeZone, charset, taxIncluded, salesChannel });

/** Amazon's marketplaces: ids, currencies and reporting zones as Amazon publishes them. */
export const MARKETPLACES: readonly Marketplace[] = [
  row('ATVPDKIKX0DER', 'US', '美国', 'na', 'USD', 'America/Los_Angeles', 'UTF-8', false, 'Amazon.com'),
  row('A2EUQ1WTGCTBG2', 'CA', '加拿大', 'na', 'CAD', 'America/Los_Angeles', 'UTF-8', false, 'Amazon.ca'),
  row('A1AM78C64UM0Y8', 'MX', '墨西哥', 'na', 'MXN', 'America/Los_Angeles', 'windows-1252', true, 'Amazon.com.mx'),
  row('A2Q3Y263D00KWC', 'BR', '巴西', 'na', 'BRL', 'America/Sao_Paulo', 'windows-1252', true, 'Amazon.com.br'),
  row('A1F83G8C2ARO7P', 'UK', '英国', 'eu', 'GBP', 'Europe/London', 'windows-1252', true, 'Amazon.co.uk'),
  row('A1PA6795UKMFR9', 'DE', '德国', 'eu', 'EUR', 'Europe/Berlin', 'windows-1252', true, 'Amazon.de'),
  row('A13V1IB3VIYZZH', 'FR', '法国', 'eu', 'EUR', 'Europe/Paris', 'windows-1252', true, 'Amazon.fr'),
  row('APJ6JRA9NG5V4', 'IT', '意大利', 'eu', 'EUR', 'Europe/Rome', 'windows-1252', true, 'Amazon.it'),
  row('A1RKKUPIHCS9HS', 'ES', '西班牙', 'eu', 'EUR', 'Europe/Madrid', 'windows-1252', true, 'Amazon.es'),
  row('A1805IZSGTT6HS', 'NL', '荷兰', 'eu', 'EUR', 'Europe/Amsterdam', 'windows-1252', true, 'Amazon.nl'),
  row('AMEN7PMS3EDWL', 'BE', '比利时', 'eu', 'EUR', 'Europe/Brussels', 'windows-1252', true, 'Amazon.com.be'),
  row('A28R8C7NBKEWEA', 'IE', '爱尔兰', 'eu', 'EUR', 'Europe/Dublin', 'windows-1252', true, 'Amazon.ie'),
  row('A2NODRKZP88ZB9', 'SE', '瑞典', 'eu', 'SEK', 'Europe/Stockholm', 'windows-1252', true, 'Amazon.se'),
  row('A1C3SOZRARQ6R3', 'PL', '波兰', 'eu', 'PLN', 'Europe/Warsaw', 'windows-1252', true, 'Amazon.pl'),
  row('A33AVAJ2PDY3EV', 'TR', '土耳其', 'eu', 'TRY', 'Europe/Istanbul', 'windows-1252', true, 'Amazon.com.tr'),
  row('A2VIGQ35RCS4UG', 'AE', '阿联酋', 'eu', 'AED', 'Asia/Dubai', 'windows-1252', true, 'Amazon.ae'),
  row('A17E79C6D8DWNP', 'SA', '沙特', 'eu', 'SAR', 'Asia/Riyadh', 'windows-1252', true, 'Amazon.sa'),
  row('ARBP9OOSHTCHU', 'EG', '埃及', 'eu', 'EGP', 'Africa/Cairo', 'windows-1252', true, 'Amazon.eg'),
  row('A21TJRUUN4KGV', 'IN', '印度', 'eu', 'INR', 'Asia/Kolkata', 'windows-1252', true, 'Amazon.in'),
  row('AE08WJ6YKNBMC', 'ZA', '南非', 'eu', 'ZAR', 'Africa/Johannesburg', 'windows-1252', true, 'Amazon.co.za'),
  row('A1VC38T7YXB528', 'JP', '日本', 'fe', 'JPY', 'Asia/Tokyo', 'CP932', true, 'Amazon.co.jp'),
  row('A39IBJ37TRP1C6', 'AU', '澳大利亚', 'fe', 'AUD', 'Australia/Sydney', 'UTF-8', true, 'Amazon.com.au'),
  row('A19VAU5U5O7RUS', 'SG', '新加坡', 'fe', 'SGD', 'Asia/Singapore', 'UTF-8', true, 'Amazon.sg'),
];

const byId = new Map(MARKETPLACES.map((m) => [m.id, m]));
const byChannel = new Map(MARKETPLACES.map((m) => [m.salesChannel.toLowerCase(), m]));

/** The marketplace of an id; undefined for one that is not known yet. */
export function marketplaceOf(id: string): Marketplace | undefined {
  return byId.get(id);
}

/** The marketplace of a sales channel as reports spell it ("Amazon.com"). */
export function marketplaceOfChannel(channel: string): Marketplace | undefined {
  return byChannel.get(channel.trim().toLowerCase());
}

/** Country badge of a marketplace id, or the id itself where it is unknown. */
export function countryOf(id: string): string {
  return byId.get(id)?.country ?? id;
}
