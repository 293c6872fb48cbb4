/** What Amazon calls the size of a packed product, as its reports of fees and storage write it. */
import type { SimMarketplace, SimProduct } from './types.ts';

const CM_PER_INCH = 2.54;
const POUND_KG = 0.45359237;

interface Piece {
  longest: number;
  median: number;
  shortest: number;
  weight: number;
  /** Weight of its volume, in the unit of the weight. */
  volume: number;
}

type Tier = readonly [name: string, fits: (piece: Piece) => boolean];

const within = (piece: Piece, longest: number, median: number, shortest: number): boolean =>
  piece.longest <= longest && piece.median <= median && piece.shortest <= shortest;
const girth = ({ longest, median, shortest }: Piece): number => longest + 2 * (median + shortest);
const billed = ({ weight, volume }: Piece): number => Math.max(weight, volume);

/** Inches and pounds; bulky goods since 2026. */
const AMERICAN: readonly Tier[] = [
  ['Small standard-size', (piece) => within(piece, 15, 12, 0.75) && piece.weight <= 1],
  ['Large standard-size', (piece) => within(piece, 18, 14, 8) && billed(piece) <= 20],
  ['Small bulky', (piece) => within(piece, 37, 28, 20) && girth(piece) <= 130 && billed(piece) <= 50],
  ['Large bulky', (piece) => within(piece, 59, 33, 33) && girth(piece) <= 130 && billed(piece) <= 50],
  ['Extra-large', () => true],
];
/** Centimetres and kilograms. */
const EUROPEAN: readonly Tier[] = [
  ['Light envelope', (piece) => within(piece, 33, 23, 2.5) && piece.weight <= 0.1],
  ['Standard envelope', (piece) => within(piece, 33, 23, 2.5) && piece.weight <= 0.46],
  ['Large envelope', (piece) => within(piece, 33, 23, 4) && piece.weight <= 0.96],
  ['Extra-large envelope', (piece) => within(piece, 33, 23, 6) && piece.weight <= 0.96],
  ['Small parcel', (piece) => within(piece, 35, 25, 12) && piece.weight <= 3.9 && piece.volume <= 2.1],
  ['Standard parcel', (piece) => within(piece, 45, 34, 26) && piece.weight <= 11.9 && piece.volume <= 7.96],
  ['Small oversize', (piece) => within(piece, 61, 46, 46) && piece.weight <= 1.76 && piece.volume <= 25.82],
  ['Standard oversize', (piece) => within(piece, 120, 60, 60) && piece.weight <= 23 && piece.volume <= 86.4],
  ['Special oversize', () => true],
];
const JAPANESE: readonly Tier[] = [
  ['Small-Size', (piece) => within(piece, 25, 18, 2) && piece.weight <= 0.25],
  ['Standard-Size', (piece) => within(piece, 45, 35, 20) && piece.weight <= 9],
  ['Over-Size', () => true],
];

/** Name of a product's size tier in a marketplace. */
export function sizeTier(market: SimMarketplace, product: SimProduct): string {
  const american = market.region === 'na';
  const [longest = 0, median = 0, shortest = 0] = [product.lengthCm, product.widthCm, product.heightCm]
    .map((edge) => (american ? edge / CM_PER_INCH : edge))
    .sort((a, b) => b - a);
  const piece: Piece = {
    longest,
    median,
    shortest,
    weight: american ? product.weightKg / POUND_KG : product.weightKg,
    volume: (longest * median * shortest) / (american ? 139 : 5000),
  };
  const tiers = american ? AMERICAN : market.region === 'eu' ? EUROPEAN : JAPANESE;
  return tiers.find(([, fits]) => fits(piece))?.[0] ?? '';
}
