import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base } from './shared.ts';

/** What the frame of the page must know of the installation. */
export const shellSettings = endpoint({
  title: '框架设置',
  method: 'GET',
  path: `${base}/shell`,
  permission: 'login',
  concurrent: true,
  reply: z.object({
    /** Where 返回旧系统 leads; null hides it. */
    oldSystem: z.string().nullable(),
    /** Hosts whose pages may be shown inside a tab. */
    frameHosts: z.array(z.string()),
  }),
});
