import { Decimal } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import type { Transport } from '../../contract/fields.ts';
import { type PlannedShip, volumetricWeight } from '../../contract/plan-submit.ts';

interface Props {
  /** With the way that was chosen for each. */
  ships: readonly { ship: PlannedShip; transport: Transport }[];
}

const CM3_OF_M3 = 1_000_000;

/** SKU数, 数量, 重量, 体积 and 材积重 of ship orders together; kg and m³. */
export function Measures({ ships }: Props) {
  const sum = (value: (one: Props['ships'][number]) => string | number) =>
    ships.reduce((total, one) => total.plus(value(one)), new Decimal(0));
  const unmeasured = sum(({ ship }) => ship.unmeasured).toNumber();
  const skus = new Set(ships.flatMap(({ ship }) => ship.lines.map((line) => `${ship.authid} ${line.product.code}`)));
  const figures = [
    ['SKU数', formatInteger(skus.size)],
    ['数量', formatInteger(sum(({ ship }) => ship.qty).toNumber())],
    ['重量', `${sum(({ ship }) => ship.weight).toFixed(2)} kg`],
    [
      '体积',
      `${sum(({ ship }) => ship.volume)
        .div(CM3_OF_M3)
        .toFixed(3)} m³`,
    ],
    ['材积重', `${sum(({ ship, transport }) => volumetricWeight(ship.volume, transport)).toFixed(2)} kg`],
  ];
  return (
    <span className="ship-measures">
      {figures.map(([title, value]) => (
        <span key={title}>
          <span className="text2">{title}</span> <b className="num">{value}</b>
        </span>
      ))}
      {unmeasured > 0 && <span className="warning">{unmeasured} 个SKU未维护重量或尺寸，未计入</span>}
    </span>
  );
}
