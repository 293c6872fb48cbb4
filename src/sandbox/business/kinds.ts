/** What the simulated sellers sell: about twenty everyday kinds, each in several colours. */

export interface Kind {
  /** First half of the drawing's key: "bottle" in "bottle-blue". */
  image: string;
  code: string;
  size: string;
  productType: string;
  /** Package edges in cm, longest first, and its weight in kg. */
  box: readonly [number, number, number];
  weightKg: number;
  /** Price in the United States in cents, before the colour's own small difference. */
  usd: number;
  title: { en: string; de: string; fr: string; ja: string };
}

export interface Colour {
  key: string;
  code: string;
  name: { en: string; de: string; fr: string; ja: string };
}

export const COLOURS: readonly Colour[] = [
  { key: 'black', code: 'BK', name: { en: 'Black', de: 'Schwarz', fr: 'Noir', ja: 'ブラック' } },
  { key: 'blue', code: 'BL', name: { en: 'Blue', de: 'Blau', fr: 'Bleu', ja: 'ブルー' } },
  { key: 'green', code: 'GN', name: { en: 'Green', de: 'Grün', fr: 'Vert', ja: 'グリーン' } },
  { key: 'grey', code: 'GY', name: { en: 'Grey', de: 'Grau', fr: 'Gris', ja: 'グレー' } },
  { key: 'pink', code: 'PK', name: { en: 'Pink', de: 'Rosa', fr: 'Rose', ja: 'ピンク' } },
  { key: 'red', code: 'RD', name: { en: 'Red', de: 'Rot', fr: 'Rouge', ja: 'レッド' } },
  { key: 'white', code: 'WH', name: { en: 'White', de: 'Weiß', fr: 'Blanc', ja: 'ホワイト' } },
];

// image | code | size | product type | package cm | kg | US cents | title en | de | fr | ja
const HOME = [
  'bottle|SWB|750|BOTTLE|27x8x8|0.42|2499|Stainless Steel Water Bottle 750 ml, Leakproof|Trinkflasche aus Edelstahl 750 ml, auslaufsicher|Gourde en acier inoxydable 750 ml, étanche|真空断熱ステンレスボトル 750ml 漏れ防止',
  'board|BCB|38|CUTTING_BOARD|38x28x2|1.15|2699|Bamboo Cutting Board 38 cm with Juice Groove|Schneidebrett aus Bambus 38 cm mit Saftrille|Planche à découper en bambou 38 cm avec rigole|竹製まな板 38cm 溝付き',
  'liner|AFL|20|KITCHEN|21x21x6|0.24|1399|Air Fryer Silicone Liner, Reusable, Set of 2|Silikon-Einlage für Heißluftfritteuse, 2er-Set|Moule en silicone pour friteuse à air, lot de 2|エアフライヤー用シリコンライナー 2個セット',
  'light|LCL|40|LIGHT_FIXTURE|42x7x4|0.31|2299|LED Cabinet Light 40 cm with Motion Sensor|LED-Schrankleuchte 40 cm mit Bewegungsmelder|Réglette LED pour placard 40 cm avec détecteur|LEDキャビネットライト 40cm 人感センサー付き',
  'cubes|PKC|6P|LUGGAGE|34x25x6|0.55|2599|Packing Cubes, Set of 6|Packwürfel für den Koffer, 6er-Set|Organiseurs de valise, lot de 6|トラベルポーチ 6点セット',
  'grinder|HCG|M1|COFFEE_MAKER|20x9x9|0.68|3999|Hand Coffee Grinder with Steel Burr|Handkaffeemühle mit Stahlmahlwerk|Moulin à café manuel avec meules en acier|手挽きコーヒーミル ステンレス刃',
  'cup|CLC|350|CUP|11x11x6|0.14|1299|Collapsible Cup 350 ml, Silicone|Faltbecher 350 ml aus Silikon|Tasse pliable 350 ml en silicone|折りたたみカップ 350ml シリコン製',
  'organizer|DRO|8P|STORAGE_BOX|33x24x9|0.72|2199|Drawer Organizer, 8 Pieces|Schubladen-Organizer, 8-teilig|Organiseur de tiroir, 8 pièces|引き出し整理トレー 8個入り',
  'pot|PLP|15|PLANTER|17x17x16|0.88|1899|Plant Pot 15 cm with Saucer|Blumentopf 15 cm mit Untersetzer|Pot de fleurs 15 cm avec soucoupe|植木鉢 15cm 受け皿付き',
  'lamp|DSK|D2|LAMP|36x16x9|1.05|3499|Dimmable Desk Lamp with USB Port|Dimmbare Schreibtischlampe mit USB-Anschluss|Lampe de bureau à intensité variable avec port USB|調光デスクライト USBポート付き',
  'spoons|MSP|7P|KITCHEN|14x7x3|0.12|999|Measuring Spoons, Set of 7|Messlöffel, 7er-Set|Cuillères à mesurer, lot de 7|計量スプーン 7本セット',
];

