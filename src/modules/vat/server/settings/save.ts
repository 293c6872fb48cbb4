import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, notFound, refused } from '#kit/server/errors.ts';
import { wakeStream } from '#modules/marketplace/server/index.ts';
import { COUNTRIES } from '../../contract/fields.ts';
import type { RateRow, saveEntity, saveSites } from '../../contract/settings.ts';
import { ALL_PLAN, PENDING_PLAN } from '../facts/plans.ts';
import { vatNumber } from '../rules/numbers.ts';
import { USUAL_RATES } from '../rules/rates.ts';
import { ratesOf } from './profile.ts';

const RESOURCE = 'vat.profile';
type Entity = z.output<typeof saveEntity.body>;

/** Numbers as they are stored. @throws 400 naming the country whose number cannot be one; two of a country */
function checkedNumbers({ numbers, ossCountry }: Entity): { country: string; number: string }[] {
  const checked = numbers.map(({ country, number }) => ({ country, number: vatNumber(country, number) }));
  const bad = checked.flatMap(({ country, number }, at) =>
    number === undefined
      ? [
          {
            field: `numbers.${at}.number`,
            title: 'VAT号',
            msg: `VAT号：${COUNTRIES[country]}的VAT号格式或校验位不正确`,
          },
        ]
      : [],
  );
  if (bad.length > 0) throw invalid(bad);
  if (new Set(checked.map(({ country }) => country)).size !== checked.length) {
    throw invalid([{ field: 'numbers', title: 'VAT号', msg: 'VAT号：同一国家只能填写一个' }]);
  }
  if (ossCountry !== null && !checked.some(({ country }) => country === ossCountry)) {
    throw invalid([{ field: 'ossCountry', title: 'OSS注册国', msg: 'OSS注册国：须填写该国的VAT号' }]);
  }
  return checked.map(({ country, number }) => ({ country, number: number ?? '' }));
}

function refuseSamePatterns({ invoicePattern, creditPattern }: Entity): void {
  if (invoicePattern !== creditPattern) return;
  throw invalid([{ field: 'creditPattern', title: '红字发票号规则', msg: '红字发票号规则：不能与发票号规则相同' }]);
}

