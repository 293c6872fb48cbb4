import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/localproduct/addinfo', component: 'product/ProductEdit', title: '新增产品', keepAlive: true },
  { path: '/localproduct/editinfo', component: 'product/ProductEdit', title: '编辑产品', keepAlive: true },
  { path: '/localproduct/editinfo_v2', component: 'product/ProductEdit', title: '编辑产品', keepAlive: true },
  { path: '/material/details', component: 'product/ProductDetails', title: '产品详情', keepAlive: true },
  { path: '/material/details_old', component: 'product/ProductDetails', title: '产品详情', keepAlive: true },
  { path: '/material/photoupload', component: 'product/PhotoUpload', title: '图片上传' },
  { path: '/amazon/listing/relation', component: 'product/MatchList', title: 'SKU配对', keepAlive: true },
];
