/** What product types are made of: the attributes that the simulated definitions know, in two languages. */

/** Text in English and in Chinese. */
export type Words = readonly [en: string, zh: string];

/** How the value of an attribute is written. */
export type Shape =
  | { kind: 'text'; bytes?: number; length?: number; localized?: true; pattern?: string }
  | { kind: 'number'; min?: number; max?: number; whole?: true }
  | { kind: 'boolean' }
  | { kind: 'choice'; values: Readonly<Record<string, Words>> }
  | { kind: 'measure'; units: Readonly<Record<string, Words>> }
  | { kind: 'box'; units: Readonly<Record<string, Words>> }
  | { kind: 'image' }
  | { kind: 'identifier' }
  | { kind: 'battery' }
  | { kind: 'parent' }
  | { kind: 'offer' }
  | { kind: 'stock' };

export interface Attribute {
  name: string;
  group: Group;
  words: Words;
  shape: Shape;
  /** At most so many values; 1 unless said otherwise. */
  many?: number;
  example?: string;
  /** Cannot be changed once the listing exists. */
  fixed?: true;
  /** Not meant to be shown. */
  hidden?: true;
  /** Names of attributes that this one stands for since. */
  replaces?: readonly string[];
  /** Of products of these types only. */
  types?: readonly string[];
}

export type Group = keyof typeof GROUPS;

export const GROUPS = {
  product_identity: ['Product Identity', '商品标识'],
  images: ['Images', '图片'],
  product_details: ['Product Details', '商品详情'],
  variations: ['Variations', '变体'],
  offer: ['Offer', '报价'],
  safety_and_compliance: ['Safety & Compliance', '安全与合规'],
  shipping: ['Shipping', '配送'],
} as const satisfies Record<string, Words>;

const CENTIMETRES = { centimeters: ['Centimeters', '厘米'], inches: ['Inches', '英寸'] } as const;
const WEIGHTS = { kilograms: ['Kilograms', '千克'], grams: ['Grams', '克'], pounds: ['Pounds', '磅'] } as const;
const VOLUMES = {
  milliliters: ['Milliliters', '毫升'],
  liters: ['Liters', '升'],
  fluid_ounces: ['Fluid Ounces', '液量盎司'],
} as const;
const COUNTRIES = {
  CN: ['China', '中国'],
  VN: ['Vietnam', '越南'],
  US: ['United States', '美国'],
  DE: ['Germany', '德国'],
  JP: ['Japan', '日本'],
} as const;
const HAZARDS = {
  not_applicable: ['Not Applicable', '不适用'],
  ghs: ['GHS', 'GHS'],
  storage: ['Storage', '存储'],
  transportation: ['Transportation', '运输'],
  other: ['Other', '其他'],
} as const;
const CONDITIONS = {
  new_new: ['New', '全新'],
  used_like_new: ['Used - Like New', '二手-如新'],
  used_good: ['Used - Good', '二手-良好'],
} as const;
const PARENTAGES = { child: ['Child', '子商品'], parent: ['Parent', '父商品'] } as const;
const THEMES = {
  COLOR: ['Color', '颜色'],
  SIZE: ['Size', '尺寸'],
  'COLOR/SIZE': ['Color / Size', '颜色/尺寸'],
} as const;

const ELECTRIC = ['LIGHT_FIXTURE', 'LAMP', 'LANTERN', 'ELECTRIC_TOOTHBRUSH', 'ELECTRONIC_CABLE', 'COFFEE_MAKER'];
const image = (name: string, words: Words): Attribute => ({ name, group: 'images', words, shape: { kind: 'image' } });

