import { defineModule } from '#kit/server/module.ts';

export default defineModule({
  name: 'finance',
  title: '财务',
  needs: ['identity', 'system', 'message', 'supplier'],
});
