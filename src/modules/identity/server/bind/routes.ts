import { notFound, refused } from '#kit/server/errors.ts';
import { type AnyRoute, type OpenCtx, serveOpen } from '#kit/server/http/serve.ts';
import { normalised } from '../../contract/account.ts';
import {
  bindAccount,
  changeLogin,
  changeLoginGet,
  findBindList,
  getBindId,
  openidBind,
  unbindAccount,
  unbindAccountGet,
} from '../../contract/bind.ts';
import { across, callerOf } from '../act.ts';
import { enter } from '../enter.ts';
import { proveAccount } from '../login.ts';
import { memberById, obstacleOf } from '../members.ts';
import { retireSession } from '../sessions.ts';
import { accountsOf, type Bound, bindTo, boundAccount, ensureGroup, groupOf, release } from './groups.ts';

const list = serveOpen(findBindList, async (ctx) =>
  across(ctx, async ({ db, me }) => {
    const groupId = await groupOf(db, me);
    const accounts = groupId ? await accountsOf(db, groupId) : [];
    return accounts.map((each) => ({
      id: each.id,
      account: each.account,
      name: each.name,
      companyname: each.company,
      // Pictures belong to a company: only that of the own one can be read.
      image: each.company_id === me.company_id ? each.image_file_id : null,
      userinfo: { name: each.name, companyname: encodeURIComponent(each.company) },
      lastloginsession: each.group_id,
      lastloginip: each.app_type,
      isactive: each.id === me.id,
    }));
  }),
);

const bindId = serveOpen(getBindId, async (ctx) =>
  across(ctx, async ({ db, me, record }) => {
    const known = await groupOf(db, me);
    if (known) return known;
    await record({ action: '建立账号绑定', resource: 'identity.bind', resourceId: me.id });
    return ensureGroup(db, me, 'web');
  }),
);

interface BindInput {
  openid?: string | undefined;
  appType: string;
  account: string;
  password: string;
}

/** The password proves that the other account is the caller's too; guessing counts towards its locks. */
async function bind(ctx: OpenCtx, input: BindInput) {
  const self = await across(ctx, async ({ db, me }) => ({ me, groupId: await groupOf(db, me) }));
  if (input.openid !== undefined && input.openid !== self.groupId) throw notFound();
  if (normalised(input.account) === self.me.account) throw refused('不能绑定当前账号', 'B0131');
  const other = await proveAccount(callerOf(ctx), input);
  const obstacle = obstacleOf(other);
  if (obstacle) throw obstacle;
  return across(ctx, async ({ db, me, record }) => {
    await bindTo(db, me, other, input.appType);
    const entry = { action: '绑定账号', resource: 'identity.bind' };
    await record({ ...entry, resourceId: other.id, after: { account: other.account, company: other.company_name } });
    await record({ ...entry, resourceId: me.id, after: { account: me.account } }, other.company_id);
    return { id: other.id, account: other.account, name: other.name, companyname: other.company_name };
  });
}

async function unbind(ctx: OpenCtx, { id }: { id: string }) {
  return across(ctx, async ({ db, me, record }) => {
    const bound = await boundAccount(db, me, id);
    await release(db, bound, bound.group_id);
    const entry = { action: '解绑账号', resource: 'identity.bind', resourceId: bound.id };
    await record({ ...entry, before: { account: bound.account } });
    if (bound.company_id !== me.company_id)
      await record({ ...entry, before: { account: bound.account } }, bound.company_id);
    return 'success' as const;
  });
}

interface SwitchInput {
  openid: string;
  account: string;
  appType: string;
  jsessionid: string;
}

async function targetOf(ctx: OpenCtx, input: SwitchInput): Promise<Bound> {
  return across(ctx, async ({ db, me }) => {
    if ((await groupOf(db, me)) !== input.openid) throw notFound();
    const account = normalised(input.account);
    const bound = (await accountsOf(db, input.openid)).find((each) => each.account === account);
    if (!bound) throw notFound();
    if (bound.id === me.id) throw refused('已是当前账号', 'B0133');
    return bound;
  });
}

/**
 * Opens a session of another account of the caller's group; the old one answers for ten more seconds. The session in
 * the address must be the one that asks: an id that was only read somewhere is worth nothing here.
 */
async function change(ctx: OpenCtx, input: SwitchInput) {
  if (input.jsessionid !== ctx.session) throw refused('登录状态已变化，请刷新后重试', 'B0134');
  const bound = await targetOf(ctx, input);
  const { runtime } = ctx;
  const member = await runtime.connections.system((db) => memberById(db, bound.company_id, bound.id));
  if (!member) throw notFound();
  const { session } = await enter(callerOf(ctx), member, { loginType: 'api' });
  await across(ctx, async ({ db, me, record }) => {
    await record({
      action: '切换账号',
      resource: 'identity.bind',
      resourceId: bound.id,
      after: { account: bound.account },
    });
    if (ctx.principal.sessionId) await retireSession(db, me.company_id, ctx.principal.sessionId, '已切换到其他账号');
  });
  return {
    jsessionid: session,
    currentuser: { id: bound.id, account: bound.account, name: bound.name, companyname: bound.company },
  };
}

export const bindRoutes: AnyRoute[] = [
  list,
  bindId,
  serveOpen(openidBind, async (ctx, { query }) => bind(ctx, query)),
  serveOpen(bindAccount, async (ctx, { body }) => bind(ctx, body)),
  serveOpen(unbindAccountGet, async (ctx, { query }) => unbind(ctx, query)),
  serveOpen(unbindAccount, async (ctx, { body }) => unbind(ctx, body)),
  serveOpen(changeLoginGet, async (ctx, { query }) => change(ctx, query)),
  serveOpen(changeLogin, async (ctx, { body }) => change(ctx, body)),
];
