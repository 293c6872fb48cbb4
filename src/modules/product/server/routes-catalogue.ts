import { type AnyRoute, serve, serveOpen, servePublic } from '#kit/server/http/serve.ts';
import * as catalogue from '../contract/catalogue.ts';
import * as material from '../contract/material.ts';
import * as parts from '../contract/parts.ts';
import { removeUnused, restore, takeOffline, updateMany } from './catalogue/batch.ts';
import { explode, saveBomVersion, usersOf } from './catalogue/bom.ts';
import { brandPage, deleteBrandRow, mergeBrandRows, saveBrandRow } from './catalogue/brands.ts';
import {
  categoryTree,
  deleteCategoryRow,
  mergeCategoryRows,
  moveCategoryRow,
  saveCategoryRow,
} from './catalogue/categories.ts';
import { choicesOf, find } from './catalogue/choices.ts';
import { productDetailOf } from './catalogue/detail.ts';
import { historyOf } from './catalogue/history.ts';
import { productLabels } from './catalogue/labels.ts';
import { productCounts, productFile, productPage } from './catalogue/list.ts';
import { changeMedia, servePicture, takePhoto } from './catalogue/media.ts';
import { buildModelSkus, deleteModelRow, modelPage, saveModelRow } from './catalogue/models.ts';
import { takePhotos } from './catalogue/photos-zip.ts';
import { priceLists, priceOf, savePriceList, suppliesOf } from './catalogue/prices.ts';
import { saveProductRow } from './catalogue/save.ts';
import { consumablePage, packagePage } from './catalogue/simple.ts';
import { tabsOf } from './catalogue/tabs.ts';
import { stockOf } from './catalogue/usage.ts';

const success = async (work: Promise<unknown>) => {
  await work;
  return 'success' as const;
};

export const catalogueRoutes: AnyRoute[] = [
  serve(catalogue.listBrands, (ctx, { body }) => brandPage(ctx, body)),
  serve(catalogue.saveBrand, (ctx, { body }) => saveBrandRow(ctx, body)),
  serve(catalogue.deleteBrand, (ctx, { body }) => success(deleteBrandRow(ctx, body.id))),
  serve(catalogue.mergeBrands, (ctx, { body }) => mergeBrandRows(ctx, body.from, body.to)),
  serve(catalogue.listCategories, (ctx, { body }) => categoryTree(ctx, body)),
  serve(catalogue.saveCategory, (ctx, { body }) => saveCategoryRow(ctx, body)),
  serve(catalogue.deleteCategory, (ctx, { body }) => success(deleteCategoryRow(ctx, body.id))),
  serve(catalogue.mergeCategories, (ctx, { body }) => mergeCategoryRows(ctx, body.from, body.to)),
  serve(catalogue.moveCategory, (ctx, { body }) => success(moveCategoryRow(ctx, body))),
  serve(catalogue.listModels, (ctx, { body }) => modelPage(ctx, body)),
  serve(catalogue.saveModel, (ctx, { body }) => saveModelRow(ctx, body)),
  serve(catalogue.deleteModel, (ctx, { body }) => success(deleteModelRow(ctx, body.id))),
  serve(catalogue.buildModel, (ctx, { body }) => buildModelSkus(ctx, body.id)),
  serve(catalogue.productOptions, (ctx) => choicesOf(ctx)),
  serve(material.listProducts, (ctx, { body }) => productPage(ctx, body)),
  serve(material.countProducts, (ctx, { body }) => productCounts(ctx, body.filter)),
  serveOpen(material.exportProducts, (open, { body }) => productFile(open, body)),
  serve(material.saveProduct, (ctx, { body }) => saveProductRow(ctx, body)),
  serve(material.saveConsumable, (ctx, { body }) => saveProductRow(ctx, { ...body, kind: 'consumable' })),
  serve(material.savePackage, (ctx, { body }) => saveProductRow(ctx, { ...body, kind: 'package' })),
  serve(material.deleteConsumable, (ctx, { body }) => success(removeUnused(ctx, body.id))),
  serve(material.deletePackage, (ctx, { body }) => success(removeUnused(ctx, body.id))),
  serve(material.listConsumables, (ctx, { body }) => consumablePage(ctx, body)),
  serve(material.listPackages, (ctx, { body }) => packagePage(ctx, body)),
  serve(material.productDetail, (ctx, { params }) => productDetailOf(ctx, params.id)),
  serve(material.productHistory, (ctx, { params }) => historyOf(ctx, params.id)),
  serve(material.productStock, (ctx, { params }) => stockOf(ctx, params.id)),
  serve(material.productTabs, (ctx, { params }) => tabsOf(ctx, params.id)),
  serve(material.batchUpdate, (ctx, { body }) => updateMany(ctx, body)),
  serve(material.offlineProducts, (ctx, { body }) => takeOffline(ctx, body.ids)),
  serve(material.restoreProducts, (ctx, { body }) => restore(ctx, body.ids)),
  serve(parts.printProductLabels, (ctx, { body }) => productLabels(ctx, body)),
  serve(material.findProducts, (ctx, { body }) => find(ctx, body)),
  serve(parts.productTiers, (ctx, { params }) => suppliesOf(ctx, params.id)),
  serve(parts.priceHistory, (ctx, { body }) => priceLists(ctx, body.productId, body.supplierId)),
  serve(parts.savePrices, (ctx, { body }) => savePriceList(ctx, body)),
  serve(parts.quotePrice, (ctx, { body }) => priceOf(ctx, body.productId, body.supplierId, body.qty)),
  serve(parts.saveBom, (ctx, { body }) => saveBomVersion(ctx, body)),
  serve(parts.explodeBom, (ctx, { body }) => explode(ctx, body.productId, body.qty)),
  serve(parts.whereUsed, (ctx, { body }) => usersOf(ctx, body.productId)),
  serveOpen(parts.uploadPhoto, (open, { body }) => takePhoto(open, body)),
  serveOpen(parts.uploadPhotos, (open) => takePhotos(open)),
  serve(parts.changePhoto, (ctx, { body }) => changeMedia(ctx, body)),
  servePublic(parts.readPhoto, (open, { params }) => servePicture(open, params.company, params.key)),
];
