import { defineModule } from '#kit/server/module.ts';

export default defineModule({ name: 'approval', title: '审批', needs: ['identity', 'system', 'message'] });
