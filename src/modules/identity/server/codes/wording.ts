import type { Channel, Message } from '#kit/server/messaging/message.ts';

/** What a code may be good for; one sent for one purpose is worth nothing for another. */
export const PURPOSES = {
  register: '注册账号',
  losepassword: '重置密码',
  changephone: '更换账号',
  activeEmail: '激活邮箱',
  closeaccount: '注销账号',
  mergeaccount: '迁移账号',
} as const;
export type Purpose = keyof typeof PURPOSES;

export const CODE_MINUTES = 5;

/** The message that carries a code; the same words by SMS and by mail. */
export function codeMessage(channel: Channel, target: string, purpose: Purpose, code: string): Message {
  const text = `您正在${PURPOSES[purpose]}，验证码 ${code}，${CODE_MINUTES}分钟内有效。如非本人操作请忽略，切勿告诉他人。`;
  return {
    channel,
    target,
    purpose,
    text,
    ...(channel === 'email' ? { subject: `跨境电商 ERP：${PURPOSES[purpose]}验证码` } : {}),
    params: [code, String(CODE_MINUTES)],
  };
}
