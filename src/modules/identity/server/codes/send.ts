import { sql } from 'kysely';
import { refused } from '#kit/server/errors.ts';
import { deliver } from '#kit/server/messaging/deliver.ts';
import type { Channel } from '#kit/server/messaging/message.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import { captchaOf } from '../captcha-service.ts';
import { isSuspicious, refuseTooMany } from './limits.ts';
import { codeHash, keyHash, newCode, newKey } from './secret.ts';
import { CODE_MINUTES, codeMessage, type Purpose } from './wording.ts';

export interface CodeRequest {
  channel: Channel;
  /** Phone or e-mail, in any spelling that the log-in accepts. */
  target: string;
  purpose: Purpose;
  /** Address of the caller. */
  ip: string;
  /** The proof of a passed captcha, which an address that asked for many codes has to bring. */
  captcha?: string | undefined;
  /**
   * Set where nobody may learn whether an account stands behind the target: with false nothing is sent, and either way
   * the answer does not wait for the delivery.
   */
  known?: boolean;
}

async function refuseSuspicious(runtime: Runtime, { ip, captcha }: CodeRequest): Promise<void> {
  if (!runtime.config.captcha) return;
  if (!(await inSystem(runtime, (db) => isSuspicious(db, ip), { readOnly: true }))) return;
  if (!captcha) throw refused('请先完成安全验证', 'B0106');
  const { ok } = await captchaOf(runtime).verify(captcha);
  if (!ok) throw refused('验证码已失效，请重新获取', 'B0107');
}

/**
 * Sends six digits that are good for five minutes and returns the key under which they are checked. Refuses with 429 a
 * target that asks again within 60 s, more than 5 times an hour or 10 times a day; an address with 20 within an hour has
 * to pass the captcha first (B0106).
 */
export async function sendCode(runtime: Runtime, request: CodeRequest): Promise<string> {
  await refuseSuspicious(runtime, request);
  const { channel, purpose, known } = request;
  const target = normalised(request.target);
  const key = newKey();
  const code = newCode();
  await inSystem(runtime, async (db) => {
    await refuseTooMany(db, target);
    await db
      .insertInto('identity.verify_code')
      .values({
        key_hash: keyHash(key),
        channel,
        target,
        purpose,
        code_hash: codeHash(key, code),
        ip: request.ip,
        expires_at: sql`kit.instant() + make_interval(mins => ${CODE_MINUTES})`,
      })
      .execute();
  });
  const delivery = known === false ? Promise.resolve() : deliver(runtime, codeMessage(channel, target, purpose, code));
  const outcome = delivery.catch((error: unknown) => {
    runtime.log.warn({ err: error, channel, purpose }, 'a code could not be delivered');
    if (known === undefined) throw refused('验证码发送失败，请稍后再试', 'B0112');
  });
  if (known === undefined) await outcome;
  return key;
}
