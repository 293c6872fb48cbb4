import { defineModule } from '#kit/server/module.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { ScoreRow } from './contract/grading.ts';
import { SupplierRow, supplierDocument } from './contract.ts';
import { gradingExtensions } from './server/grading/schedule.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'supplier',
  title: '供应商',
  needs: ['identity', 'system', 'message'],
  permissions: {
    'erp:supplier:view': '查看供应商',
    'erp:supplier:edit': '修改供应商',
    'erp:supplier:field:bank': '供应商收款账户',
    'erp:grade:edit': '供应商评级与黑名单',
  },
  menu: {
    purchase: [
      {
        title: '供应商',
        sort: 40,
        children: [
          {
            title: '供应商',
            path: '/erp/baseinfo/supplier',
            component: 'supplier/SupplierList',
            permission: 'erp:supplier:view',
            sort: 10,
          },
        ],
      },
    ],
  },
  objects: {
    supplier: '供应商',
    'supplier.grading': '供应商评级',
  },
  routes,
  lists: { 'supplier/list': SupplierRow, 'supplier/scores': ScoreRow },
  documents: [supplierDocument],
  extensions: [
    documentRoute({
      documentType: supplierDocument.name,
      title: '供应商',
      path: (id) => `/erp/baseinfo/supplier?id=${id}`,
    }),
    ...gradingExtensions,
  ],
});
