import type { AdsConfig } from '#kit/server/config.ts';
import { refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { LwaClient } from '../api/lwa.ts';

/** The configured advertising API; refuses in words where none is. */
export function adsConfigOf(runtime: Pick<Runtime, 'config'>): AdsConfig {
  const ads = runtime.config.marketplace?.ads;
  if (!ads) throw refused('尚未配置亚马逊广告接口地址，请联系管理员', 'B0330');
  return ads;
}

/** The application registered for advertising, at its token endpoint. */
export function adsClientOf(runtime: Pick<Runtime, 'config'>): LwaClient {
  const { tokenUrl, clientId, clientSecret } = adsConfigOf(runtime);
  return { tokenUrl, clientId, clientSecret };
}

/** Where the consent page sends the browser back to; the code's exchange must name the same address. */
export function adsReturnAddress(runtime: Pick<Runtime, 'config'>): string {
  return `${runtime.config.publicUrl}/advresult`;
}
