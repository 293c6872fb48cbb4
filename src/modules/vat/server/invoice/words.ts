/** Languages that documents are written in. */
export const LANGUAGES = ['de', 'en', 'fr', 'it', 'es', 'nl', 'pl', 'sv'] as const;
export type Language = (typeof LANGUAGES)[number];

const BY_COUNTRY: Readonly<Record<string, Language>> = {
  DE: 'de',
  AT: 'de',
  FR: 'fr',
  BE: 'fr',
  LU: 'fr',
  IT: 'it',
  ES: 'es',
  NL: 'nl',
  PL: 'pl',
  SE: 'sv',
};

/** Language of a customer by his country (ISO); English where none is known. */
export function languageOf(country: string): Language {
  return BY_COUNTRY[country] ?? 'en';
}

export interface Words {
  invoice: string;
  creditNote: string;
  /** Beside the number of the invoice that is taken back. */
  original: string;
  orderId: string;
  issued: string;
  supplied: string;
  seller: string;
  buyer: string;
  vatNumber: string;
  item: string;
  quantity: string;
  net: string;
  rate: string;
  tax: string;
  gross: string;
  total: string;
  shipping: string;
  gift: string;
  /** Sums of a rate; {rate}, {net}, {tax}, {gross}. */
  ofRate: string;
  reverse: string;
  export: string;
  /** {country} */
  oss: string;
  asOriginal: string;
  page: string;
}

