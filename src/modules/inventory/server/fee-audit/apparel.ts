/** Clothes have fees of their own, which shoes, bags and jewellery have not. */
const APPAREL =
  /APPAREL|CLOTH|SHIRT|DRESS|PANTS|SWEATER|SWEATSHIRT|SKIRT|SHORTS|COAT|UNDERWEAR|BRA$|SOCKS|SUIT$|SWIMWEAR/;

/** Whether goods of a product type of Amazon's ("SHIRT") are clothes. */
export const isApparel = (productType: string): boolean => APPAREL.test(productType.toUpperCase());
