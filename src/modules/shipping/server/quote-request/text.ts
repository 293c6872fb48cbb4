import type { Transport } from '../../contract/fields.ts';
import type { QuoteGoodsRow } from '../../contract/quote-request/request.ts';

const MODES: Record<Transport, string> = { SEA: '海运', AIR: '空运', EXPRESS: '快递', RAIL: '铁路', TRUCK: '卡航' };

/** What is asked, as a forwarder may know it: nothing of stores, buyers, products' names or what they cost. */
export interface Question {
  number: string;
  carrier: string;
  contact: string;
  from: string;
  country: string;
  postalCode: string;
  mode: Transport | null;
  divisor: number;
  readyOn: string | null;
  until: string;
  remark: string;
  boxes: number;
  pieces: number;
  weight: string | null;
  volumetric: string | null;
  volume: string | null;
  estimated: boolean;
  goods: readonly Pick<QuoteGoodsRow, 'shipmentNos' | 'center' | 'boxes' | 'weight' | 'volume' | 'specs'>[];
}

const known = (value: string | null, unit: string) => (value === null ? '待定' : `${value} ${unit}`);

/** The question in words, to be pasted into a chat or an e-mail. Weights in kg, volume in m³. */
export function questionText(question: Question): string {
  const { carrier, contact, goods, estimated } = question;
  const lines = goods.map((one, index) => {
    const goal = [one.center && `仓库 ${one.center}`, one.shipmentNos && `货件 ${one.shipmentNos}`].filter(Boolean);
    const words = `${one.boxes} 箱，${known(one.weight, 'kg')}，${known(one.volume, 'm³')}`;
    return `${index + 1}. ${[...goal, words].join('，')}${one.specs && `\n   ${one.specs}`}`;
  });
  const goal = [question.country, question.postalCode && `邮编 ${question.postalCode}`].filter(Boolean).join(' ');
  return [
    `【询价 ${question.number}】${contact || carrier} 您好，请报以下货物的运费：`,
    `起运：${question.from}`,
    `目的地：亚马逊仓库，${goal}`,
    `运输方式：${question.mode ? MODES[question.mode] : '不限，请注明渠道'}`,
    `合计：${question.boxes} 箱 ${question.pieces} 件，实重 ${known(question.weight, 'kg')}，材积重 ${known(
      question.volumetric,
      'kg',
    )}（÷${question.divisor}），体积 ${known(question.volume, 'm³')}${estimated ? '（预估，以装箱为准）' : ''}`,
    '明细：',
    ...lines,
    ...(question.readyOn ? [`货好日期：${question.readyOn}`] : []),
    ...(question.remark ? [`备注：${question.remark}`] : []),
    `请在 ${question.until} 前回复：单价和计费单位、计费量、税、其它费、币种、时效、报价有效期。`,
  ].join('\n');
}
