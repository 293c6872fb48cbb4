import type { ErrorObject } from 'ajv';
import type { SimListing, SimMarketplace } from '../../business/types.ts';
import { ATTRIBUTES, PRODUCT_TYPES } from './attributes.ts';
import { attributesOf, type Requirements } from './schema.ts';
import { schemaErrors } from './validate.ts';

/** An issue of a submission as Listings Items words it. */
export interface Issue {
  code: string;
  message: string;
  severity: 'ERROR' | 'WARNING';
  attributeNames?: string[];
  categories: string[];
}

/** A submission to be judged: the attributes as they would be, and those that it touches. */
export interface Submission {
  marketplace: SimMarketplace;
  productType: string;
  requirements: Requirements;
  /** The listing as it is; undefined for one that is new. */
  listing: SimListing | undefined;
  before: Readonly<Record<string, readonly object[]>>;
  after: Readonly<Record<string, readonly object[]>>;
  touched: ReadonlySet<string>;
  chinese: boolean;
}

type Say = (code: string, category: string, words: readonly [string, string], ...names: string[]) => Issue;

const labelOf = (name: string, chinese: boolean): string => {
  const words = ATTRIBUTES.find((one) => one.name === name)?.words;
  return words ? words[chinese ? 1 : 0] : name;
};

/** The attribute that an error of the schema is about. */
function attributeOf({ instancePath, keyword, params }: ErrorObject): string {
  const [, first] = instancePath.split('/');
  if (first) return first;
  if (keyword === 'required') return String(params.missingProperty);
  return keyword === 'additionalProperties' ? String(params.additionalProperty) : '';
}

function issueOf(error: ErrorObject, chinese: boolean, say: Say): Issue[] {
  const name = attributeOf(error);
  const label = labelOf(name, chinese);
  const { keyword, instancePath, params } = error;
  // What only says that a branch was entered, or that an item is not the one looked for.
  if (['if', 'not', 'anyOf', 'contains'].includes(keyword)) return [];
  if (keyword === 'required' && instancePath === '') {
    return [
      say('90220', 'MISSING_ATTRIBUTE', [`'${label}' is required but missing.`, `“${label}”为必填项但未提供。`], name),
    ];
  }
  if (keyword === 'additionalProperties' && instancePath === '') {
    return [
      say(
        '90000900',
        'INVALID_ATTRIBUTE',
        [`'${name}' is not a valid attribute of the product type.`, `“${name}”不是该商品类型的有效属性。`],
        name,
      ),
    ];
  }
  if (keyword === 'maxUniqueItems') {
    return [say('90003', 'INVALID_ATTRIBUTE', [`'${label}' has too many values.`, `“${label}”的值过多。`], name)];
  }
  if (keyword === 'maxLength' || keyword === 'maxUtf8ByteLength') {
    return [
      say('90004', 'INVALID_ATTRIBUTE', [`'${label}' exceeds the maximum length.`, `“${label}”超过最大长度。`], name),
    ];
  }
  if (keyword === 'enum') {
    return [say('90244', 'INVALID_ATTRIBUTE', [`The value of '${label}' is not valid.`, `“${label}”的值无效。`], name)];
  }
  const missing = keyword === 'required' ? `: ${String(params.missingProperty)}` : '';
  return [
    say(
      '4000001',
      'INVALID_ATTRIBUTE',
      [`The value specified for '${label}' is invalid${missing}.`, `为“${label}”指定的值无效${missing}。`],
      name,
    ),
  ];
}

/** Claims that Amazon takes off the page. */
const CLAIMS = /best[- ]?seller|free shipping|100% guarantee/i;

function claims({ after, touched }: Submission, say: Say): Issue[] {
  return ['item_name', 'bullet_point'].flatMap((name) => {
    const texts = touched.has(name) ? (after[name] ?? []).map((one) => String(Reflect.get(one, 'value'))) : [];
    return texts.some((text) => CLAIMS.test(text))
      ? [say('18742', 'INVALID_ATTRIBUTE', ['The text contains promotional claims.', '文本包含促销性宣传用语。'], name)]
      : [];
  });
}

function fixed({ before, after, touched, listing }: Submission, say: Say, chinese: boolean): Issue[] {
  if (!listing) return [];
  return ATTRIBUTES.filter(({ name, fixed: isFixed }) => isFixed && touched.has(name)).flatMap(({ name }) => {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) return [];
    const label = labelOf(name, chinese);
    return [
      say(
        '90248',
        'INVALID_ATTRIBUTE',
        [`'${label}' cannot be modified for an existing item.`, `“${label}”不可修改。`],
        name,
      ),
    ];
  });
}

/** What is wrong with a submission; an ERROR refuses it, a WARNING goes with it. */
export function issuesOf(submission: Submission): Issue[] {
  const { marketplace, productType, requirements, listing, after, touched, chinese } = submission;
  const say: Say = (code, category, [en, zh], ...attributeNames) => ({
    code,
    message: chinese ? zh : en,
    severity: code === '18742' ? 'WARNING' : 'ERROR',
    ...(attributeNames.length > 0 ? { attributeNames } : {}),
    categories: [category],
  });
  if (!PRODUCT_TYPES[productType]) {
    return [
      say('4000004', 'INVALID_ATTRIBUTE', [
        `'${productType}' is not a valid product type.`,
        `“${productType}”不是有效的商品类型。`,
      ]),
    ];
  }
  if (listing && listing.product.productType !== productType) {
    const own = listing.product.productType;
    return [
      say('8541', 'INVALID_ATTRIBUTE', [
        `The product type of the listing is '${own}'.`,
        `该商品的商品类型是“${own}”。`,
      ]),
    ];
  }
  const wanted = { productType, marketplace, requirements, enforced: true, chinese, parentage: undefined };
  const known = new Set(attributesOf(productType, requirements).map(({ name }) => name));
  const found = schemaErrors(wanted, after).flatMap((error) => {
    const name = attributeOf(error);
    // Of what is there already only that counts which the submission touches.
    return touched.has(name) || !listing ? issueOf(error, chinese, say) : [];
  });
  const unknown = [...touched].filter(
    (name) => !known.has(name) && !found.some((one) => one.attributeNames?.includes(name)),
  );
  const strange = unknown.map((name) =>
    say(
      '90000900',
      'INVALID_ATTRIBUTE',
      [`'${name}' is not a valid attribute of the product type.`, `“${name}”不是该商品类型的有效属性。`],
      name,
    ),
  );
  const all = [...found, ...strange, ...fixed(submission, say, chinese), ...claims(submission, say)];
  return [...new Map(all.map((issue) => [`${issue.code} ${issue.attributeNames?.join()}`, issue])).values()];
}
