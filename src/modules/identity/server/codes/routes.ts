import { type AnyRoute, type PublicCtx, servePublic } from '#kit/server/http/serve.ts';
import type { Channel } from '#kit/server/messaging/message.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import { getEmailCode, getSmsCode, smsCheckCode, smsGetCode, verifySmsCode } from '../../contract/codes.ts';
import { verifyCode } from './check.ts';
import { sendCode } from './send.ts';
import type { Purpose } from './wording.ts';

async function isAccount(ctx: PublicCtx, target: string): Promise<boolean> {
  const row = await inSystem(ctx.runtime, (db) =>
    db
      .selectFrom('identity.member')
      .select('id')
      .where('account', '=', normalised(target))
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
  return row !== undefined;
}

interface Asked {
  ftype: Purpose;
  captchaVerification?: string | undefined;
}

/** Only an account can have lost its password; whether there is one must not show. */
async function send(ctx: PublicCtx, channel: Channel, target: string, asked: Asked): Promise<string> {
  const hidden = asked.ftype === 'losepassword' ? { known: await isAccount(ctx, target) } : {};
  const captcha = asked.captchaVerification;
  return sendCode(ctx.runtime, { channel, target, purpose: asked.ftype, ip: ctx.ip, captcha, ...hidden });
}

async function check(ctx: PublicCtx, attempt: { key: string; code: string }): Promise<'success'> {
  await verifyCode(ctx.runtime, attempt);
  return 'success';
}

export const codeRoutes: AnyRoute[] = [
  servePublic(getSmsCode, (ctx, { query }) => send(ctx, 'sms', query.mobile, query)),
  servePublic(smsGetCode, (ctx, { query }) => send(ctx, 'sms', query.mobile, query)),
  servePublic(getEmailCode, (ctx, { query }) => send(ctx, 'email', query.email, query)),
  servePublic(smsCheckCode, (ctx, { query }) => check(ctx, query)),
  servePublic(verifySmsCode, (ctx, { query }) => check(ctx, query)),
];
