import { createRequire } from 'node:module';
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../contract/session.ts';
import { between, pick, type Random, sample } from './random.ts';

/** Everyday characters of few strokes, without pairs that a tilted drawing could confuse. */
export const CHARACTERS: readonly string[] = [
  ...'天地山水火木金石禾米竹花草叶林风雨雪电云星月光海江河湖泉冰',
  ...'春夏秋冬东西南北红黄蓝绿黑白紫青',
  ...'马牛羊鸡狗猫鱼龙虎兔象鹿熊蛇蜂蝶',
  ...'车船飞机路桥门窗房楼塔城市村店仓库箱货包袋杯碗盘瓶',
  ...'笔纸书画琴棋歌舞手足耳口头心眼',
  ...'父母兄弟姐妹男女老少',
  ...'茶酒饭面饼糖果梨桃瓜豆菜葱蒜盐油',
  ...'衣帽鞋裤裙伞镜钟灯床桌椅刀弓球旗鼓网',
  ...'早晚明年高长短宽远近快慢新旧走跑跳坐看听说读写笑',
  ...'国家学校公园银行医院广场音乐',
];

/** Side of a drawn character in px, and the room that its tilted box needs on each side of its centre. */
const SIZE = 34;
const ROOM = 27;
/** Centres keep so far apart (px) that the places of two answers, +-25 px each way, hardly share anything. */
const APART = 52;
/** Name of the registered face; not one that a machine could have by itself. */
export const FAMILY = 'captcha-sc';
const INKS = ['#d92d20', '#1d4ed8', '#067647', '#b54708', '#6d28d9', '#be185d', '#0e7490', '#1f2937'] as const;

export type Point = {
  /** px from the left in the 310 x 155 picture. */
  x: number;
  /** px from the top in the 310 x 155 picture. */
  y: number;
};

let loaded = false;

/** Registers the Chinese face once per process (about 25 ms); throws where the package is not installed. */
export function loadGlyphFont() {
  if (loaded) return;
  // The WOFF loads in half the time of the WOFF2, and its size does not matter on a disk.
  const file = '@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-700-normal.woff';
  const key = GlobalFonts.registerFromPath(createRequire(import.meta.url).resolve(file), FAMILY);
  if (!key) throw new Error(`The captcha font could not be read: ${file}`);
  loaded = true;
}

function farEnough(points: readonly Point[], candidate: Point): boolean {
  return points.every((point) => Math.hypot(point.x - candidate.x, point.y - candidate.y) >= APART);
}

function tryPlaces(random: Random, count: number): Point[] {
  const points: Point[] = [];
  for (let attempt = 0; attempt < 60 && points.length < count; attempt += 1) {
    const candidate = {
      x: Math.round(between(random, ROOM, W - ROOM)),
      y: Math.round(between(random, ROOM, H - ROOM)),
    };
    if (farEnough(points, candidate)) points.push(candidate);
  }
  return points;
}

/** Centres for `count` (at most 4) characters, apart from each other and inside the picture. */
export function placeGlyphs(random: Random, count: number): Point[] {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const points = tryPlaces(random, count);
    if (points.length === count) return points;
  }
  // Practically never: four columns always fit.
  const columns = Array.from({ length: count }, (_, n) => ({
    x: ROOM + 6 + n * 80,
    y: Math.round(between(random, ROOM, H - ROOM)),
  }));
  return sample(random, columns, count);
}

/** Draws one character around its centre, tilted by up to 45 degrees either way, dark with a pale rim. */
export function drawGlyph(brush: SKRSContext2D, random: Random, text: string, at: Point) {
  brush.save();
  brush.translate(at.x, at.y);
  brush.rotate(between(random, -Math.PI / 4, Math.PI / 4));
  brush.transform(1, between(random, -0.09, 0.09), between(random, -0.09, 0.09), 1, 0, 0);
  brush.font = `700 ${Math.round(between(random, SIZE - 3, SIZE + 2))}px "${FAMILY}"`;
  // Centred by its ink: the line box of a CJK face is much taller than the character.
  const ink = brush.measureText(text);
  const left = (ink.actualBoundingBoxLeft - ink.actualBoundingBoxRight) / 2;
  const base = (ink.actualBoundingBoxAscent - ink.actualBoundingBoxDescent) / 2;
  brush.lineJoin = 'round';
  brush.shadowColor = 'rgba(8, 15, 35, 0.5)';
  brush.shadowBlur = 3;
  brush.shadowOffsetY = 1;
  brush.strokeStyle = 'rgba(255, 255, 255, 0.92)';
  brush.lineWidth = 4;
  brush.strokeText(text, left, base);
  brush.shadowColor = 'transparent';
  brush.fillStyle = pick(random, INKS);
  brush.fillText(text, left, base);
  brush.restore();
}
