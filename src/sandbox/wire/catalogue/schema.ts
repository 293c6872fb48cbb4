import type { SimMarketplace } from '../../business/types.ts';
import {
  ATTRIBUTES,
  type Attribute,
  GROUPS,
  OFFER_ONLY,
  PRODUCT_TYPES,
  REQUIRED_OFFER,
  REQUIRED_PRODUCT,
  type Words,
} from './attributes.ts';

type Json = Record<string, unknown>;

export const REQUIREMENTS = ['LISTING', 'LISTING_PRODUCT_ONLY', 'LISTING_OFFER_ONLY'] as const;
export type Requirements = (typeof REQUIREMENTS)[number];

/** Which definition somebody asks for. */
export interface Wanted {
  productType: string;
  marketplace: SimMarketplace;
  requirements: Requirements;
  enforced: boolean;
  /** Labels in Chinese rather than in English. */
  chinese: boolean;
  parentage: 'NONE' | 'CHILD' | 'PARENT' | undefined;
}

const LANGUAGES: Readonly<Record<string, string>> = { en: 'en_US', de: 'de_DE', fr: 'fr_FR', ja: 'ja_JP' };

/** The language tag of texts in a marketplace. */
export function languageTag({ language, countryCode }: SimMarketplace): string {
  if (countryCode === 'GB') return 'en_GB';
  if (countryCode === 'CA') return 'en_CA';
  return LANGUAGES[language.slice(0, 2)] ?? 'en_US';
}

/** Attributes of a product type that a set of requirements is about. */
export function attributesOf(productType: string, requirements: Requirements): Attribute[] {
  return ATTRIBUTES.filter(({ types }) => types === undefined || types.includes(productType)).filter(
    ({ name, group }) => {
      if (requirements === 'LISTING_OFFER_ONLY') return OFFER_ONLY.includes(name);
      return requirements === 'LISTING' || group !== 'offer';
    },
  );
}

const MARK = { $ref: '#/$defs/marketplace_id' };
const TONGUE = { $ref: '#/$defs/language_tag' };

interface Built {
  properties: Json;
  required: string[];
  selectors: string[];
}

function choice(say: (words: Words) => string, title: string, values: Readonly<Record<string, Words>>): Json {
  return { title, type: 'string', enum: Object.keys(values), enumNames: Object.values(values).map(say) };
}

function measured(say: (words: Words) => string, units: Readonly<Record<string, Words>>): Json {
  return {
    unit: choice(say, say(['Unit', '单位']), units),
    value: { title: say(['Value', '数值']), type: 'number', minimum: 0, maximum: 1_000_000 },
  };
}