async function write(ctx: Ctx, entity: Entity): Promise<{ id: string; version: number }> {
  const values = {
    name: entity.name,
    address: entity.address,
    oss_country: entity.ossCountry ?? '',
    invoice_pattern: entity.invoicePattern,
    credit_pattern: entity.creditPattern,
    updated_by_name: ctx.userName,
  };
  if (entity.id === undefined) {
    return ctx.db
      .insertInto('vat.entity')
      .values({ company_id: ctx.companyId, ...values })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
  }
  return ctx.db
    .updateTable('vat.entity')
    .set({ ...values, version: sql`version + 1`, updated_at: sql`kit.now()` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', entity.id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

/** Holds an entity until the transaction ends. @throws 404; 409 where somebody else changed it */
export async function insistOnVersion(ctx: Ctx, id: string, version: number): Promise<void> {
  const row = await ctx.db
    .selectFrom('vat.entity')
    .select(['version', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('开票主体不存在或已删除');
  if (row.version !== version) throw conflict('数据已被他人修改，请刷新后重试');
}

async function refuseSameName(ctx: Ctx, { id, name }: Entity): Promise<void> {
  const other = await ctx.db
    .selectFrom('vat.entity')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', name)
    .where('id', '!=', id ?? '00000000-0000-0000-0000-000000000000')
    .executeTakeFirst();
  if (other) throw refused('公司名称已存在', 'B1465');
}

/**
 * Makes an entity or changes one. What is issued keeps what it says; a series that has begun keeps its pattern.
 * @throws 400 for a VAT number that cannot be one; 404, 409; refused B1465 for a name that is taken
 */
export async function putEntity(ctx: Ctx, entity: Entity): Promise<{ id: string; version: number }> {
  const numbers = checkedNumbers(entity);
  refuseSamePatterns(entity);
  if (entity.id !== undefined) await insistOnVersion(ctx, entity.id, entity.version);
  await refuseSameName(ctx, entity);
  const saved = await write(ctx, entity);
  await ctx.db
    .deleteFrom('vat.registration')
    .where('company_id', '=', ctx.companyId)
    .where('entity_id', '=', saved.id)
    .execute();
  if (numbers.length > 0) {
    await ctx.db
      .insertInto('vat.registration')
      .values(numbers.map((one) => ({ company_id: ctx.companyId, entity_id: saved.id, ...one })))
      .execute();
  }
  const { id: _, version: __, ...after } = entity;
  await audit(ctx, {
    action: entity.id === undefined ? '新增VAT开票主体' : '修改VAT开票主体',
    resource: RESOURCE,
    resourceId: saved.id,
    after,
  });
  return saved;
}

type Sites = z.output<typeof saveSites.body>['sites'];

/** @throws 404 for a site or an entity out of reach */
async function insistOnSites(ctx: Ctx, sites: readonly { accountId: string; marketplaceId: string }[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('marketplace.seller_marketplace')
    .select(['account_id', 'marketplace_id'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const known = new Set(rows.map((row) => `${row.account_id} ${row.marketplace_id}`));
  if (sites.some((one) => !known.has(`${one.accountId} ${one.marketplaceId}`))) throw notFound('站点不存在或已删除');
}

async function insistOnEntities(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db.selectFrom('vat.entity').select('id').where('company_id', '=', ctx.companyId).execute();
  if (ids.some((id) => !rows.some((row) => row.id === id))) throw notFound('开票主体不存在或已删除');
}

/** Says who issues in which marketplace; without an entity nobody does. @throws 404 */
export async function putSites(ctx: Ctx, sites: Sites): Promise<'success'> {
  const all = sites.map(({ site, entityId, auto }) => {
    const [marketplaceId = '', ...rest] = site.split('-');
    return { marketplaceId, accountId: rest.join('-'), entityId, auto };
  });
  await insistOnSites(ctx, all);
  await insistOnEntities(
    ctx,
    all.flatMap(({ entityId }) => entityId ?? []),
  );
  for (const { accountId, marketplaceId, entityId, auto } of all) {
    if (entityId === null) {
      await ctx.db
        .deleteFrom('vat.site')
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', accountId)
        .where('marketplace_id', '=', marketplaceId)
        .execute();
    } else {
      await sql`
        INSERT INTO vat.site (company_id, account_id, marketplace_id, entity_id, auto)
        VALUES (${ctx.companyId}, ${accountId}, ${marketplaceId}, ${entityId}, ${auto})
        ON CONFLICT (company_id, account_id, marketplace_id)
        DO UPDATE SET entity_id = excluded.entity_id, auto = excluded.auto`.execute(ctx.db);
    }
  }
  for (const accountId of new Set(all.map((one) => one.accountId))) {
    for (const stream of [PENDING_PLAN, ALL_PLAN]) await wakeStream(ctx, { accountId, stream });
  }
  await audit(ctx, { action: '修改VAT开票站点', resource: RESOURCE, after: { sites } });
  return 'success';
}

/** Adds rates that are not there yet; a day in the past counts for what is issued from now on. */
export async function putRates(ctx: Ctx, rates: readonly RateRow[]): Promise<'success'> {
  const known = [...USUAL_RATES, ...(await ratesOf(ctx))];
  const fresh = rates.filter(
    (one) =>
      !known.some(
        (other) =>
          other.country === one.country && other.validFrom === one.validFrom && Number(other.rate) === Number(one.rate),
      ),
  );
  if (fresh.length > 0) {
    await ctx.db
      .insertInto('vat.rate')
      .values(
        fresh.map((one) => ({
          company_id: ctx.companyId,
          country: one.country,
          rate: one.rate,
          valid_from: one.validFrom,
          created_by_name: ctx.userName,
        })),
      )
      .execute();
  }
  await audit(ctx, { action: '新增VAT税率', resource: RESOURCE, after: { rates: fresh } });
  return 'success';
}
