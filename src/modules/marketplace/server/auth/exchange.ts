import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { exchangeCode, type LwaClient, LwaRefused, type Tokens } from '../api/lwa.ts';
import { giveBack } from './state.ts';

const EXCHANGE_TRIES = 4;

export interface Exchange {
  /** The nonce, which is given back where the endpoint stays silent. */
  state: string;
  code: string;
  redirectUri?: string;
}

export type LastingTokens = Tokens & { refreshToken: string };

/**
 * Exchanges the one-time code, with a few tries while the token endpoint has trouble; where that lasts, the state is
 * given back, so that reloading the result page can go on. @throws AppError B0306, B0307, B0308
 */
export async function tokensFor(runtime: Runtime, client: LwaClient, input: Exchange): Promise<LastingTokens> {
  for (let tries = 1; ; tries += 1) {
    try {
      const tokens = await exchangeCode(client, input.code, input.redirectUri);
      const { refreshToken } = tokens;
      if (!refreshToken) throw refused('授权失败：没有取得长期令牌', 'B0307');
      return { ...tokens, refreshToken };
    } catch (error) {
      if (error instanceof LwaRefused) {
        throw refused('授权失败，请重试，重试时必须在店铺所在的网络环境中操作', 'B0306');
      }
      if (error instanceof AppError) throw error;
      if (tries === EXCHANGE_TRIES) {
        runtime.log.warn({ err: error }, 'code exchange failed');
        await giveBack(runtime, input.state);
        throw refused('亚马逊授权服务暂时没有响应，请稍后刷新本页重试', 'B0308');
      }
      await sleep(runtime.config.retryBaseMs * tries * Math.random());
    }
  }
}
