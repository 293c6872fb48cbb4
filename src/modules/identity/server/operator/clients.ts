import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type ClientForm, ClientRow, GRANTS } from '../../contract/operator.ts';
import { discoveryOf } from '../oauth/issuer.ts';
import { changes } from '../organisation/changes.ts';

const RESOURCE = 'identity.oauth_client';

interface DbRow {
  id: string;
  client_id: string;
  name: string;
  scopes: string[];
  grants: string[];
  token_seconds: number;
  redirect_uris: string[];
  auto_approve: boolean;
  is_disabled: boolean;
  secret_changed_at: string;
  last_used_at: string | null;
  version: number;
}

const FIELDS = [
  'id',
  'client_id',
  'name',
  'scopes',
  'grants',
  'token_seconds',
  'redirect_uris',
  'auto_approve',
  'is_disabled',
  'secret_changed_at',
  'last_used_at',
  'version',
] as const;

function toRow(row: DbRow): ClientRow {
  const grants = row.grants as ClientRow['grants'];
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    state: row.is_disabled ? 'disabled' : 'active',
    scopes: row.scopes as ClientRow['scopes'],
    scopesText: row.scopes.join(' '),
    grants,
    grantsText: grants.map((grant) => GRANTS[grant]).join('、'),
    tokenSeconds: row.token_seconds,
    redirectUris: row.redirect_uris,
    redirectText: row.redirect_uris.join('、'),
    autoApprove: row.auto_approve,
    secretChangedAt: row.secret_changed_at,
    lastUsedAt: row.last_used_at,
    version: row.version,
  };
}

export function clientPage(
  ctx: Ctx,
  request: PageRequest<{ search?: string | undefined }>,
): Promise<PageOf<ClientRow>> {
  let query = ctx.db.selectFrom('identity.oauth_client').select(FIELDS).where('company_id', '=', ctx.companyId);
  if (request.filter.search) {
    const text = containing(request.filter.search);
    query = query.where((eb) => eb.or([eb('client_id', 'ilike', text), eb('name', 'ilike', text)]));
  }
  return page<DbRow, ClientRow>(ctx, request, {
    row: ClientRow,
    query: listQuery(query),
    sort: { clientId: 'client_id', name: 'name', secretChangedAt: 'secret_changed_at', lastUsedAt: 'last_used_at' },
    order: [['client_id', 'asc']],
    key: 'id',
    map: toRow,
  });
}

/** 256 bits need no slow hash: nobody guesses them. */
function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: createHash('sha256').update(secret).digest('hex') };
}

type Editable = Omit<ClientForm, 'clientId'>;

function valuesOf(form: Editable) {
  return {
    name: form.name,
    scopes: [...new Set(form.scopes)],
    grants: [...new Set(form.grants)],
    token_seconds: form.tokenSeconds,
    redirect_uris: [...new Set(form.redirectUris)],
    auto_approve: form.autoApprove,
    is_disabled: form.disabled,
  };
}

const optionsOf = (open: OpenCtx) => ({ requestId: open.requestId, ip: open.ip });

/** Adds a client; its secret is in the answer and nowhere else. */
export function insertClient(open: OpenCtx, { clientId, ...form }: ClientForm) {
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const { secret, hash } = newSecret();
      const row = await ctx.db
        .insertInto('identity.oauth_client')
        .values({ company_id: ctx.companyId, client_id: clientId, secret_hash: hash, ...valuesOf(form) })
        .onConflict((on) => on.columns(['company_id', 'client_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!row) throw refused('客户端ID已存在', 'B0186');
      await audit(ctx, { action: '新增客户端', resource: RESOURCE, resourceId: row.id, after: { clientId, ...form } });
      return { id: row.id, clientId, secret, discovery: discoveryOf(open.runtime.config) };
    },
    optionsOf(open),
  );
}

async function locked(ctx: Ctx, id: string): Promise<DbRow> {
  const row = await ctx.db
    .selectFrom('identity.oauth_client')
    .select(FIELDS)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** @throws AppError 409 where somebody else changed it since `version` was read */
export async function updateClient(
  ctx: Ctx,
  id: string,
  { version, ...form }: Editable & { version: number },
): Promise<void> {
  const row = await locked(ctx, id);
  if (row.version !== version) throw conflict();
  const values = valuesOf(form);
  await ctx.db
    .updateTable('identity.oauth_client')
    .set({ ...values, version: version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const diff = changes({ ...row }, values);
  await audit(ctx, { action: '修改客户端', resource: RESOURCE, resourceId: id, ...(diff ?? { after: {} }) });
}

export async function deleteClient(ctx: Ctx, id: string): Promise<void> {
  const row = await locked(ctx, id);
  await ctx.db
    .deleteFrom('identity.oauth_client')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '删除客户端', resource: RESOURCE, resourceId: id, before: { clientId: row.client_id } });
}

/** The old secret ends at once. */
export function rotate(open: OpenCtx, id: string) {
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const row = await locked(ctx, id);
      const { secret, hash } = newSecret();
      await ctx.db
        .updateTable('identity.oauth_client')
        .set({ secret_hash: hash, secret_changed_at: sql`kit.now()`, version: row.version + 1 })
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', id)
        .execute();
      await audit(ctx, {
        action: '轮换客户端密钥',
        resource: RESOURCE,
        resourceId: id,
        after: { clientId: row.client_id },
      });
      return { id, clientId: row.client_id, secret, discovery: discoveryOf(open.runtime.config) };
    },
    optionsOf(open),
  );
}