/** What stands on documents. Notes name the article of Directive 2006/112/EC, which every member state's law refers to. */
export const WORDS: Readonly<Record<Language, Words>> = {
  de: {
    invoice: 'Rechnung',
    creditNote: 'Rechnungskorrektur',
    original: 'Zu Rechnung',
    orderId: 'Bestellnr.',
    issued: 'Rechnungsdatum',
    supplied: 'Lieferdatum',
    seller: 'Verkäufer',
    buyer: 'Rechnungsempfänger',
    vatNumber: 'USt-IdNr.',
    item: 'Bezeichnung',
    quantity: 'Menge',
    net: 'Netto',
    rate: 'USt.',
    tax: 'Steuer',
    gross: 'Brutto',
    total: 'Summe',
    shipping: 'Versandkosten',
    gift: 'Geschenkverpackung',
    ofRate: 'USt. {rate} %: Netto {net}, Steuer {tax}, Brutto {gross}',
    reverse:
      'Steuerfreie innergemeinschaftliche Lieferung (Art. 138 Richtlinie 2006/112/EG). Steuerschuldnerschaft des Leistungsempfängers.',
    export: 'Steuerfreie Ausfuhrlieferung (Art. 146 Richtlinie 2006/112/EG).',
    oss: 'Die Umsatzsteuer wird über die einzige Anlaufstelle (OSS) abgeführt; Verbrauchsland: {country}.',
    asOriginal: 'Empfänger wie auf der ursprünglichen Rechnung',
    page: 'Seite {n} von {all}',
  },
  en: {
    invoice: 'VAT Invoice',
    creditNote: 'VAT Credit Note',
    original: 'For invoice',
    orderId: 'Order no.',
    issued: 'Invoice date',
    supplied: 'Date of supply',
    seller: 'Seller',
    buyer: 'Invoice to',
    vatNumber: 'VAT number',
    item: 'Description',
    quantity: 'Qty',
    net: 'Net',
    rate: 'VAT',
    tax: 'Tax',
    gross: 'Gross',
    total: 'Total',
    shipping: 'Shipping',
    gift: 'Gift wrap',
    ofRate: 'VAT {rate}%: net {net}, tax {tax}, gross {gross}',
    reverse:
      'Exempt intra-Community supply (Art. 138 Directive 2006/112/EC). Reverse charge: the customer accounts for the VAT.',
    export: 'Zero-rated export of goods (Art. 146 Directive 2006/112/EC; for the United Kingdom, s. 30 VATA 1994).',
    oss: 'VAT is accounted for under the One Stop Shop (OSS); country of consumption: {country}.',
    asOriginal: 'Customer as on the original invoice',
    page: 'Page {n} of {all}',
  },
  fr: {
    invoice: 'Facture',
    creditNote: 'Avoir',
    original: 'Sur facture',
    orderId: 'N° commande',
    issued: 'Date de facture',
    supplied: 'Date de livraison',
    seller: 'Vendeur',
    buyer: 'Facturé à',
    vatNumber: 'N° TVA',
    item: 'Désignation',
    quantity: 'Qté',
    net: 'HT',
    rate: 'TVA',
    tax: 'Taxe',
    gross: 'TTC',
    total: 'Total',
    shipping: 'Frais de livraison',
    gift: 'Emballage cadeau',
    ofRate: 'TVA {rate} % : HT {net}, taxe {tax}, TTC {gross}',
    reverse:
      'Livraison intracommunautaire exonérée (art. 138 directive 2006/112/CE). Autoliquidation : TVA due par le preneur.',
    export: 'Exportation exonérée (art. 146 directive 2006/112/CE).',
    oss: 'La TVA est acquittée par le guichet unique (OSS) ; pays de consommation : {country}.',
    asOriginal: 'Client comme sur la facture d’origine',
    page: 'Page {n} sur {all}',
  },
  it: {
    invoice: 'Fattura',
    creditNote: 'Nota di credito',
    original: 'Su fattura',
    orderId: 'N. ordine',
    issued: 'Data fattura',
    supplied: 'Data di consegna',
    seller: 'Venditore',
    buyer: 'Intestatario',
    vatNumber: 'Partita IVA',
    item: 'Descrizione',
    quantity: 'Qtà',
    net: 'Imponibile',
    rate: 'IVA',
    tax: 'Imposta',
    gross: 'Totale IVA incl.',
    total: 'Totale',
    shipping: 'Spedizione',
    gift: 'Confezione regalo',
    ofRate: 'IVA {rate}%: imponibile {net}, imposta {tax}, totale {gross}',
    reverse:
      'Cessione intracomunitaria non imponibile (art. 138 direttiva 2006/112/CE). Inversione contabile a carico del cessionario.',
    export: 'Esportazione non imponibile (art. 146 direttiva 2006/112/CE).',
    oss: 'L’IVA è versata tramite lo sportello unico (OSS); paese di consumo: {country}.',
    asOriginal: 'Intestatario come da fattura originale',
    page: 'Pagina {n} di {all}',
  },
  es: {
    invoice: 'Factura',
    creditNote: 'Factura rectificativa',
    original: 'De la factura',
    orderId: 'N.º de pedido',
    issued: 'Fecha de factura',
    supplied: 'Fecha de entrega',
    seller: 'Vendedor',
    buyer: 'Facturado a',
    vatNumber: 'NIF-IVA',
    item: 'Descripción',
    quantity: 'Cant.',
    net: 'Base imponible',
    rate: 'IVA',
    tax: 'Cuota',
    gross: 'Total IVA incl.',
    total: 'Total',
    shipping: 'Gastos de envío',
    gift: 'Envoltorio de regalo',
    ofRate: 'IVA {rate} %: base {net}, cuota {tax}, total {gross}',
    reverse:
      'Entrega intracomunitaria exenta (art. 138 Directiva 2006/112/CE). Inversión del sujeto pasivo: IVA a cargo del cliente.',
    export: 'Exportación exenta (art. 146 Directiva 2006/112/CE).',
    oss: 'El IVA se liquida por la ventanilla única (OSS); país de consumo: {country}.',
    asOriginal: 'Cliente como en la factura original',
    page: 'Página {n} de {all}',
  },
  nl: {
    invoice: 'Factuur',
    creditNote: 'Creditfactuur',
    original: 'Bij factuur',
    orderId: 'Bestelnr.',
    issued: 'Factuurdatum',
    supplied: 'Leverdatum',
    seller: 'Verkoper',
    buyer: 'Factuuradres',
    vatNumber: 'Btw-nummer',
    item: 'Omschrijving',
    quantity: 'Aantal',
    net: 'Netto',
    rate: 'Btw',
    tax: 'Belasting',
    gross: 'Bruto',
    total: 'Totaal',
    shipping: 'Verzendkosten',
    gift: 'Cadeauverpakking',
    ofRate: 'Btw {rate}%: netto {net}, belasting {tax}, bruto {gross}',
    reverse: 'Vrijgestelde intracommunautaire levering (art. 138 Richtlijn 2006/112/EG). Btw verlegd naar de afnemer.',
    export: 'Vrijgestelde uitvoer (art. 146 Richtlijn 2006/112/EG).',
    oss: 'De btw wordt afgedragen via het éénloketsysteem (OSS); land van verbruik: {country}.',
    asOriginal: 'Klant zoals op de oorspronkelijke factuur',
    page: 'Pagina {n} van {all}',
  },
  pl: {
    invoice: 'Faktura VAT',
    creditNote: 'Faktura korygująca',
    original: 'Do faktury',
    orderId: 'Nr zamówienia',
    issued: 'Data wystawienia',
    supplied: 'Data dostawy',
    seller: 'Sprzedawca',
    buyer: 'Nabywca',
    vatNumber: 'NIP',
    item: 'Nazwa',
    quantity: 'Ilość',
    net: 'Netto',
    rate: 'VAT',
    tax: 'Podatek',
    gross: 'Brutto',
    total: 'Razem',
    shipping: 'Koszt wysyłki',
    gift: 'Pakowanie na prezent',
    ofRate: 'VAT {rate}%: netto {net}, podatek {tax}, brutto {gross}',
    reverse:
      'Wewnątrzwspólnotowa dostawa towarów zwolniona z VAT (art. 138 dyrektywy 2006/112/WE). Odwrotne obciążenie.',
    export: 'Eksport towarów zwolniony z VAT (art. 146 dyrektywy 2006/112/WE).',
    oss: 'VAT rozliczany w procedurze OSS; kraj konsumpcji: {country}.',
    asOriginal: 'Nabywca jak na fakturze pierwotnej',
    page: 'Strona {n} z {all}',
  },
  sv: {
    invoice: 'Faktura',
    creditNote: 'Kreditfaktura',
    original: 'Avser faktura',
    orderId: 'Ordernr',
    issued: 'Fakturadatum',
    supplied: 'Leveransdatum',
    seller: 'Säljare',
    buyer: 'Köpare',
    vatNumber: 'Momsreg.nr',
    item: 'Benämning',
    quantity: 'Antal',
    net: 'Netto',
    rate: 'Moms',
    tax: 'Skatt',
    gross: 'Brutto',
    total: 'Summa',
    shipping: 'Frakt',
    gift: 'Presentinslagning',
    ofRate: 'Moms {rate} %: netto {net}, skatt {tax}, brutto {gross}',
    reverse: 'Undantagen unionsintern leverans (art. 138 direktiv 2006/112/EG). Omvänd betalningsskyldighet.',
    export: 'Undantagen export (art. 146 direktiv 2006/112/EG).',
    oss: 'Momsen redovisas genom en enda kontaktpunkt (OSS); konsumtionsland: {country}.',
    asOriginal: 'Köpare enligt den ursprungliga fakturan',
    page: 'Sida {n} av {all}',
  },
};
