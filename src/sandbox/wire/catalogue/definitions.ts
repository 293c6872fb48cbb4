import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { SimMarketplace } from '../../business/types.ts';
import { invalidInput } from '../errors.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { list, listOf, text } from '../query.ts';
import type { World } from '../world.ts';
import { PRODUCT_TYPES } from './attributes.ts';
import { displayName, groupsOf, REQUIREMENTS, type Requirements, schemaOf, type Wanted } from './schema.ts';

const LINK_LIFE_MS = 7 * 24 * 3_600_000;
const VERSION = 'U8L4z4Ud95N16tZlR7rsmbQ==';

function marketplaceIn(call: Call): SimMarketplace {
  const [id, second] = list(call.query, 'marketplaceIds', 20);
  if (id === undefined || second !== undefined)
    throw invalidInput('marketplaceIds: exactly one marketplace is required');
  const found = call.world.business.marketplaces.find(({ marketplaceId }) => marketplaceId === id);
  if (!found) throw invalidInput(`marketplaceIds: '${id}' is not the id of a marketplace`);
  return found;
}

const isChinese = (locale: string | undefined): boolean => (locale ?? '').startsWith('zh');

/** Words of a title that fit a product type's name, for recommendations. */
function fits(type: string, words: readonly string[]): boolean {
  const names = [type.replaceAll('_', ' '), ...(PRODUCT_TYPES[type] ?? [])].map((name) => name.toLowerCase());
  return words.some((word) => names.some((name) => name.includes(word) || word.includes(name)));
}

function searchTypes(call: Call): Answer {
  const marketplace = marketplaceIn(call);
  const keywords = list(call.query, 'keywords');
  const itemName = text(call.query, 'itemName');
  if (keywords.length > 0 && itemName !== undefined) {
    throw invalidInput('keywords: cannot be used together with itemName');
  }
  const words = (itemName === undefined ? keywords : itemName.split(/\s+/)).map((word) => word.toLowerCase());
  const found = Object.keys(PRODUCT_TYPES).filter((type) => words.length === 0 || fits(type, words));
  const chinese = isChinese(text(call.query, 'locale'));
  return {
    body: {
      productTypes: found.map((name) => ({
        name,
        displayName: displayName(name, chinese),
        marketplaceIds: [marketplace.marketplaceId],
      })),
      productTypeVersion: VERSION,
    },
  };
}

/** A schema's address carries all that it is made of: whoever signed it may be believed. */
interface Address {
  type: string;
  marketplaceId: string;
  requirements: Requirements;
  enforced: boolean;
  chinese: boolean;
  parentage?: 'NONE' | 'CHILD' | 'PARENT';
}

function wantedOf(world: World, { type, marketplaceId, parentage, ...rest }: Address): Wanted {
  return { ...rest, productType: type, marketplace: world.marketplace(marketplaceId), parentage };
}

const contentOf = (wanted: Wanted): string => JSON.stringify(schemaOf(wanted));

function getType(call: Call): Answer {
  const { world, query, params } = call;
  const marketplace = marketplaceIn(call);
  const { productType = '' } = params;
  if (!PRODUCT_TYPES[productType]) throw invalidInput(`productType: '${productType}' is not known`);
  const [requirements = 'LISTING'] = listOf(query, 'requirements', REQUIREMENTS);
  const [enforcement = 'ENFORCED'] = listOf(query, 'requirementsEnforced', ['ENFORCED', 'NOT_ENFORCED']);
  const [parentage] = listOf(query, 'parentageLevel', ['NONE', 'CHILD', 'PARENT']);
  const locale = text(query, 'locale') ?? 'DEFAULT';
  const address: Address = {
    type: productType,
    marketplaceId: marketplace.marketplaceId,
    requirements,
    enforced: enforcement === 'ENFORCED',
    chinese: isChinese(locale),
    ...(parentage === undefined ? {} : { parentage }),
  };
  const wanted = wantedOf(world, address);
  const id = Buffer.from(JSON.stringify(address)).toString('base64url');
  const exp = world.throttleClock.now() + LINK_LIFE_MS;
  const resource = `${world.publicUrl}/schemas/${id}?exp=${exp}&sig=${world.mint.sign(`${id}|${exp}`)}`;
  const checksum = createHash('md5').update(contentOf(wanted)).digest('base64');
  return {
    body: {
      schema: { link: { resource, verb: 'GET' }, checksum },
      requirements,
      requirementsEnforced: enforcement,
      propertyGroups: groupsOf(wanted),
      locale: locale === 'DEFAULT' ? 'en_US' : locale,
      marketplaceIds: [marketplace.marketplaceId],
      productType,
      displayName: displayName(productType, address.chinese),
      productTypeVersion: { version: VERSION, latest: true, releaseCandidate: false },
    },
  };
}

/** GET /schemas/:id : the storage behind getDefinitionsProductType. No token, only the signature of the link. */
export function registerSchemas(server: FastifyInstance, world: World): void {
  server.get<{ Params: { id: string }; Querystring: { exp?: string; sig?: string } }>(
    '/schemas/:id',
    async (request, reply) => {
      const { id } = request.params;
      const { exp = '', sig = '' } = request.query;
      const isGood = world.mint.verify(`${id}|${exp}`, sig) && world.throttleClock.now() <= Number(exp);
      if (!isGood) return reply.code(403).type('application/xml').send('<Error><Code>AccessDenied</Code></Error>');
      const address = JSON.parse(Buffer.from(id, 'base64url').toString('utf8')) as Address;
      return reply.type('application/json').send(contentOf(wantedOf(world, address)));
    },
  );
}

/** Product Type Definitions 2020-09-01. */
export const definitionOperations: Operation[] = [
  {
    name: 'searchDefinitionsProductTypes',
    method: 'GET',
    path: '/definitions/2020-09-01/productTypes',
    plan: { rate: 5, burst: 10 },
    handle: searchTypes,
  },
  {
    name: 'getDefinitionsProductType',
    method: 'GET',
    path: '/definitions/2020-09-01/productTypes/:productType',
    plan: { rate: 5, burst: 10 },
    handle: getType,
  },
];
