import type { ImportKind } from '../../contract/imports.ts';
import type { ImportDef } from './kind.ts';
import { bomImport } from './kinds/bom.ts';
import { consumableImport } from './kinds/consumable.ts';
import { customsImport } from './kinds/customs.ts';
import { matchImport } from './kinds/match.ts';
import { priceImport } from './kinds/price.ts';
import { productImport } from './kinds/product.ts';
import { supplierImport } from './kinds/supplier.ts';

/** Everything that can be imported. */
export const importKinds: Readonly<Record<ImportKind, ImportDef>> = {
  product: productImport,
  price: priceImport,
  bom: bomImport,
  consumable: consumableImport,
  customs: customsImport,
  skuMatch: matchImport,
  supplier: supplierImport,
};
