import type { Runtime } from '#kit/server/runtime.ts';
import { createCaptchaPool } from './captcha/pool.ts';
import { type CaptchaService, createCaptchaService } from './captcha/service.ts';
import { sqlCaptchaStore, sqlClientStore } from './captcha-store.ts';

const services = new WeakMap<Runtime, { service: CaptchaService; stop: () => void }>();

/** The captcha service of a process; pictures are drawn ahead in idle time. */
export function captchaOf(runtime: Runtime): CaptchaService {
  const known = services.get(runtime);
  if (known) return known.service;
  const pool = createCaptchaPool();
  const service = createCaptchaService({
    now: () => runtime.clock.ms(),
    store: sqlCaptchaStore(runtime),
    clients: sqlClientStore(runtime),
    pool,
  });
  services.set(runtime, { service, stop: () => pool.stop() });
  return service;
}

/** Stops drawing ahead. */
export function stopCaptcha(runtime: Runtime): void {
  services.get(runtime)?.stop();
  services.delete(runtime);
}
