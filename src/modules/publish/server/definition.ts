import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ApiRefused, paperAt } from '#modules/marketplace/server/index.ts';
import type { FormModel } from '../contract/form.ts';
import { isLocked, LOCKED } from './form/merge.ts';
import { formOf } from './form/model.ts';
import type { Groups, Schema } from './form/schema.ts';
import type { Site } from './site.ts';

/** So long a definition is not asked for again; Amazon changes them some times a month. */
const FRESH_HOURS = 24;
/** Larger schemas do not exist; this is no place to be flooded from. */
const MOST_BYTES = 20 * 1024 * 1024;

/** What a listing is made of. */
export interface DefinitionKey {
  productType: string;
  requirements: string;
}

export interface Definition {
  displayName: string;
  schemaText: string;
  groups: Groups;
}

interface Answer {
  schema: { link: { resource: string }; checksum: string };
  propertyGroups: Groups;
  displayName: string;
  productTypeVersion: { version: string };
}

interface Stored {
  display_name: string;
  checksum: string;
  schema_text: string;
  groups_text: string;
  fresh: boolean;
}

const tenant = <T>(runtime: Runtime, { account }: Site, work: Parameters<typeof inTenant<T>>[2]): Promise<T> =>
  inTenant(runtime, systemPrincipal(account.companyId), work);

function stored(
  runtime: Runtime,
  site: Site,
  { productType, requirements }: DefinitionKey,
): Promise<Stored | undefined> {
  return tenant(runtime, site, (ctx) =>
    ctx.db
      .selectFrom('publish.definition')
      .select(['display_name', 'checksum', 'schema_text', 'groups_text'])
      .select(sql<boolean>`fetched_at > kit.now() - make_interval(hours => ${FRESH_HOURS})`.as('fresh'))
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', site.account.id)
      .where('marketplace_id', '=', site.marketplaceId)
      .where('product_type', '=', productType)
      .where('requirements', '=', requirements)
      .executeTakeFirst(),
  );
}

/** Whether Amazon does not know a product type: it answers so in two ways. */
function isUnknownType(error: unknown): boolean {
  if (!(error instanceof ApiRefused)) return false;
  return error.status === 404 || (error.status === 400 && /product\s?type/i.test(error.message));
}

/** The text behind a link that expires, held against its checksum. @throws AppError where it is another one */
async function schemaAt(site: Site, { link, checksum }: Answer['schema']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await paperAt(site.account, link.resource)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MOST_BYTES) throw refused('商品类型的定义过大，无法读取', 'B0763');
  }
  const bytes = Buffer.concat(chunks);
  if (createHash('md5').update(bytes).digest('base64') !== checksum) {
    throw refused('商品类型的定义下载不完整，请重试', 'B0763');
  }
  return bytes.toString('utf8');
}

/**
 * The definition of a product type in a site, labels in Chinese: the stored one while it is fresh, else Amazon's; its schema is
 * downloaded only where the checksum is another one. @throws AppError for an unknown product type; ComeBackLater and others
 */
export async function definitionOf(runtime: Runtime, site: Site, key: DefinitionKey): Promise<Definition> {
  const known = await stored(runtime, site, key);
  if (known?.fresh) return definition(known);
  const { account, marketplaceId, api } = site;
  const { productType, requirements } = key;
  let answer: Answer;
  try {
    const { body } = await api.call<Answer>({
      operation: 'getDefinitionsProductType',
      method: 'GET',
      path: `/definitions/2020-09-01/productTypes/${encodeURIComponent(productType)}`,
      query: { sellerId: account.sellingPartnerId, marketplaceIds: [marketplaceId], requirements, locale: 'zh_CN' },
    });
    answer = body;
  } catch (error) {
    throw isUnknownType(error) ? refused(`商品类型 ${productType} 不存在`, 'B0764') : error;
  }
  const { checksum } = answer.schema;
  const schema_text = known?.checksum === checksum ? known.schema_text : await schemaAt(site, answer.schema);
  const values = {
    display_name: answer.displayName,
    version: answer.productTypeVersion.version,
    checksum,
    schema_text,
    groups_text: JSON.stringify(answer.propertyGroups),
  };
  await tenant(runtime, site, (ctx) =>
    ctx.db
      .insertInto('publish.definition')
      .values({
        company_id: ctx.companyId,
        account_id: account.id,
        marketplace_id: marketplaceId,
        product_type: productType,
        requirements,
        ...values,
      })
      .onConflict((on) =>
        on
          .columns(['company_id', 'account_id', 'marketplace_id', 'product_type', 'requirements'])
          .doUpdateSet({ ...values, fetched_at: sql`kit.now()` }),
      )
      .execute(),
  );
  return definition(values);
}

function definition(row: Pick<Stored, 'display_name' | 'schema_text' | 'groups_text'>): Definition {
  return {
    displayName: row.display_name,
    schemaText: row.schema_text,
    groups: JSON.parse(row.groups_text) as Groups,
  };
}

/** The form of a definition; of a listing that exists, price and stock are only shown. */
export function formFor({ schemaText, groups }: Definition, isNew: boolean): FormModel {
  const lockedOf = (name: string) => (!isNew && isLocked(name) ? LOCKED[name] : undefined);
  return formOf(JSON.parse(schemaText) as Schema, groups, lockedOf);
}

/** The form of a draft as it was read last, for the names of attributes; an empty one where it never was. */
export async function storedForm(
  ctx: Ctx,
  of: { account_id: string; marketplace_id: string; product_type: string; requirements: string; is_new: boolean },
): Promise<FormModel> {
  const row = await ctx.db
    .selectFrom('publish.definition')
    .select(['display_name', 'schema_text', 'groups_text'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', of.account_id)
    .where('marketplace_id', '=', of.marketplace_id)
    .where('product_type', '=', of.product_type)
    .where('requirements', '=', of.requirements)
    .executeTakeFirst();
  return row ? formFor(definition(row), of.is_new) : { groups: [], attributes: [] };
}
