import { isEmpty } from '../contract/check.ts';
import type { Content, ImageValue, ModuleValue, SlotValue, TableColumn, TextValue } from '../contract/content.ts';
import { MODULE_TYPES, type ModuleType, moduleOf, type Slot } from '../contract/modules.ts';

export type Json = Record<string, unknown>;

/** contentDocument of A+ Content 2020-11-01. */
export interface ContentDocument {
  name: string;
  contentType: string;
  contentSubType?: string | null;
  locale: string;
  contentModuleList: Json[];
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a value under "a.b.0.c"; numbers are places of an array. */
function put(root: Json, path: string, value: unknown): void {
  const names = path.split('.');
  let here: Json | unknown[] = root;
  for (const [index, name] of names.entries()) {
    const key = Array.isArray(here) ? Number(name) : name;
    if (index === names.length - 1) Reflect.set(here, key, value);
    else {
      const next: unknown = Reflect.get(here, key) ?? (/^\d+$/.test(names[index + 1] ?? '') ? [] : {});
      Reflect.set(here, key, next);
      here = next as Json | unknown[];
    }
  }
}

/** What stands under "a.b.0.c"; undefined where nothing does, which Amazon writes as null, too. */
function at(root: unknown, path: string): unknown {
  if (path === '') return root;
  return path
    .split('.')
    .reduce<unknown>(
      (here, name) => (typeof here === 'object' && here !== null ? Reflect.get(here, name) : null),
      root,
    );
}

const pixels = (value: number): Json => ({ value, units: 'pixels' });

/** How a picture is called at Amazon's. @throws Error for one that was not sent */
export type Destination = (image: ImageValue) => string;

function imageJson({ alt, crop, ...image }: ImageValue, destination: Destination): Json {
  return {
    uploadDestinationId: destination({ alt, crop, ...image }),
    imageCropSpecification: {
      size: { width: pixels(crop.width), height: pixels(crop.height) },
      offset: { x: pixels(crop.x), y: pixels(crop.y) },
    },
    altText: alt,
  };
}

const textJson = ({ text, decorators = [] }: TextValue): Json => ({ value: text, decoratorSet: decorators });
const plainItems = (texts: readonly string[]): Json[] =>
  texts.flatMap((value, index) => (value.trim() === '' ? [] : [{ position: index + 1, value }]));
const filled = (lines: readonly TextValue[]): TextValue[] => lines.filter(({ text }) => text.trim() !== '');

function columnJson(column: TableColumn, index: number, destination: Destination): Json {
  const { asin, title, highlight, image, metrics } = column;
  return {
    position: index + 1,
    ...(image ? { image: imageJson(image, destination) } : {}),
    ...(title.trim() === '' ? {} : { title }),
    ...(asin === '' ? {} : { asin }),
    highlight,
    metrics: plainItems(metrics),
  };
}

function slotJson(slot: Slot, value: SlotValue, destination: Destination): unknown {
  if ('image' in value) return imageJson(value.image, destination);
  if ('text' in value) return textJson(value.text);
  if ('choice' in value) return slot.kind === 'choice' && slot.numeric ? Number(value.choice) : value.choice;
  if ('pairs' in value) {
    return value.pairs.map(({ label, text }) => ({
      label: textJson({ text: label }),
      description: textJson({ text }),
    }));
  }
  if ('lines' in value) {
    const lines = filled(value.lines);
    if (slot.kind === 'paragraph') return { textList: lines.map(textJson) };
    return { textList: lines.map((line, index) => ({ position: index + 1, text: textJson(line) })) };
  }
  return undefined;
}

function moduleJson({ type, values }: ModuleValue, destination: Destination): Json {
  const { key, slots } = moduleOf(type);
  const content: Json = {};
  for (const slot of slots) {
    const value = values[slot.path];
    if (value === undefined || isEmpty(value)) continue;
    if ('table' in value) {
      content.productColumns = value.table.columns.map((column, index) => columnJson(column, index, destination));
      content.metricRowLabels = plainItems(value.table.labels);
    } else put(content, slot.path, slotJson(slot, value, destination));
  }
  // Of pictures that are shown in turn, those that are empty leave no hole.
  if (Array.isArray(content.blocks)) content.blocks = content.blocks.filter((block) => block !== undefined);
  return { contentModuleType: type, [key]: content };
}

/** A document as Amazon takes it; what holds nothing is left out. @throws Error for a picture that was not sent */
export function toAmazon({ name, locale, modules }: Content, destination: Destination): ContentDocument {
  return {
    name: name.trim(),
    contentType: 'EBC',
    locale,
    contentModuleList: modules.map((module) => moduleJson(module, destination)),
  };
}

const numberAt = (root: unknown, path: string): number => {
  const value = Number(at(root, `${path}.value`));
  return Number.isInteger(value) && value >= 0 ? value : 0;
};

function textOf(value: unknown): TextValue | undefined {
  if (!isRecord(value) || typeof value.value !== 'string') return undefined;
  const decorators = Array.isArray(value.decoratorSet) ? value.decoratorSet.filter(isRecord) : [];
  return { text: value.value, ...(decorators.length > 0 ? { decorators } : {}) };
}

/** Picture of ours by what it is called at Amazon's. */
export type KnownPicture = (destination: string) => { id: string; width: number; height: number } | undefined;

function imageOf(value: unknown, known: KnownPicture): ImageValue | undefined {
  if (!isRecord(value) || typeof value.uploadDestinationId !== 'string') return undefined;
  const destination = value.uploadDestinationId;
  const picture = known(destination);
  const crop = 'imageCropSpecification';
  return {
    ...(picture ? { picture: picture.id } : {}),
    destination,
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    alt: typeof value.altText === 'string' ? value.altText : '',
    crop: {
      x: numberAt(value, `${crop}.offset.x`),
      y: numberAt(value, `${crop}.offset.y`),
      width: numberAt(value, `${crop}.size.width`),
      height: numberAt(value, `${crop}.size.height`),
    },
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Texts by their positions, which count from 1 and may leave some out. */
function positioned(items: unknown): string[] {
  const texts: string[] = [];
  for (const item of listOf(items).filter(isRecord)) texts[Number(item.position) - 1] = stringOf(item.value);
  return Array.from(texts, (text) => text ?? '');
}

function tableOf(content: Json, known: KnownPicture): SlotValue {
  const labels = positioned(content.metricRowLabels);
  const columns = listOf(content.productColumns)
    .filter(isRecord)
    .toSorted((a, b) => Number(a.position) - Number(b.position));
  return {
    table: {
      labels,
      columns: columns.map((column) => {
        const metrics = positioned(column.metrics);
        return {
          asin: stringOf(column.asin),
          title: stringOf(column.title),
          highlight: column.highlight === true,
          image: imageOf(column.image, known) ?? null,
          metrics: labels.map((_, index) => metrics[index] ?? ''),
        };
      }),
    },
  };
}

function slotValue(slot: Slot, content: Json, known: KnownPicture): SlotValue | undefined {
  if (slot.kind === 'table') return tableOf(content, known);
  const value = at(content, slot.path);
  if (value === undefined || value === null) return undefined;
  if (slot.kind === 'image') {
    const image = imageOf(value, known);
    return image && { image };
  }
  if (slot.kind === 'text') {
    const text = textOf(value);
    return text && { text };
  }
  if (slot.kind === 'choice') return { choice: String(value) };
  if (slot.kind === 'pairs') {
    return {
      pairs: listOf(value).map((pair) => ({
        label: textOf(at(pair, 'label'))?.text ?? '',
        text: textOf(at(pair, 'description'))?.text ?? '',
      })),
    };
  }
  const items = listOf(at(value, 'textList'));
  return { lines: items.flatMap((item) => textOf(slot.kind === 'list' ? at(item, 'text') : item) ?? []) };
}

const isKnown = (type: unknown): type is ModuleType => MODULE_TYPES.some((known) => known === type);

/** A document of Amazon's as it is edited here; undefined where it has modules that are not known here. */
export function fromAmazon(document: ContentDocument, known: KnownPicture): Content | undefined {
  const modules: ModuleValue[] = [];
  for (const [index, module] of document.contentModuleList.entries()) {
    const type = module.contentModuleType;
    if (!isKnown(type)) return undefined;
    const { key, slots } = moduleOf(type);
    const content = isRecord(module[key]) ? module[key] : {};
    const values = slots.flatMap((slot) => {
      const value = slotValue(slot, content, known);
      return value === undefined ? [] : [[slot.path, value] as const];
    });
    modules.push({ id: `m${index + 1}`, type, values: Object.fromEntries(values) });
  }
  return { name: document.name, locale: document.locale, modules };
}