export const ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'item_name',
    group: 'product_identity',
    words: ['Item Name', '商品名称'],
    shape: { kind: 'text', length: 200, localized: true },
  },
  {
    name: 'brand',
    group: 'product_identity',
    words: ['Brand Name', '品牌名称'],
    shape: { kind: 'text', length: 100, localized: true },
  },
  {
    name: 'externally_assigned_product_identifier',
    group: 'product_identity',
    words: ['External Product ID', '外部商品编码'],
    shape: { kind: 'identifier' },
  },
  {
    name: 'supplier_declared_has_product_identifier_exemption',
    group: 'product_identity',
    words: ['GTIN Exemption', '编码豁免'],
    shape: { kind: 'boolean' },
  },
  {
    name: 'merchant_suggested_asin',
    group: 'product_identity',
    words: ['Merchant Suggested ASIN', '卖家建议的 ASIN'],
    shape: { kind: 'text', length: 10, pattern: '^B[0-9A-Z]{9}$' },
    fixed: true,
  },
  {
    name: 'item_type_name',
    group: 'product_identity',
    words: ['Item Type Name', '商品类型名称'],
    shape: { kind: 'text', length: 100, localized: true },
  },
  {
    name: 'item_class_code',
    group: 'product_identity',
    words: ['Item Class Code', '内部分类码'],
    shape: { kind: 'text', length: 20 },
    hidden: true,
  },
  image('main_product_image_locator', ['Main Image URL', '主图链接']),
  image('other_product_image_locator_1', ['Other Image URL 1', '附图链接 1']),
  image('other_product_image_locator_2', ['Other Image URL 2', '附图链接 2']),
  {
    name: 'bullet_point',
    group: 'product_details',
    words: ['Bullet Point', '五点描述'],
    shape: { kind: 'text', length: 500, localized: true },
    many: 5,
  },
  {
    name: 'product_description',
    group: 'product_details',
    words: ['Product Description', '商品描述'],
    shape: { kind: 'text', length: 2000, localized: true },
  },
  {
    name: 'generic_keyword',
    group: 'product_details',
    words: ['Generic Keywords', '搜索关键词'],
    shape: { kind: 'text', bytes: 249, localized: true },
  },
  {
    name: 'color',
    group: 'product_details',
    words: ['Color', '颜色'],
    shape: { kind: 'text', length: 50, localized: true },
  },
  {
    name: 'size',
    group: 'product_details',
    words: ['Size', '尺寸'],
    shape: { kind: 'text', length: 50, localized: true },
    replaces: ['size_map'],
  },
  {
    name: 'material',
    group: 'product_details',
    words: ['Material', '材质'],
    shape: { kind: 'text', length: 50, localized: true },
    many: 3,
  },
  {
    name: 'number_of_items',
    group: 'product_details',
    words: ['Number of Items', '件数'],
    shape: { kind: 'number', min: 1, max: 10_000, whole: true },
  },
  {
    name: 'capacity',
    group: 'product_details',
    words: ['Capacity', '容量'],
    shape: { kind: 'measure', units: VOLUMES },
    types: ['BOTTLE', 'CUP', 'BACKPACK', 'PET_SUPPLIES'],
  },
  {
    name: 'item_dimensions',
    group: 'product_details',
    words: ['Item Dimensions', '商品尺寸'],
    shape: { kind: 'box', units: CENTIMETRES },
  },
  {
    name: 'parentage_level',
    group: 'variations',
    words: ['Parentage', '父子关系'],
    shape: { kind: 'choice', values: PARENTAGES },
  },
  {
    name: 'child_parent_sku_relationship',
    group: 'variations',
    words: ['Parent SKU', '父商品 SKU'],
    shape: { kind: 'parent' },
  },
  {
    name: 'variation_theme',
    group: 'variations',
    words: ['Variation Theme', '变体主题'],
    shape: { kind: 'choice', values: THEMES },
  },
  {
    name: 'condition_type',
    group: 'offer',
    words: ['Item Condition', '商品状况'],
    shape: { kind: 'choice', values: CONDITIONS },
  },
  { name: 'purchasable_offer', group: 'offer', words: ['Purchasable Offer', '售价'], shape: { kind: 'offer' } },
  {
    name: 'fulfillment_availability',
    group: 'offer',
    words: ['Fulfillment Availability', '配送与库存'],
    shape: { kind: 'stock' },
  },
  {
    name: 'country_of_origin',
    group: 'safety_and_compliance',
    words: ['Country of Origin', '原产国'],
    shape: { kind: 'choice', values: COUNTRIES },
  },
  {
    name: 'supplier_declared_dg_hz_regulation',
    group: 'safety_and_compliance',
    words: ['Dangerous Goods Regulations', '危险品法规'],
    shape: { kind: 'choice', values: HAZARDS },
    many: 5,
  },
  {
    name: 'safety_data_sheet_url',
    group: 'safety_and_compliance',
    words: ['Safety Data Sheet URL', '安全数据表链接'],
    shape: { kind: 'image' },
  },
  {
    name: 'batteries_required',
    group: 'safety_and_compliance',
    words: ['Are batteries required?', '是否需要电池'],
    shape: { kind: 'boolean' },
    types: ELECTRIC,
  },
  {
    name: 'batteries_included',
    group: 'safety_and_compliance',
    words: ['Are batteries included?', '是否附带电池'],
    shape: { kind: 'boolean' },
    types: ELECTRIC,
  },
  {
    name: 'battery',
    group: 'safety_and_compliance',
    words: ['Battery', '电池'],
    shape: { kind: 'battery' },
    types: ELECTRIC,
  },
  {
    name: 'item_package_weight',
    group: 'shipping',
    words: ['Package Weight', '包裹重量'],
    shape: { kind: 'measure', units: WEIGHTS },
  },
  {
    name: 'item_package_dimensions',
    group: 'shipping',
    words: ['Package Dimensions', '包裹尺寸'],
    shape: { kind: 'box', units: CENTIMETRES },
  },
];

