import type { ColumnSpec } from './headers.ts';

/**
 * Columns of the merchant listings reports with the headers of other sites: German, French, Italian, Spanish, Polish,
 * Japanese and the Chinese of a seller account set to Chinese, in this order. Facts transcribed from public parsers.
 */
export const LISTING_COLUMNS = [
  {
    name: 'seller-sku',
    aliases: 'Händler-SKU|sku-vendeur|SKU venditore|SKU del vendedor|sku-sprzedawcy|出品者SKU|卖家 SKU|sku'.split('|'),
  },
  {
    name: 'item-name',
    aliases:
      "Artikelbezeichnung|nom-produit|nom de l'article|Nome dell'articolo|nome-prodotto|Título del producto|nazwa-produktu|商品名|商品名称".split(
        '|',
      ),
  },
  {
    name: 'item-description',
    aliases:
      "Artikelbeschreibung|description-article|Descrizione dell'articolo|Descripción del producto|opis-produktu|description de l'article|商品の説明|商品説明|商品描述".split(
        '|',
      ),
  },
  {
    name: 'listing-id',
    aliases:
      'Angebotsnummer|id-offre|numéro de l’offre|Identificativo offerta|Identificador del listing|identyfikator-oferty|出品ID'.split(
        '|',
      ),
  },
  { name: 'price', aliases: 'Preis|prix|Prezzo|Precio|cena|価格|价格'.split('|') },
  { name: 'quantity', aliases: 'Menge|quantité|Quantità|Cantidad|ilość|数量'.split('|') },
  {
    name: 'open-date',
    aliases: 'Erstellungsdatum|date-ouverture|Data di creazione|Fecha de creación|data-otwarcia|出品日|开售日期'.split(
      '|',
    ),
  },
  { name: 'image-url', aliases: ['Bild-URL'] },
  {
    name: 'item-is-marketplace',
    aliases: 'Artikel ist Marketplace-Angebot|Producto para vender|是否为商城中的商品'.split('|'),
  },
  {
    name: 'product-id-type',
    aliases:
      'Produkt-ID-Typ|type-id-produit|Tipo di identificativo del prodotto|Tipo de identificador de producto|typ-identyfikatora-produktu|商品IDタイプ|商品编码类型'.split(
        '|',
      ),
  },
  {
    name: 'item-note',
    aliases:
      "Anmerkung zum Artikel|note-état-article|note sur l'article|Note sull'articolo|Nota sobre el producto|uwaga-o-produkcie|コンディション説明|商品备注".split(
        '|',
      ),
  },
  {
    name: 'item-condition',
    aliases:
      "Artikelzustand|état-produit|état de l'article|Condizione dell'articolo|stan-produktu|コンディション|商品状况".split(
        '|',
      ),
  },
  { name: 'asin1', aliases: ['asin'] },
  { name: 'asin2' },
  { name: 'asin3' },
  {
    name: 'will-ship-internationally',
    aliases:
      'Internationaler Versand|expédition-international|Envío internacional|wysyłka-międzynarodowa|国外へ配送可|国际配送'.split(
        '|',
      ),
  },
  {
    name: 'expedited-shipping',
    aliases: 'Expressversand|livraison-express|Envío urgente|przyspieszona-wysyłka|迅速な配送|加急配送'.split('|'),
  },
  {
    name: 'product-id',
    aliases:
      'Produkt-ID|id-produit|Identificativo del prodotto|Identificador del producto|identyfikator-produktu|商品ID|商品编码'.split(
        '|',
      ),
  },
  { name: 'add-delete', aliases: 'Hinzufügen-Löschen|Añadir o eliminar|dodaj-usuń|添加-删除'.split('|') },
  {
    name: 'pending-quantity',
    aliases: 'Anzahl Bestellungen|Quantità in sospeso|Cantidad pendiente|ilość-oczekująca|在庫数|等待购买数量'.split(
      '|',
    ),
  },
  {
    name: 'fulfillment-channel',
    aliases:
      'fulfilment-channel|Versender|canal-traitement|canal d’expédition|Canale di gestione|Canal de gestión logística|kanał-realizacji|フルフィルメント・チャンネル|配送渠道'.split(
        '|',
      ),
  },
  {
    name: 'merchant-shipping-group',
    aliases:
      'Händlerversandgruppe|groupe-expédition-vendeur|gruppo-spedizione-venditore|grupa-wysyłki-sprzedawcy|卖家配送组'.split(
        '|',
      ),
  },
  { name: 'status', aliases: 'état|stato|Estado del producto|estado|ステータス|状态'.split('|') },
  // Known and left alone: columns of a shop format that Amazon closed long ago; they are always blank.
  { name: 'zshop-shipping-fee' },
  { name: 'zshop-category1' },
  { name: 'zshop-browse-path' },
  { name: 'zshop-storefront-feature', aliases: ['Columna en desuso'] },
  { name: 'zshop-boldface' },
  { name: 'bid-for-featured-placement' },
] as const satisfies readonly ColumnSpec<string>[];

export type ListingColumn = (typeof LISTING_COLUMNS)[number]['name'];
