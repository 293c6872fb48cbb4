import { defineModule } from '#kit/server/module.ts';

export default defineModule({ name: 'marketplace', title: '平台连接', needs: ['identity', 'system'] });
