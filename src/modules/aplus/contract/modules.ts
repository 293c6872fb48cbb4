/** A place of a module that takes something; `path` is where it stands in Amazon's JSON of the module. */
export type Slot = { path: string; title: string; required?: true } & (
  | { kind: 'image'; width: number; height: number }
  /** One text of at most `max` characters. */
  | { kind: 'text'; max: number }
  /** Lines that have at most `max` characters together. */
  | { kind: 'paragraph'; max: number }
  /** At most `most` points of at most `max` characters each. */
  | { kind: 'list'; most: number; max: number }
  | { kind: 'choice'; choices: Readonly<Record<string, string>>; numeric?: true }
  /** Names and values of specifications. */
  | { kind: 'pairs'; least: number; most: number; label: number; text: number }
  /** Products side by side. */
  | { kind: 'table'; columns: number; rows: number; name: number; cell: number; width: number; height: number }
);
export type SlotKind = Slot['kind'];

export interface ModuleDef {
  title: string;
  /** Field that holds the module in Amazon's JSON. */
  key: string;
  slots: readonly Slot[];
}

const image = (path: string, width: number, height: number, title = '图片', required?: true): Slot => ({
  kind: 'image',
  path,
  title,
  width,
  height,
  ...(required ? { required } : {}),
});
const text = (path: string, max: number, title = '标题'): Slot => ({ kind: 'text', path, title, max });
const paragraph = (path: string, max: number, title = '正文', required?: true): Slot => ({
  kind: 'paragraph',
  path,
  title,
  max,
  ...(required ? { required } : {}),
});
const choice = (path: string, title: string, choices: Readonly<Record<string, string>>): Slot => ({
  kind: 'choice',
  path,
  title,
  choices,
  required: true,
});
const points = (path: string, most: number, max: number, title: string): Slot => ({
  kind: 'list',
  path,
  title,
  most,
  max,
});

/** Picture, headline and text under `at`. */
function card(at: string, size: readonly [number, number], limits: readonly [number, number], title: string): Slot[] {
  return [
    image(`${at}.image`, size[0], size[1], `${title}图片`),
    text(`${at}.headline`, limits[0], `${title}标题`),
    paragraph(`${at}.body`, limits[1], `${title}正文`),
  ];
}

const cards = (count: number, size: readonly [number, number], limits: readonly [number, number]): Slot[] =>
  Array.from({ length: count }, (_, index) => card(`block${index + 1}`, size, limits, `第${index + 1}栏`)).flat();

const SQUARE = [300, 300] as const;

/**
 * Amazon's standard modules. Which fields there are, alt texts, names, counts of rows and columns and titles of products are
 * those of the model aplusContent 2020-11-01, which allows texts of 10,000 characters; the narrower limits of texts and the
 * least sizes of pictures are those that Seller Central shows beside its own modules.
 */
