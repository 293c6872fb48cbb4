/**
 * Column titles in the seller's language, as listing and inventory reports carry them when no report locale is asked
 * for. A column without an entry keeps its English name, which is also what the real files do.
 */
const titles: Record<string, Record<string, string>> = {
  de: {
    'item-name': 'Artikelbezeichnung',
    'item-description': 'Artikelbeschreibung',
    'listing-id': 'Angebotsnummer',
    'seller-sku': 'Händler-SKU',
    price: 'Preis',
    quantity: 'Menge',
    'open-date': 'Erstellungsdatum',
    'image-url': 'Bild-URL',
    'item-is-marketplace': 'Artikel ist Marketplace-Angebot',
    'product-id-type': 'Produkt-ID-Typ',
    'item-note': 'Anmerkung zum Artikel',
    'item-condition': 'Artikelzustand',
    'will-ship-internationally': 'Internationaler Versand',
    'expedited-shipping': 'Expressversand',
    'product-id': 'Produkt-ID',
    'add-delete': 'Hinzufügen-Löschen',
    'pending-quantity': 'Anzahl Bestellungen',
    'fulfillment-channel': 'Versender',
    status: 'Status',
    'product-name': 'Produktname',
    condition: 'Zustand',
    'your-price': 'Ihr Preis',
  },
  fr: {
    'item-name': "nom de l'article",
    'item-description': "description de l'article",
    'listing-id': "numéro de l'offre",
    'seller-sku': 'sku-vendeur',
    price: 'prix',
    quantity: 'quantité',
    'open-date': 'date-ouverture',
    'product-id-type': 'type-id-produit',
    'item-note': "note sur l'article",
    'item-condition': "état de l'article",
    'product-id': 'id-produit',
    'fulfillment-channel': "canal d'expédition",
    status: 'état',
    'product-name': 'nom-produit',
    condition: 'état',
    'your-price': 'votre-prix',
  },
  ja: {
    'item-name': '商品名',
    'item-description': '商品説明',
    'listing-id': '出品ID',
    'seller-sku': '出品者SKU',
    price: '価格',
    quantity: '数量',
    'open-date': '出品日',
    'product-id-type': '商品IDタイプ',
    'item-note': 'コンディション説明',
    'item-condition': 'コンディション',
    'will-ship-internationally': '国外へ配送可',
    'expedited-shipping': '迅速な配送',
    'product-id': '商品ID',
    'pending-quantity': '在庫数',
    'fulfillment-channel': 'フルフィルメント・チャンネル',
    status: 'ステータス',
    'product-name': '商品名',
    condition: 'コンディション',
    'your-price': '現在の出品価格',
  },
};

/** The title of a column in "de", "fr" or "ja"; unknown columns and languages keep the English name. */
export function localisedHeader(column: string, language: string): string {
  return titles[language]?.[column] ?? column;
}
