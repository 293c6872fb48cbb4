import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { handovers, usageKinds } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { searchProviders, tagUsers } from '#modules/system/server/index.ts';
import { BrandRow, CategoryRow, ModelRow } from './contract/catalogue.ts';
import { CUSTOMS_APPROVE, CUSTOMS_EDIT, CUSTOMS_EXPORT, CUSTOMS_VIEW, DeclaredRow } from './contract/customs-value.ts';
import { ImportRow, tableImport } from './contract/imports.ts';
import { InquiryRow, inquiryDocument } from './contract/inquiry.ts';
import { MatchRow } from './contract/match.ts';
import { SuggestRow } from './contract/match-suggest.ts';
import { ConsumableRow, PackageRow, ProductRow } from './contract/material.ts';
import { CostRow, costImport } from './contract.ts';
import { productSearch } from './server/catalogue/search.ts';
import { autoMatchTask, matchSchedules, suggestNight, suggestTask } from './server/match/jobs.ts';
import { productMoves } from './server/moves.ts';
import { ownedProducts, productTags } from './server/people-uses.ts';
import { routes } from './server/routes.ts';
import { productUsage } from './server/usage.ts';

const VIEW = 'erp:product:view';

/** A screen of the menu. */
function screen(title: string, path: string, component: string, sort: number, permission = VIEW) {
  return { title, path, component: `product/${component}`, permission, sort };
}

export default defineModule({
  name: 'product',
  title: '产品',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'supplier'],
  permissions: {
    'erp:product:view': '查看产品',
    'erp:product:edit': '修改产品',
    'erp:product:field:cost': '查看和修改产品成本',
    'erp:product:import': '导入产品资料',
    'erp:product:export': '导出产品资料',
    'erp:product:void': '停用与恢复产品',
    'erp:price:view': '查看供应商报价',
    'erp:price:edit': '修改供应商报价',
    [CUSTOMS_VIEW]: '查看海关报价',
    [CUSTOMS_EDIT]: '修改申报比例与锁定申报金额',
    [CUSTOMS_APPROVE]: '审批低于成本的申报',
    [CUSTOMS_EXPORT]: '导出海关报价',
    'fin:cost:view': '查看采购成本',
    'fin:cost:edit': '修改采购成本',
    'fin:cost:import': '导入采购成本',
    'fin:cost:export': '导出采购成本',
  },
  menu: {
    product: [
      {
        title: '产品资料',
        sort: 10,
        children: [
          screen('本地产品', '/erp/product/localproduct', 'ProductList', 10),
          screen('辅料', '/erp/material/consumable', 'ConsumableList', 20),
          screen('箱子', '/erp/material/package', 'PackageList', 30),
          screen('SKU配对', '/erp/baseinfo/skumatch', 'MatchList', 40),
          screen('型号', '/erp/baseinfo/models', 'ModelList', 50),
          screen('品类', '/erp/baseinfo/category', 'CategoryTree', 60),
          screen('品牌', '/erp/baseinfo/brand', 'BrandList', 70),
          screen('资料导入', tableImport.detail, 'ImportList', 80, 'erp:product:import'),
        ],
      },
      {
        title: '产品成本',
        sort: 20,
        children: [
          screen('采购成本', '/product/cost', 'CostList', 10, 'fin:cost:view'),
          screen('海关报价', '/amazon/product/customs', 'CustomsValue', 20, CUSTOMS_VIEW),
        ],
      },
    ],
    purchase: [
      {
        title: '询价',
        sort: 45,
        children: [screen('询价与报价', inquiryDocument.detail, 'InquiryList', 10, 'erp:price:view')],
      },
    ],
  },
  objects: {
    product: '产品',
    'product.brand': '品牌',
    'product.category': '品类',
    'product.model': '型号',
    'product.bom': '组合关系',
    'product.price': '供应商报价',
    'product.inquiry': '询价单',
    'product.match': 'SKU配对',
    'product.matchRule': '配对规则',
    'product.import': '资料导入',
    'product.declared': '海关报价',
    'product.declaredRate': '申报比例',
    'product.cost': '采购成本',
  },
  routes,
  lists: {
    'product/cost': CostRow,
    'product/list': ProductRow,
    'product/consumable': ConsumableRow,
    'product/package': PackageRow,
    'product/match': MatchRow,
    'product/matchSuggestions': SuggestRow,
    'product/customs': DeclaredRow,
    'product/brand': BrandRow,
    'product/category': CategoryRow,
    'product/model': ModelRow,
    'product/inquiry': InquiryRow,
    'product/imports': ImportRow,
  },
  documents: [costImport, tableImport, inquiryDocument],
  tasks: [autoMatchTask, suggestTask],
  jobs: [suggestNight],
  crons: [{ pattern: '10 18 * * *', job: suggestNight.name }],
  extensions: [
    ...productMoves,
    ...matchSchedules,
    documentRoute({ documentType: costImport.name, title: '采购成本', path: () => '/product/cost' }),
    documentRoute({ documentType: tableImport.name, title: '资料导入', path: () => tableImport.detail }),
    documentRoute({
      documentType: inquiryDocument.name,
      title: inquiryDocument.title,
      path: (id) => `${inquiryDocument.detail}?id=${id}`,
    }),
    extend(searchProviders, productSearch),
    extend(tagUsers, productTags),
    extend(handovers, ownedProducts),
    extend(usageKinds, productUsage),
  ],
});
