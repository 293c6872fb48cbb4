import { defineModule } from '#kit/server/module.ts';
import { routes } from './server/routes.ts';
import { eraseJob } from './server/self/closure.ts';

export default defineModule({
  name: 'identity',
  title: '身份',
  needs: [],
  routes,
  jobs: [eraseJob],
  crons: [{ pattern: '20 18 * * *', job: 'identity.erase' }],
});
