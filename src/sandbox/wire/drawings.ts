/** The shades one drawing is made of: main colour, a darker one for edges, a lighter one for highlights. */
export interface Shades {
  main: string;
  dark: string;
  light: string;
}

const METAL = '#c9ced6';
const METAL_DARK = '#8f97a3';
const INK = '#3b4250';
const WOOD = '#d9b382';
const LEAF = '#5fa463';

const rect = (x: number, y: number, w: number, h: number, r: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}"/>`;
const circle = (x: number, y: number, r: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const ellipse = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

type Drawing = (shades: Shades) => string[];

/** Flat drawings on a 160 x 160 ground, by kind. Each stands on the same base line so that a list looks even. */
const drawings: Record<string, Drawing> = {
  bottle: ({ main, dark, light }) => [
    rect(68, 18, 24, 18, 5, INK),
    path('M64 40h32v8l10 14v70a10 10 0 0 1-10 10H64a10 10 0 0 1-10-10V62l10-14z', main),
    rect(54, 122, 52, 20, 10, dark),
    rect(62, 66, 8, 48, 4, light),
  ],
  backpack: ({ main, dark, light }) => [
    line('M62 34c0-22 36-22 36 0', dark, 8),
    path('M42 62c0-40 76-40 76 0v64a16 16 0 0 1-16 16H58a16 16 0 0 1-16-16z', main),
    rect(52, 92, 56, 40, 10, dark),
    line('M52 106h56', light, 4),
    rect(34, 84, 10, 44, 5, dark),
    rect(116, 84, 10, 44, 5, dark),
    circle(80, 66, 9, light),
  ],
  board: ({ main, dark }) => [
    rect(70, 14, 20, 40, 10, WOOD),
    circle(80, 26, 5, '#fff'),
    rect(36, 42, 88, 100, 14, WOOD),
    line('M52 62v60M68 62v60M92 62v60M108 62v60', '#c79a62', 3),
    rect(36, 128, 88, 14, 7, main),
    rect(36, 136, 88, 6, 3, dark),
  ],
  liner: ({ main, dark, light }) => [
    ellipse(80, 118, 50, 22, dark),
    path('M26 64h108l-10 56c-6 26-82 26-88 0z', main),
    ellipse(80, 64, 54, 22, light),
    ellipse(80, 67, 45, 16, main),
    rect(14, 58, 16, 12, 6, dark),
    rect(130, 58, 16, 12, 6, dark),
  ],
  light: ({ main, dark, light }) => [
    path('M34 76h92l18 64H16z', '#fff3c4'),
    rect(20, 50, 120, 30, 12, main),
    rect(20, 50, 120, 12, 6, dark),
    rect(34, 70, 92, 8, 4, '#ffe27a'),
    circle(122, 58, 3, light),
  ],
  cubes: ({ main, dark, light }) => [
    rect(22, 92, 56, 50, 8, dark),
    rect(84, 92, 56, 50, 8, main),
    rect(50, 34, 60, 52, 8, main),
    line('M58 48h44M30 106h40M92 106h40', light, 4),
    rect(74, 62, 12, 8, 4, light),
    rect(44, 120, 12, 8, 4, light),
    rect(106, 120, 12, 8, 4, light),
  ],
  mat: ({ main, dark, light }) => [
    rect(40, 110, 104, 30, 6, main),
    line('M60 118h76M60 128h76', light, 3),
    circle(44, 112, 30, main),
    circle(44, 112, 22, dark),
    circle(44, 112, 15, main),
    circle(44, 112, 7, light),
  ],
  grinder: ({ main, dark, light }) => [
    line('M80 34h42', METAL_DARK, 7),
    circle(124, 30, 9, WOOD),
    rect(74, 24, 12, 24, 4, METAL_DARK),
    rect(56, 46, 48, 40, 8, METAL),
    rect(54, 84, 52, 58, 10, main),
    rect(54, 126, 52, 16, 8, dark),
    rect(62, 94, 7, 28, 3, light),
  ],
  toothbrush: ({ main, dark, light }) => [
    rect(70, 14, 14, 28, 5, '#eef2f6'),
    line('M86 18v20M92 18v20', dark, 4),
    rect(74, 40, 8, 24, 3, METAL),
    path('M66 62h24l6 66a12 12 0 0 1-12 14H72a12 12 0 0 1-12-14z', main),
    circle(78, 84, 6, light),
    rect(74, 98, 8, 24, 4, dark),
  ],
  cable: ({ main, dark }) => [
    line('M38 128c-30-60 40-96 60-56s-54 60-32 12 70-30 58 24', main, 9),
    rect(28, 122, 20, 16, 4, dark),
    rect(32, 136, 12, 10, 2, METAL),
    rect(114, 104, 20, 18, 4, dark),
    rect(119, 120, 10, 10, 2, METAL),
  ],
  lantern: ({ main, dark, light }) => [
    line('M56 42c0-34 48-34 48 0', METAL_DARK, 5),
    rect(52, 36, 56, 18, 8, main),
    rect(58, 54, 44, 58, 6, '#ffedb0'),
    path('M80 66c12 14 14 30 0 36-14-6-12-22 0-36z', '#ffc94d'),
    line('M66 54v58M94 54v58', dark, 4),
    rect(46, 112, 68, 30, 10, main),
    circle(80, 127, 6, light),
  ],
  cup: ({ main, dark, light }) => [
    ellipse(80, 36, 40, 10, dark),
    path('M40 36h80l-5 34H45z', main),
    path('M46 74h68l-5 30H51z', dark),
    path('M52 108h56l-4 28a8 8 0 0 1-8 6H64a8 8 0 0 1-8-6z', main),
    line('M54 48l2 14', light, 5),
  ],
  organizer: ({ main, dark, light }) => [
    rect(20, 44, 120, 96, 10, main),
    rect(28, 52, 48, 36, 5, light),
    rect(84, 52, 48, 36, 5, light),
    rect(28, 96, 30, 36, 5, light),
    rect(66, 96, 66, 36, 5, light),
    line('M38 70h28M94 70h28M76 114h46', dark, 5),
    circle(43, 114, 8, dark),
  ],
  bowl: ({ main, dark, light }) => [
    path('M18 96h124l12 46H6z', main),
    rect(6, 134, 148, 8, 4, dark),
    ellipse(80, 96, 62, 18, METAL),
    ellipse(80, 99, 50, 12, METAL_DARK),
    ellipse(80, 96, 40, 9, '#b9793f'),
    circle(80, 122, 6, light),
    circle(70, 114, 3, light),
    circle(80, 111, 3, light),
    circle(90, 114, 3, light),
  ],
  brush: ({ main, dark, light }) => [
    rect(70, 84, 20, 60, 10, main),
    rect(70, 130, 20, 14, 7, dark),
    rect(36, 40, 88, 48, 16, main),
    rect(44, 48, 72, 32, 8, light),
    line('M52 56v16M62 56v16M72 56v16M82 56v16M92 56v16M102 56v16M110 56v16', METAL_DARK, 3),
  ],
  tunnel: ({ main, dark, light }) => [
    path('M40 56h88c26 0 26 84 0 84H40z', main),
    line('M70 56c-14 24-14 60 0 84M98 56c-14 24-14 60 0 84', dark, 4),
    ellipse(40, 98, 24, 42, dark),
    ellipse(40, 98, 17, 34, INK),
    circle(112, 84, 7, light),
    line('M34 96l4 4M46 96l-4 4', '#ffd36b', 4),
  ],
  leash: ({ main, dark, light }) => [
    line('M112 30c40 30-80 40-60 74', main, 9),
    line('M52 104c-6 26 22 42 44 26s-4-44-24-30', main, 9),
    circle(112, 32, 14, METAL_DARK),
    circle(112, 32, 7, '#fff'),
    rect(44, 94, 16, 14, 4, dark),
    line('M84 62l8-8', light, 4),
  ],
  pot: ({ main, dark, light }) => [
    line('M80 84V48', LEAF, 5),
    path('M80 62c-34 4-40-20-38-34 22 0 38 10 38 34z', LEAF),
    path('M80 52c2-24 20-34 40-32 2 20-12 36-40 32z', '#79b97c'),
    path('M42 84h76l-10 52a8 8 0 0 1-8 6H60a8 8 0 0 1-8-6z', main),
    rect(36, 76, 88, 18, 6, dark),
    line('M58 104l3 24', light, 5),
  ],
  lamp: ({ main, dark, light }) => [
    path('M96 60l44 34-52 14z', '#fff3c4'),
    ellipse(66, 136, 38, 8, dark),
    line('M66 132L46 78l44-36', main, 8),
    circle(46, 78, 7, dark),
    path('M78 30l38 20-14 34-36-30z', main),
    circle(92, 50, 5, light),
  ],
  spoons: ({ main, dark, light }) => [
    circle(80, 22, 9, METAL_DARK),
    circle(80, 22, 4, '#fff'),
    line('M78 30L42 96M80 32v66M82 30l36 66', dark, 8),
    ellipse(36, 112, 18, 22, main),
    ellipse(80, 118, 20, 24, main),
    ellipse(124, 112, 18, 22, main),
    ellipse(36, 110, 10, 13, light),
    ellipse(80, 116, 11, 14, light),
    ellipse(124, 110, 10, 13, light),
  ],
};

/** What an unknown article looks like: the parcel it would come in. */
const parcel: Drawing = () => [
  path('M20 58l60-28 60 28v66l-60 26-60-26z', '#c8995f'),
  path('M20 58l60 26v66l-60-26z', '#b5854c'),
  path('M20 58l60-28 60 28-60 26z', '#dcb27a'),
  path('M50 44l60 27v24l-12 5V76L38 50z', '#efd9b4'),
];

/** The elements of a kind's drawing; the parcel for a kind that has none. */
export function drawing(kind: string, shades: Shades): string[] {
  return (drawings[kind] ?? parcel)(shades);
}

/** The kinds that have a drawing of their own. */
export const drawnKinds: readonly string[] = Object.keys(drawings);
