import type { SimMarketplace } from '../../business/types.ts';
import { KINDS, MOST_MODULES, REQUIRED, SIDEBAR, SIZES, TEXTS } from './limits.ts';
import { localesOf } from './locales.ts';
import { PLANTED } from './planted.ts';
import type { AplusPicture, Complaint, Fields } from './state.ts';

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of a value under "a.b[2].c"; undefined where nothing is. */
function partAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((one, name) => (isRecord(one) ? (one[name] ?? undefined) : undefined), value);
}

/** Every part of a module that is an object, with where it stands. */
function* parts(value: unknown, at: string): Generator<[string, Fields]> {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* parts(one, `${at}[${index}]`);
  else if (isRecord(value)) {
    yield [at, value];
    for (const [name, one] of Object.entries(value)) yield* parts(one, at === '' ? name : `${at}.${name}`);
  }
}

const numberAt = (value: unknown, path: string): number => Number(partAt(value, `${path}.value`) ?? Number.NaN);

interface Judging {
  market: SimMarketplace;
  /** Picture that this seller has sent under an id. */
  pictureOf: (id: string) => AplusPicture | undefined;
}

function pictureComplaints(type: string, at: string, image: Fields, { pictureOf }: Judging): [string, string][] {
  const id = String(image.uploadDestinationId ?? '');
  const found: [string, string][] = [];
  const altText = typeof image.altText === 'string' ? image.altText : '';
  if (altText === '' || altText.length > 100)
    found.push(['INVALID_ALT_TEXT', 'Alt text of 1 to 100 characters is required.']);
  if (id.startsWith(PLANTED)) return found;
  const picture = pictureOf(id);
  if (picture?.content === undefined) return [...found, ['IMAGE_NOT_FOUND', `No image was uploaded under '${id}'.`]];
  const [width, height] = ['width', 'height'].map((side) => numberAt(image, `imageCropSpecification.size.${side}`));
  const [x, y] = ['x', 'y'].map((side) => {
    const offset = numberAt(image, `imageCropSpecification.offset.${side}`);
    return Number.isNaN(offset) ? 0 : offset;
  });
  const [least = 0, high = 0] = (at.includes('sidebarImageTextBlock') ? SIDEBAR : SIZES[type]) ?? [];
  if (!(Number(width) >= least && Number(height) >= high)) {
    found.push(['IMAGE_TOO_SMALL', `The image must be at least ${least} x ${high} pixels.`]);
  } else if (Number(x) + Number(width) > (picture.width ?? 0) || Number(y) + Number(height) > (picture.height ?? 0)) {
    found.push(['INVALID_IMAGE_CROP', 'The crop specification reaches beyond the image.']);
  }
  return found;
}

/** Length of a text, or of a body as a whole; undefined for what is neither. */
function lengthOf(part: Fields): number | undefined {
  if (typeof part.value === 'string') return part.value.length;
  if (!Array.isArray(part.textList) || !part.textList.every((one) => isRecord(one) && typeof one.value === 'string')) {
    return undefined;
  }
  return part.textList.reduce((sum: number, one: Fields) => sum + String(one.value).length, 0);
}

function moduleComplaints(module: unknown, index: number, judging: Judging): Complaint[] {
  const here = `contentModuleList[${index}]`;
  const type = isRecord(module) ? String(module.contentModuleType) : '';
  const key = KINDS.get(type);
  if (key === undefined) {
    return [{ code: 'INVALID_MODULE', message: `Unsupported content module type [${type}].`, details: here }];
  }
  const say = (code: string, message: string, at = ''): Complaint => ({
    code,
    message,
    details: [here, key, at].filter((part) => part !== '').join('.'),
  });
  const content = isRecord(module) ? module[key] : undefined;
  if (!isRecord(content)) return [say('MISSING_CONTENT', 'The module has no content.')];
  const complaints = (REQUIRED[type] ?? [])
    .filter((at) => partAt(content, at) === undefined)
    .map((at) => say('MISSING_FIELD', `'${at}' is required.`, at));
  for (const [at, part] of parts(content, '')) {
    if ('uploadDestinationId' in part) {
      for (const [code, message] of pictureComplaints(type, at, part, judging)) complaints.push(say(code, message, at));
    }
    const length = lengthOf(part);
    if (length === undefined) continue;
    if (length === 0) complaints.push(say('EMPTY_TEXT', 'A text may not be empty.', at));
    const most = TEXTS[type]?.find(([where]) => where.test(at))?.[1];
    if (most !== undefined && length > most) {
      complaints.push(say('TEXT_TOO_LONG', `At most ${most} characters are allowed.`, at));
    }
  }
  const specs = content.specificationList;
  if (type === 'STANDARD_TECH_SPECS' && (!Array.isArray(specs) || specs.length < 4 || specs.length > 16)) {
    complaints.push(say('INVALID_COUNT', 'Between 4 and 16 specifications are required.', 'specificationList'));
  }
  return complaints;
}

/** All that keeps a document from being taken, by where it is. */
export function contentComplaints(content: unknown, judging: Judging): Complaint[] {
  if (!isRecord(content)) return [{ code: 'InvalidInput', message: 'contentDocument is required.', details: '' }];
  const { name, contentType, locale, contentModuleList: modules } = content;
  const complaints: Complaint[] = [];
  const say = (code: string, message: string, details: string): void =>
    void complaints.push({ code, message, details });
  if (typeof name !== 'string' || name === '' || name.length > 100) {
    say('INVALID_NAME', 'A name of 1 to 100 characters is required.', 'name');
  }
  if (contentType !== 'EBC') say('INVALID_CONTENT_TYPE', 'Sellers publish content of type EBC only.', 'contentType');
  if (!localesOf(judging.market.countryCode).includes(String(locale))) {
    say('INVALID_LOCALE', `The marketplace shows no content in '${String(locale)}'.`, 'locale');
  }
  if (!Array.isArray(modules) || modules.length === 0 || modules.length > MOST_MODULES) {
    say('INVALID_COUNT', `Between 1 and ${MOST_MODULES} modules are required.`, 'contentModuleList');
    return complaints;
  }
  return [...complaints, ...modules.flatMap((module, index) => moduleComplaints(module, index, judging))];
}

const CLAIMS: readonly [pattern: RegExp, code: string, message: string][] = [
  [/best.?sell|number one|#1/i, 'PROHIBITED_CLAIM', 'The text names a sales rank, which A+ content may not do.'],
  [
    /guarantee|warranty|money.?back/i,
    'PROHIBITED_CLAIM',
    'The text promises a guarantee, which A+ content may not do.',
  ],
  [/discount|on sale|free shipping|\$\s?\d/i, 'PROHIBITED_PRICE', 'The text speaks of prices or promotions.'],
  [/https?:|www\./i, 'PROHIBITED_LINK', 'The text leads to another web site.'],
];

/** What a reviewer finds in the texts of a document that was taken. */
export function reviewComplaints(content: Fields): Complaint[] {
  const modules = Array.isArray(content.contentModuleList) ? content.contentModuleList : [];
  return modules.flatMap((module: unknown, index) =>
    [...parts(module, `contentModuleList[${index}]`)].flatMap(([at, part]) =>
      CLAIMS.flatMap(([pattern, code, message]) =>
        typeof part.value === 'string' && pattern.test(part.value)
          ? [{ code, message, details: at.replace(/\.textList\[\d+\]$/, '') }]
          : [],
      ),
    ),
  );
}
