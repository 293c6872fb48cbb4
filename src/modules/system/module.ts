import { defineModule } from '#kit/server/module.ts';
import { queryFieldRoutes } from './server/query-fields.ts';
import { taskRoutes } from './server/tasks.ts';

export default defineModule({
  name: 'system',
  title: '系统',
  needs: ['identity'],
  routes: [...queryFieldRoutes, ...taskRoutes],
});
