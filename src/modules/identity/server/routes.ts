import { notFound, refused } from '#kit/server/errors.ts';
import { type AnyRoute, serve, servePublic, TopLevel } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { normalised } from '../contract/account.ts';
import { cleanUserCache, menuRoute } from '../contract/menus.ts';
import { captchaCheck, captchaGet, login, logout } from '../contract/session.ts';
import { checkAdminByCompanyId, userInfo } from '../contract/users.ts';
import { bindRoutes } from './bind/routes.ts';
import { captchaOf } from './captcha-service.ts';
import { codeRoutes } from './codes/routes.ts';
import { failuresOf } from './lockout.ts';
import { captchaProof, logIn } from './login.ts';
import { menuFor } from './menu.ts';
import { menuOverlays } from './menu-overlay.ts';
import { mfaRoutes } from './mfa/routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { organisationRoutes } from './organisation/routes.ts';
import { registrationRoutes } from './registration/routes.ts';
import { onDevice } from './security/new-device.ts';
import { securityRoutes } from './security/routes.ts';
import { imageAddress } from './self/avatar.ts';
import { selfRoutes } from './self/routes.ts';
import { closeSession } from './sessions.ts';
import { ssoRoutes } from './sso/routes.ts';
import { wechatRoutes } from './wechat/routes.ts';

const getCaptcha = servePublic(
  captchaGet,
  async (ctx, { body }) => new TopLevel(await captchaOf(ctx.runtime).get(body.captchaType, ctx.ip)),
);

const checkCaptcha = servePublic(
  captchaCheck,
  async (ctx, { body }) =>
    new TopLevel(await captchaOf(ctx.runtime).check(body.captchaType, body.pointJson, body.token, ctx.ip)),
);

/** Failures after which the slider no longer suffices. */
const ESCALATE_AFTER = 3;

const postLogin = servePublic(login, async (ctx, { body }) => {
  if (ctx.runtime.config.captcha) {
    const proof = captchaProof(body.verifition);
    if (!proof) throw refused('请先完成安全验证', 'B0106');
    const outcome = await captchaOf(ctx.runtime).verify(proof);
    if (!outcome.ok) throw refused('验证码已失效，请重新获取', 'B0107');
    const { count } = await inSystem(ctx.runtime, (db) => failuresOf(db, normalised(body.account)));
    if (count >= ESCALATE_AFTER && outcome.type === 'blockPuzzle') {
      throw refused('请先完成安全验证', 'B0108', { captchaType: 'clickWord' });
    }
  }
  return onDevice(ctx, (device) => logIn(ctx, body, device));
});

const getLogout = serve(logout, async (ctx) => {
  if (ctx.sessionId) await closeSession(ctx, ctx.sessionId, '已退出登录');
  return 'success' as const;
});

const getMenu = serve(menuRoute, async (ctx) =>
  menuFor(ctx.runtime.modules, ctx.permissions ?? ctx.runtime.codes, await menuOverlays(ctx.runtime), ctx.clock.zone),
);

const cleanCache = serve(cleanUserCache, async () => 'success' as const);

const getInfo = serve(userInfo, async (ctx) => {
  const row = await ctx.db
    .selectFrom('identity.member as m')
    .innerJoin('identity.company as c', 'c.company_id', 'm.company_id')
    .select(['m.id', 'm.name', 'm.account', 'm.email', 'm.tel', 'm.user_type', 'm.image_file_id', 'c.name as company'])
    .where('m.company_id', '=', ctx.companyId)
    .where('m.id', '=', ctx.userId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return {
    id: row.id,
    name: row.name,
    image: imageAddress(row.image_file_id),
    company: row.company,
    account: row.account,
    usertype: row.user_type as 'owner',
    email: row.email,
    tel: row.tel,
    userinfo: { name: row.name, companyname: encodeURIComponent(row.company) },
  };
});

const isAdmin = serve(checkAdminByCompanyId, async (ctx) => {
  const row = await ctx.db
    .selectFrom('identity.member')
    .select('user_type')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', ctx.userId)
    .executeTakeFirst();
  return row?.user_type === 'owner';
});

export const routes: AnyRoute[] = [
  getCaptcha,
  checkCaptcha,
  postLogin,
  getLogout,
  getMenu,
  cleanCache,
  getInfo,
  isAdmin,
  ...codeRoutes,
  ...registrationRoutes,
  ...bindRoutes,
  ...mfaRoutes,
  ...wechatRoutes,
  ...ssoRoutes,
  ...oauthRoutes,
  ...selfRoutes,
  ...organisationRoutes,
  ...operatorRoutes,
  ...securityRoutes,
];
