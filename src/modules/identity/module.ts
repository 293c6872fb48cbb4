import { defineModule } from '#kit/server/module.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'identity',
  title: '身份',
  needs: [],
  routes,
});