export const MODULES = {
  STANDARD_COMPANY_LOGO: {
    title: '公司徽标',
    key: 'standardCompanyLogo',
    slots: [image('companyLogo', 600, 180, '徽标', true)],
  },
  STANDARD_HEADER_IMAGE_TEXT: {
    title: '标题大图',
    key: 'standardHeaderImageText',
    slots: [
      text('headline', 150),
      image('block.image', 970, 600),
      text('block.headline', 150, '副标题'),
      paragraph('block.body', 6000),
    ],
  },
  STANDARD_SINGLE_SIDE_IMAGE: {
    title: '单侧图片',
    key: 'standardSingleSideImage',
    slots: [
      choice('imagePositionType', '图片位置', { LEFT: '左侧', RIGHT: '右侧' }),
      image('block.image', ...SQUARE),
      text('block.headline', 160),
      paragraph('block.body', 1000),
    ],
  },
  STANDARD_SINGLE_IMAGE_HIGHLIGHTS: {
    title: '单图与亮点',
    key: 'standardSingleImageHighlights',
    slots: [
      image('image', ...SQUARE),
      text('headline', 160),
      ...[1, 2, 3].flatMap((n) => [
        text(`textBlock${n}.headline`, 200, `第${n}段标题`),
        paragraph(`textBlock${n}.body`, 1000, `第${n}段正文`),
      ]),
      text('bulletedListBlock.headline', 160, '亮点标题'),
      points('bulletedListBlock.block', 8, 100, '亮点'),
    ],
  },
  STANDARD_SINGLE_IMAGE_SPECS_DETAIL: {
    title: '单图与规格',
    key: 'standardSingleImageSpecsDetail',
    slots: [
      text('headline', 200),
      image('image', ...SQUARE),
      text('descriptionHeadline', 160, '说明标题'),
      ...[1, 2].flatMap((n) => [
        text(`descriptionBlock${n}.headline`, 200, `说明${n}标题`),
        paragraph(`descriptionBlock${n}.body`, 400, `说明${n}正文`),
      ]),
      text('specificationHeadline', 160, '规格标题'),
      text('specificationListBlock.headline', 200, '规格列表标题'),
      points('specificationListBlock.block', 8, 200, '规格列表'),
      text('specificationTextBlock.headline', 200, '规格说明标题'),
      paragraph('specificationTextBlock.body', 400, '规格说明正文'),
    ],
  },
  STANDARD_THREE_IMAGE_TEXT: {
    title: '三图与文字',
    key: 'standardThreeImageText',
    slots: [text('headline', 200), ...cards(3, SQUARE, [160, 1000])],
  },
  STANDARD_FOUR_IMAGE_TEXT: {
    title: '四图与文字',
    key: 'standardFourImageText',
    slots: [text('headline', 200), ...cards(4, [220, 220], [160, 1000])],
  },
  STANDARD_FOUR_IMAGE_TEXT_QUADRANT: {
    title: '四宫格图文',
    key: 'standardFourImageTextQuadrant',
    slots: cards(4, [135, 135], [160, 1000]).map((slot) =>
      slot.kind === 'image' ? { ...slot, required: true as const } : slot,
    ),
  },
  STANDARD_IMAGE_TEXT_OVERLAY: {
    title: '图片叠加文字',
    key: 'standardImageTextOverlay',
    slots: [
      choice('overlayColorType', '叠加底色', { DARK: '深色', LIGHT: '浅色' }),
      image('block.image', 970, 300),
      text('block.headline', 70),
      paragraph('block.body', 300),
    ],
  },
  STANDARD_COMPARISON_TABLE: {
    title: '对比表',
    key: 'standardComparisonTable',
    slots: [
      { kind: 'table', path: '', title: '对比', columns: 6, rows: 10, name: 80, cell: 250, width: 150, height: 300 },
    ],
  },
  STANDARD_PRODUCT_DESCRIPTION: {
    title: '商品描述',
    key: 'standardProductDescription',
    slots: [paragraph('body', 6000, '正文', true)],
  },
  STANDARD_TECH_SPECS: {
    title: '技术规格',
    key: 'standardTechSpecs',
    slots: [
      text('headline', 80),
      { kind: 'choice', path: 'tableCount', title: '列数', choices: { 1: '一列', 2: '两列' }, numeric: true },
      {
        kind: 'pairs',
        path: 'specificationList',
        title: '规格',
        required: true,
        least: 4,
        most: 16,
        label: 30,
        text: 500,
      },
    ],
  },
  STANDARD_TEXT: {
    title: '文字',
    key: 'standardText',
    slots: [text('headline', 160), paragraph('body', 5000, '正文', true)],
  },
  STANDARD_IMAGE_SIDEBAR: {
    title: '图片与侧栏',
    key: 'standardImageSidebar',
    slots: [
      text('headline', 160),
      image('imageCaptionBlock.image', 300, 400),
      text('imageCaptionBlock.caption', 200, '图片说明'),
      text('descriptionTextBlock.headline', 160, '说明标题'),
      paragraph('descriptionTextBlock.body', 500, '说明正文'),
      points('descriptionListBlock', 8, 200, '说明要点'),
      ...card('sidebarImageTextBlock', [350, 175], [200, 500], '侧栏'),
      points('sidebarListBlock', 8, 200, '侧栏要点'),
    ],
  },
  STANDARD_MULTIPLE_IMAGE_TEXT: {
    title: '多图切换',
    key: 'standardMultipleImageText',
    slots: [1, 2, 3, 4].flatMap((n) => [
      ...card(`blocks.${n - 1}.block`, SQUARE, [160, 1000], `第${n}图`),
      text(`blocks.${n - 1}.caption`, 200, `第${n}图说明`),
    ]),
  },
} satisfies Record<string, ModuleDef>;

export type ModuleType = keyof typeof MODULES;
export const MODULE_TYPES = Object.keys(MODULES) as [ModuleType, ...ModuleType[]];

/** A module by its name. */
export function moduleOf(type: ModuleType): ModuleDef {
  return MODULES[type];
}

/** Seller Central shows no more modules of a document than this; the model itself would take 100. */
export const MOST_MODULES = 7;
export const ALT_TEXT = 100;
export const NAME_LENGTH = 100;