/** Attributes of what is sold, and those of the offer alone. */
export const OFFER_ONLY: readonly string[] = [
  'merchant_suggested_asin',
  'condition_type',
  'purchasable_offer',
  'fulfillment_availability',
  'supplier_declared_dg_hz_regulation',
  'item_package_weight',
  'item_package_dimensions',
];

/** What no listing of a product may lack; the offer has its own. */
export const REQUIRED_PRODUCT: readonly string[] = [
  'item_name',
  'brand',
  'bullet_point',
  'product_description',
  'country_of_origin',
  'supplier_declared_dg_hz_regulation',
  'item_package_weight',
  'item_package_dimensions',
];

export const REQUIRED_OFFER: readonly string[] = ['condition_type', 'purchasable_offer'];

/** Names of product types for people. */
export const PRODUCT_TYPES: Readonly<Record<string, Words>> = {
  BOTTLE: ['Bottle', '瓶子'],
  CUTTING_BOARD: ['Cutting Board', '砧板'],
  KITCHEN: ['Kitchen', '厨房用品'],
  LIGHT_FIXTURE: ['Light Fixture', '灯具'],
  LUGGAGE: ['Luggage', '箱包'],
  COFFEE_MAKER: ['Coffee Maker', '咖啡机'],
  CUP: ['Cup', '杯子'],
  STORAGE_BOX: ['Storage Box', '收纳盒'],
  PLANTER: ['Planter', '花盆'],
  LAMP: ['Lamp', '台灯'],
  PET_SUPPLIES: ['Pet Supplies', '宠物用品'],
  PET_TOY: ['Pet Toy', '宠物玩具'],
  BACKPACK: ['Backpack', '双肩包'],
  EXERCISE_MAT: ['Exercise Mat', '健身垫'],
  ELECTRIC_TOOTHBRUSH: ['Electric Toothbrush', '电动牙刷'],
  ELECTRONIC_CABLE: ['Electronic Cable', '数据线'],
  LANTERN: ['Lantern', '提灯'],
};
