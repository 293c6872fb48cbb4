import { on } from '#kit/server/events.ts';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { salesVelocity } from '#modules/inventory/server/index.ts';
import { ordersTouched } from '#modules/order/server/index.ts';
import { auditJob } from './server/audit.ts';
import { foldJob } from './server/fold.ts';
import { markTouched } from './server/mark.ts';
import { salesOf30Days } from './server/read.ts';

export default defineModule({
  name: 'sales',
  title: '销售汇总',
  needs: ['identity', 'system', 'marketplace', 'order', 'inventory'],
  jobs: [foldJob, auditJob],
  crons: [{ pattern: '10 18 * * *', job: 'sales.audit' }],
  extensions: [extend(salesVelocity, salesOf30Days)],
  on: [on(ordersTouched, markTouched)],
});