function days(say: (words: Words) => string): Json {
  const day = (words: Words): Json => ({ title: say(words), type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' });
  return { start_at: day(['Start Date', '开始日期']), end_at: day(['End Date', '结束日期']) };
}

/** Quantity discounts: up to five levels. */
function plan(say: (words: Words) => string): Json {
  const bound = { title: say(['Quantity', '数量']), type: 'integer', minimum: 2 };
  const value = { title: say(['Price', '价格']), type: 'number', exclusiveMinimum: 0 };
  const level = { type: 'object', required: ['lower_bound', 'value'], additionalProperties: false };
  const levels = {
    title: say(['Levels', '档位']),
    type: 'array',
    minItems: 1,
    maxItems: 5,
    items: { ...level, properties: { lower_bound: bound, value } },
  };
  const kind = choice(say, say(['Discount Type', '折扣类型']), { fixed: ['Fixed', '固定价'] });
  return {
    type: 'array',
    minItems: 1,
    maxItems: 1,
    items: {
      type: 'object',
      required: ['discount_type', 'levels'],
      properties: { discount_type: kind, levels },
      additionalProperties: false,
    },
  };
}

function builtOf({ shape, words, fixed }: Attribute, { marketplace }: Wanted, say: (words: Words) => string): Built {
  const title = say(words);
  const base = { marketplace_id: MARK };
  switch (shape.kind) {
    case 'text': {
      const value: Json = {
        title,
        type: 'string',
        editable: fixed !== true,
        ...(shape.length === undefined ? {} : { minLength: 1, maxLength: shape.length }),
        ...(shape.bytes === undefined ? {} : { maxUtf8ByteLength: shape.bytes }),
        ...(shape.pattern === undefined ? {} : { pattern: shape.pattern }),
      };
      return shape.localized
        ? {
            properties: { value, language_tag: TONGUE, ...base },
            required: ['value', 'language_tag'],
            selectors: ['marketplace_id', 'language_tag'],
          }
        : { properties: { value, ...base }, required: ['value'], selectors: ['marketplace_id'] };
    }
    case 'number': {
      const { min = 0, max, whole } = shape;
      const value = { title, type: whole ? 'integer' : 'number', minimum: min, ...(max ? { maximum: max } : {}) };
      return { properties: { value, ...base }, required: ['value'], selectors: ['marketplace_id'] };
    }
    case 'boolean': {
      const value = { title, type: 'boolean', enum: [false, true], enumNames: [say(['No', '否']), say(['Yes', '是'])] };
      return { properties: { value, ...base }, required: ['value'], selectors: ['marketplace_id'] };
    }
    case 'choice':
      return {
        properties: { value: choice(say, title, shape.values), ...base },
        required: ['value'],
        selectors: ['marketplace_id'],
      };
    case 'measure':
      return {
        properties: { ...measured(say, shape.units), ...base },
        required: ['unit', 'value'],
        selectors: ['marketplace_id'],
      };
    case 'box': {
      const edge = (edgeWords: Words): Json => ({
        title: say(edgeWords),
        type: 'object',
        required: ['unit', 'value'],
        properties: measured(say, shape.units),
        additionalProperties: false,
      });
      const edges = { length: edge(['Length', '长']), width: edge(['Width', '宽']), height: edge(['Height', '高']) };
      return { properties: { ...edges, ...base }, required: Object.keys(edges), selectors: ['marketplace_id'] };
    }
    case 'image': {
      const link = { title, type: 'string', format: 'uri', maxLength: 2000, pattern: '^https?://\\S+$' };
      return {
        properties: { media_location: link, ...base },
        required: ['media_location'],
        selectors: ['marketplace_id'],
      };
    }
    case 'identifier': {
      const type = choice(say, say(['External Product ID Type', '编码类型']), {
        ean: ['EAN', 'EAN'],
        upc: ['UPC', 'UPC'],
        gtin: ['GTIN', 'GTIN'],
      });
      const value = { title, type: 'string', pattern: '^[0-9]{8,14}$' };
      return {
        properties: { type, value, ...base },
        required: ['type', 'value'],
        selectors: ['marketplace_id', 'type'],
      };
    }
    case 'battery': {
      const composition = choice(say, say(['Battery Composition', '电池成分']), {
        lithium_ion: ['Lithium Ion', '锂离子'],
        alkaline: ['Alkaline', '碱性'],
        nickel_metal_hydride: ['NiMH', '镍氢'],
      });
      const list = (value: Json): Json => ({
        title: value.title,
        type: 'array',
        minItems: 1,
        maxItems: 1,
        items: { type: 'object', required: ['value'], properties: { value }, additionalProperties: false },
      });
      const weight = {
        title: say(['Battery Weight', '电池重量']),
        type: 'array',
        minItems: 1,
        maxItems: 1,
        items: {
          type: 'object',
          required: ['unit', 'value'],
          properties: measured(say, { grams: ['Grams', '克'], kilograms: ['Kilograms', '千克'] }),
          additionalProperties: false,
        },
      };
      const properties = { cell_composition: list(composition), weight, ...base };
      return { properties, required: ['cell_composition'], selectors: ['marketplace_id'] };
    }
    case 'parent': {
      const kind = choice(say, say(['Relationship', '关系']), { variation: ['Variation', '变体'] });
      const sku = { title: say(['Parent SKU', '父商品 SKU']), type: 'string', minLength: 1, maxLength: 40 };
      return {
        properties: { child_relationship_type: kind, parent_sku: sku, ...base },
        required: ['child_relationship_type', 'parent_sku'],
        selectors: ['marketplace_id', 'child_relationship_type'],
      };
    }
    case 'offer': {
      const price = { title: say(['Your Price', '您的售价']), type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 };
      const schedule = {
        type: 'array',
        minItems: 1,
        maxItems: 1,
        items: {
          type: 'object',
          required: ['value_with_tax'],
          properties: { value_with_tax: price },
          additionalProperties: false,
        },
      };
      const ourPrice = {
        title: say(['Your Price', '您的售价']),
        type: 'array',
        minItems: 1,
        maxItems: 1,
        items: { type: 'object', required: ['schedule'], properties: { schedule }, additionalProperties: false },
      };
      const currency = {
        title: say(['Currency', '币种']),
        type: 'string',
        enum: [marketplace.currency],
        enumNames: [marketplace.currency],
        default: marketplace.currency,
      };
      const dated = {
        ...schedule,
        items: {
          ...schedule.items,
          required: ['value_with_tax', 'start_at', 'end_at'],
          properties: { value_with_tax: price, ...days(say) },
        },
      };
      const part = (words: Words, slots: Json): Json => ({
        ...ourPrice,
        title: say(words),
        items: { ...ourPrice.items, properties: { schedule: slots } },
      });
      const audience = choice(say, say(['Audience', '买家群体']), {
        ALL: ['Sell on Amazon', '所有买家'],
        B2B: ['Amazon Business', '企业买家'],
      });
      return {
        properties: {
          currency,
          audience,
          our_price: ourPrice,
          discounted_price: part(['Sale Price', '促销价'], dated),
          minimum_seller_allowed_price: part(['Minimum Price', '最低价'], schedule),
          maximum_seller_allowed_price: part(['Maximum Price', '最高价'], schedule),
          quantity_discount_plan: part(['Quantity Discounts', '数量折扣'], plan(say)),
          ...base,
        },
        required: ['currency', 'our_price'],
        selectors: ['marketplace_id', 'currency', 'audience'],
      };
    }
    case 'stock': {
      const { region, countryCode } = marketplace;
      const channel = choice(say, say(['Fulfillment Channel', '配送渠道']), {
        DEFAULT: ['Merchant', '卖家自配送'],
        [`AMAZON_${region === 'fe' ? countryCode : region.toUpperCase()}`]: ['Fulfilled by Amazon', '亚马逊配送'],
      });
      const quantity = { title: say(['Quantity', '库存']), type: 'integer', minimum: 0, maximum: 10_000_000 };
      return {
        properties: { fulfillment_channel_code: channel, quantity },
        required: ['fulfillment_channel_code'],
        selectors: ['fulfillment_channel_code'],
      };
    }
  }
}

function property(attribute: Attribute, wanted: Wanted, say: (words: Words) => string): Json {
  const { properties, required, selectors } = builtOf(attribute, wanted, say);
  const { words, many = 1, hidden, replaces } = attribute;
  return {
    title: say(words),
    description: `${say(['Provide', '填写'])} ${say(words)}`,
    ...(hidden ? { hidden: true } : {}),
    ...(replaces ? { replaces } : {}),
    type: 'array',
    minItems: 1,
    minUniqueItems: 1,
    maxUniqueItems: many,
    selectors,
    items: { type: 'object', required, properties, additionalProperties: false },
  };
}

const holds = (name: string, value: unknown): Json => ({
  required: [name],
  properties: { [name]: { contains: { required: ['value'], properties: { value: { enum: [value] } } } } },
});

/** "if … then …" of a schema. */
const rule = (when: Json, what: Json): Json =>
  Object.fromEntries([
    ['if', when],
    ['then', what],
  ]);

/** Rules that hold only in some cases, of those attributes that are there. */
function conditions(names: ReadonlySet<string>): Json[] {
  const needs = (when: Json, ...required: string[]): Json[] =>
    required.every((name) => names.has(name)) ? [rule(when, { required })] : [];
  const identified = [
    holds('supplier_declared_has_product_identifier_exemption', true),
    { required: ['merchant_suggested_asin'] },
    holds('parentage_level', 'parent'),
  ];
  const merchant = { contains: { properties: { fulfillment_channel_code: { const: 'DEFAULT' } } } };
  return [
    ...needs(holds('batteries_required', true), 'batteries_included', 'battery'),
    ...needs(holds('supplier_declared_dg_hz_regulation', 'other'), 'safety_data_sheet_url'),
    ...needs(holds('parentage_level', 'child'), 'child_parent_sku_relationship', 'variation_theme'),
    ...needs({ not: { anyOf: identified } }, 'externally_assigned_product_identifier'),
    ...(names.has('variation_theme')
      ? [rule(holds('parentage_level', 'parent'), { not: { required: ['purchasable_offer'] } })]
      : []),
    ...(names.has('fulfillment_availability')
      ? [
          rule(
            { required: ['fulfillment_availability'], properties: { fulfillment_availability: merchant } },
            { properties: { fulfillment_availability: { items: { required: ['quantity'] } } } },
          ),
        ]
      : []),
  ];
}

/** Names of attributes without which nothing of a product type is listed. */
function requiredOf(names: ReadonlySet<string>, { requirements, enforced, parentage }: Wanted): string[] {
  if (!enforced) return [];
  if (requirements === 'LISTING_OFFER_ONLY') return [...REQUIRED_OFFER, 'merchant_suggested_asin'];
  const offer = requirements === 'LISTING' && parentage !== 'PARENT' ? REQUIRED_OFFER : [];
  return [...REQUIRED_PRODUCT, ...offer].filter((name) => names.has(name));
}

/** The JSON schema of a product type, an extension of draft 2019-09 as Amazon's meta-schema describes it. */
export function schemaOf(wanted: Wanted): Json {
  const say = ([en, zh]: Words) => (wanted.chinese ? zh : en);
  const attributes = attributesOf(wanted.productType, wanted.requirements);
  const names = new Set(attributes.map(({ name }) => name));
  const tag = languageTag(wanted.marketplace);
  return {
    $schema: 'https://schemas.amazon.com/selling-partners/definitions/product-types/meta-schema/v1',
    $id: `https://schemas.amazon.com/selling-partners/definitions/product-types/schema/v1/${wanted.productType}`,
    $comment: `Amazon Product Type Definition for ${wanted.productType} product type.`,
    $defs: {
      marketplace_id: {
        default: wanted.marketplace.marketplaceId,
        editable: false,
        hidden: true,
        enum: [wanted.marketplace.marketplaceId],
        type: 'string',
      },
      language_tag: { default: tag, editable: false, hidden: true, enum: [tag], type: 'string' },
    },
    type: 'object',
    required: requiredOf(names, wanted),
    properties: Object.fromEntries(attributes.map((one) => [one.name, property(one, wanted, say)])),
    additionalProperties: false,
    allOf: conditions(names),
  };
}

/** Property groups of a product type in their order, for `propertyGroups`. */
export function groupsOf({ productType, requirements, chinese }: Wanted): Json {
  const attributes = attributesOf(productType, requirements);
  return Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, [en, zh]]) => {
      const propertyNames = attributes.filter((one) => one.group === group).map(({ name }) => name);
      return propertyNames.length === 0 ? [] : [[group, { title: chinese ? zh : en, description: en, propertyNames }]];
    }),
  );
}

/** What a product type is called. */
export function displayName(productType: string, chinese: boolean): string {
  const words = PRODUCT_TYPES[productType];
  return words ? words[chinese ? 1 : 0] : productType;
}