const PETS_AND_OUT = [
  'bowl|PBW|900|PET_SUPPLIES|22x22x7|0.38|1699|Pet Bowl 900 ml, Non-Slip|Futternapf 900 ml, rutschfest|Gamelle 900 ml antidérapante|ペット用ボウル 900ml 滑り止め付き',
  'brush|PBR|S1|PET_SUPPLIES|19x10x6|0.18|1499|Pet Grooming Brush, Self-Cleaning|Fellbürste, selbstreinigend|Brosse de toilettage autonettoyante|ペット用ブラシ ワンプッシュ抜け毛除去',
  'tunnel|CTN|120|PET_TOY|27x26x5|0.46|1999|Cat Tunnel 120 cm, Foldable|Katzentunnel 120 cm, faltbar|Tunnel pour chat 120 cm pliable|猫用トンネル 120cm 折りたたみ式',
  'leash|DGL|180|PET_SUPPLIES|17x12x5|0.26|1599|Dog Leash 180 cm with Padded Handle|Hundeleine 180 cm mit gepolstertem Griff|Laisse pour chien 180 cm avec poignée rembourrée|犬用リード 180cm クッション持ち手',
  'backpack|KBP|12L|BACKPACK|36x26x8|0.52|2999|Kids Backpack 12 l, Water Repellent|Kinderrucksack 12 l, wasserabweisend|Sac à dos enfant 12 l déperlant|キッズリュック 12L 撥水加工',
  'mat|YGM|183|EXERCISE_MAT|62x15x15|1.1|3299|Yoga Mat 183 cm, Non-Slip, with Strap|Yogamatte 183 cm, rutschfest, mit Gurt|Tapis de yoga 183 cm antidérapant avec sangle|ヨガマット 183cm 滑り止め ストラップ付き',
  'toothbrush|STB|T3|ELECTRIC_TOOTHBRUSH|24x10x6|0.36|4499|Sonic Toothbrush with 4 Brush Heads|Schallzahnbürste mit 4 Aufsteckbürsten|Brosse à dents sonique avec 4 têtes|音波電動歯ブラシ 替えブラシ4本付き',
  'cable|UCC|2M|ELECTRONIC_CABLE|13x9x2|0.08|899|USB-C Cable 2 m, Braided, 100 W|USB-C-Kabel 2 m, geflochten, 100 W|Câble USB-C 2 m tressé 100 W|USB-Cケーブル 2m 編み込み 100W',
  'lantern|CPL|L1|LANTERN|19x11x11|0.49|2799|Camping Lantern, Rechargeable|Campinglaterne, wiederaufladbar|Lanterne de camping rechargeable|LEDキャンプランタン 充電式',
];

function kind(line: string): Kind {
  const [image = '', code = '', size = '', productType = '', box = '', kg, usd, en = '', de = '', fr = '', ja = ''] =
    line.split('|');
  const [length = 0, width = 0, height = 0] = box.split('x').map(Number);
  return {
    image,
    code,
    size,
    productType,
    box: [length, width, height],
    weightKg: Number(kg),
    usd: Number(usd),
    title: { en, de, fr, ja },
  };
}

export const HOME_KINDS: readonly Kind[] = HOME.map(kind);
export const PET_KINDS: readonly Kind[] = PETS_AND_OUT.map(kind);
