/** Least width and height of a picture of a module, pixels, as Seller Central asks for them. */
export const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  STANDARD_COMPANY_LOGO: [600, 180],
  STANDARD_COMPARISON_TABLE: [150, 300],
  STANDARD_FOUR_IMAGE_TEXT: [220, 220],
  STANDARD_FOUR_IMAGE_TEXT_QUADRANT: [135, 135],
  STANDARD_HEADER_IMAGE_TEXT: [970, 600],
  STANDARD_IMAGE_SIDEBAR: [300, 400],
  STANDARD_IMAGE_TEXT_OVERLAY: [970, 300],
  STANDARD_MULTIPLE_IMAGE_TEXT: [300, 300],
  STANDARD_SINGLE_IMAGE_HIGHLIGHTS: [300, 300],
  STANDARD_SINGLE_IMAGE_SPECS_DETAIL: [300, 300],
  STANDARD_SINGLE_SIDE_IMAGE: [300, 300],
  STANDARD_THREE_IMAGE_TEXT: [300, 300],
};
/** The small picture beside the text of the sidebar module. */
export const SIDEBAR: readonly [width: number, height: number] = [350, 175];

type Limit = readonly [where: RegExp, most: number];

/** Most characters of the texts of a module, by where they stand; the first that fits counts, a body as a whole. */
export const TEXTS: Readonly<Record<string, readonly Limit[]>> = {
  STANDARD_FOUR_IMAGE_TEXT: [
    [/^headline$/, 200],
    [/headline$/, 160],
    [/body$/, 1000],
  ],
  STANDARD_FOUR_IMAGE_TEXT_QUADRANT: [
    [/headline$/, 160],
    [/body$/, 1000],
  ],
  STANDARD_HEADER_IMAGE_TEXT: [
    [/headline$/, 150],
    [/body$/, 6000],
  ],
  STANDARD_IMAGE_TEXT_OVERLAY: [
    [/headline$/, 70],
    [/body$/, 300],
  ],
  STANDARD_PRODUCT_DESCRIPTION: [[/body$/, 6000]],
  STANDARD_SINGLE_SIDE_IMAGE: [
    [/headline$/, 160],
    [/body$/, 1000],
  ],
  STANDARD_TECH_SPECS: [
    [/^headline$/, 80],
    [/label$/, 30],
    [/description$/, 500],
  ],
  STANDARD_TEXT: [
    [/headline$/, 160],
    [/body$/, 5000],
  ],
  STANDARD_THREE_IMAGE_TEXT: [
    [/^headline$/, 200],
    [/headline$/, 160],
    [/body$/, 1000],
  ],
};

/** What a module must have, by where it stands. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  STANDARD_COMPANY_LOGO: ['companyLogo'],
  STANDARD_FOUR_IMAGE_TEXT_QUADRANT: ['block1', 'block2', 'block3', 'block4'],
  STANDARD_IMAGE_TEXT_OVERLAY: ['overlayColorType'],
  STANDARD_PRODUCT_DESCRIPTION: ['body'],
  STANDARD_SINGLE_SIDE_IMAGE: ['imagePositionType'],
  STANDARD_TECH_SPECS: ['specificationList'],
  STANDARD_TEXT: ['body'],
};

/** Kinds of modules, each with the field that holds it: STANDARD_TEXT is "standardText". */
export const KINDS: ReadonlyMap<string, string> = new Map(
  [...Object.keys(SIZES), 'STANDARD_PRODUCT_DESCRIPTION', 'STANDARD_TECH_SPECS', 'STANDARD_TEXT'].map((type) => [
    type,
    type.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]),
);

/** Seller Central shows no more modules than this, whatever the model says. */
export const MOST_MODULES = 7;
