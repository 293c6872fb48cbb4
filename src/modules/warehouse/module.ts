import { defineModule } from '#kit/server/module.ts';

export default defineModule({
  name: 'warehouse',
  title: '仓库',
  needs: ['identity', 'system', 'message', 'marketplace', 'product'],
});
