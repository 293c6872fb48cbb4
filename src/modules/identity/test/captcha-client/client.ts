// A client written from the description of the protocol alone: it shares no code with the product.
import { createCipheriv } from 'node:crypto';

interface Challenge {
  token: string;
  secretKey: string;
  originalImageBase64: string;
  jigsawImageBase64: string;
  wordList: string[];
}

export interface Rep<T> {
  code: number;
  repCode: string;
  repMsg: string | null;
  repData: T | null;
  data: { repCode: string; repMsg: string | null; repData: T | null };
}

/** Sends a body to an address of the server and returns the parsed answer. */
export type Post = (path: string, body: object) => Promise<unknown>;

/** AES-128-ECB, PKCS#7, Base64. */
export function aes(plain: string, key: string): string {
  const cipher = createCipheriv('aes-128-ecb', key, null);
  return cipher.update(plain, 'utf8', 'base64') + cipher.final('base64');
}

export async function getCaptcha(post: Post, captchaType: string): Promise<Challenge> {
  const answer = (await post('/auth/captcha/get', { captchaType, ts: Date.now() })) as Rep<Challenge>;
  if (answer.repCode !== '0000' || !answer.repData) throw new Error(`${answer.repCode} ${answer.repMsg ?? ''}`);
  return answer.repData;
}

export async function checkCaptcha(post: Post, captchaType: string, challenge: Challenge, plain: string) {
  const pointJson = aes(plain, challenge.secretKey);
  return (await post('/auth/captcha/check', { captchaType, pointJson, token: challenge.token })) as Rep<{
    captchaType: string;
    token: string;
    result: boolean;
  }>;
}

/** What the log-in carries as its proof. */
export function proofOf(challenge: Challenge, plain: string): string {
  return aes(`${challenge.token}---${plain}`, challenge.secretKey);
}
