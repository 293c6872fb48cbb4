import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { shellSettings } from '../contract/shell.ts';

export const shellRoutes: AnyRoute[] = [
  serve(shellSettings, async ({ runtime: { config } }) => ({
    oldSystem: config.oldSystemUrl ?? null,
    frameHosts: [...config.frameHosts],
  })),
];
