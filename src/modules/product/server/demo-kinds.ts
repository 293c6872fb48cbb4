/** One kind of goods of the demo, as its seller knows it. */
export interface DemoKind {
  name: string;
  category: string;
  /** CNY a piece; undefined: not entered yet, as it happens. */
  cost?: string;
  /** Packed, cm. */
  size: readonly [string, string, string];
  /** Packed, kg. */
  weight: string;
  perCarton: number;
  battery?: boolean;
}

/** What the demo's sellers sell, by the middle of their SKUs. */
export const KINDS: Readonly<Record<string, DemoKind>> = {
  SWB: {
    name: '不锈钢保温杯 750ml',
    category: '水具',
    cost: '26.8',
    size: ['27', '8', '8'],
    weight: '0.42',
    perCarton: 40,
  },
  CLC: {
    name: '硅胶折叠杯 350ml',
    category: '水具',
    cost: '9.6',
    size: ['11', '11', '6'],
    weight: '0.14',
    perCarton: 120,
  },
  BCB: { name: '竹制砧板 38cm', category: '厨房小件', size: ['38', '28', '2'], weight: '1.15', perCarton: 20 },
  AFL: {
    name: '空气炸锅硅胶垫 2只装',
    category: '厨房小件',
    cost: '8.9',
    size: ['21', '21', '6'],
    weight: '0.24',
    perCarton: 80,
  },
  HCG: {
    name: '手摇咖啡磨豆机',
    category: '厨房小件',
    cost: '52.5',
    size: ['20', '9', '9'],
    weight: '0.68',
    perCarton: 30,
  },
  MSP: {
    name: '量勺 7件套',
    category: '厨房小件',
    cost: '6.2',
    size: ['14', '7', '3'],
    weight: '0.12',
    perCarton: 150,
  },
  DRO: {
    name: '抽屉收纳盒 8件套',
    category: '收纳',
    cost: '21.4',
    size: ['33', '24', '9'],
    weight: '0.72',
    perCarton: 24,
  },
  PKC: {
    name: '旅行收纳袋 6件套',
    category: '收纳',
    cost: '24.6',
    size: ['34', '25', '6'],
    weight: '0.55',
    perCarton: 40,
  },
  LCL: {
    name: 'LED感应橱柜灯 40cm',
    category: '灯具',
    cost: '22.3',
    size: ['42', '7', '4'],
    weight: '0.31',
    perCarton: 60,
    battery: true,
  },
  DSK: {
    name: '可调光台灯 带USB',
    category: '灯具',
    cost: '48.7',
    size: ['36', '16', '9'],
    weight: '1.05',
    perCarton: 16,
  },
  PLP: {
    name: '花盆 15cm 带托盘',
    category: '园艺',
    cost: '11.8',
    size: ['17', '17', '16'],
    weight: '0.88',
    perCarton: 24,
  },
  KBP: {
    name: '儿童背包 12L 防泼水',
    category: '箱包',
    cost: '34.2',
    size: ['36', '26', '8'],
    weight: '0.52',
    perCarton: 30,
  },
  YGM: {
    name: '瑜伽垫 183cm 带绑带',
    category: '户外',
    cost: '38.6',
    size: ['62', '15', '15'],
    weight: '1.1',
    perCarton: 12,
  },
  CPL: {
    name: '可充电露营灯',
    category: '户外',
    cost: '33.9',
    size: ['19', '11', '11'],
    weight: '0.49',
    perCarton: 30,
    battery: true,
  },
  PBW: {
    name: '宠物碗 900ml 防滑',
    category: '宠物日用',
    cost: '13.2',
    size: ['22', '22', '7'],
    weight: '0.38',
    perCarton: 36,
  },
  PBR: {
    name: '宠物梳毛刷 一键除毛',
    category: '宠物日用',
    cost: '11.5',
    size: ['19', '10', '6'],
    weight: '0.18',
    perCarton: 80,
  },
  DGL: {
    name: '牵引绳 180cm 软垫把手',
    category: '宠物日用',
    cost: '12.7',
    size: ['17', '12', '5'],
    weight: '0.26',
    perCarton: 90,
  },
  CTN: {
    name: '猫隧道 120cm 可折叠',
    category: '宠物玩具',
    cost: '16.4',
    size: ['27', '26', '5'],
    weight: '0.46',
    perCarton: 40,
  },
  STB: {
    name: '声波电动牙刷 4刷头',
    category: '个人护理',
    cost: '56.0',
    size: ['24', '10', '6'],
    weight: '0.36',
    perCarton: 40,
    battery: true,
  },
  UCC: { name: 'USB-C编织线 2m 100W', category: '数码配件', size: ['13', '9', '2'], weight: '0.08', perCarton: 200 },
};
