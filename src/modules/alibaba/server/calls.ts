import { Decimal, sum } from '#kit/contract/decimal.ts';
import { type CargoLine, cargoOfAll } from './cargo.ts';
import { type Cargo, keyOf, type Platform, type RemotePreview } from './port.ts';

/** The platform takes no more variants in one call. */
const MAX_SKUS = 50;

/** What is ordered in one call: goods of one seller, and what the platform says of them. */
export interface SellerCall {
  seller: string;
  lines: CargoLine[];
  cargo: Cargo[];
  /** One of each order that it would become. */
  parts: RemotePreview[];
  /** CNY. */
  total: string;
}

/** Lines with their sellers: those that no link names are asked for, unless there is but one offer and so one seller. */
async function withSellers(platform: Platform, lines: readonly CargoLine[]): Promise<CargoLine[]> {
  const offers = new Set(lines.map((line) => line.cargo.offerId));
  if (offers.size === 1) return [...lines];
  const sellers = new Map<string, string>();
  for (const { cargo, seller } of lines) {
    if (seller !== '') sellers.set(cargo.offerId, seller);
  }
  for (const offer of offers) {
    if (!sellers.has(offer)) sellers.set(offer, (await platform.offer(offer)).seller);
  }
  return lines.map((line) => ({ ...line, seller: sellers.get(line.cargo.offerId) ?? '' }));
}

/** Lines by seller, and no more variants in one than the platform takes. */
function bySeller(lines: readonly CargoLine[]): CargoLine[][] {
  const groups: CargoLine[][] = [];
  for (const line of lines) {
    const fits = groups.find((group) => {
      if (group[0]?.seller !== line.seller) return false;
      const keys = new Set(group.map((one) => keyOf(one.cargo)));
      return keys.size < MAX_SKUS || keys.has(keyOf(line.cargo));
    });
    if (fits) fits.push(line);
    else groups.push([line]);
  }
  return groups;
}

/** The calls that a purchase order becomes, each with what the platform would take for it. */
export async function callsFor(platform: Platform, addressId: string, lines: readonly CargoLine[]) {
  const calls: SellerCall[] = [];
  for (const group of bySeller(await withSellers(platform, lines))) {
    const cargo = cargoOfAll(group);
    const parts = await platform.preview(addressId, cargo);
    const total = sum(parts.map((part) => part.total));
    calls.push({ seller: group[0]?.seller ?? '', lines: group, cargo, parts, total });
  }
  return calls;
}

/** What the platform takes for a line: its units' part of the amount for the variant, CNY; null where it does not say. */
export function offeredFor(line: CargoLine, calls: readonly SellerCall[]): string | null {
  const call = calls.find((one) => one.lines.some((each) => each.lineId === line.lineId));
  const amount = call?.parts.map((part) => part.amounts.get(keyOf(line.cargo))).find((one) => one !== undefined);
  const units = call?.cargo.find((one) => keyOf(one) === keyOf(line.cargo))?.quantity;
  if (amount === undefined || !units) return null;
  return new Decimal(amount).times(line.cargo.quantity).div(units).toDecimalPlaces(2).toFixed();
}
