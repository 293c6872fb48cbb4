import { InputNumber } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import type { WaveOrder, WaveStop } from '../../contract/wave.ts';

/** Key of a stop among what was entered. */
export const keyOf = ({ locationId, productId }: Pick<WaveStop, 'locationId' | 'productId'>) =>
  `${locationId} ${productId}`;

interface Props {
  stops: readonly WaveStop[];
  orders: readonly WaveOrder[];
  /** What was taken now, by stop. */
  pieces: Readonly<Record<string, number>>;
  writes: boolean;
  onPut: (key: string, qty: number) => void;
}

/** How the pieces of a stop are dealt: 「FH2601010001 6/6、FH2601010002 0/4」. */
function Shares({ stop, numbers }: { stop: WaveStop; numbers: ReadonlyMap<string, string> }) {
  return (
    <div className="wave-shares">
      {stop.shares.map(({ orderId, want, picked }) => (
        <span key={orderId}>
          <span className="code">{numbers.get(orderId)}</span>{' '}
          <span className={`num ${picked < want ? '' : 'text3'}`}>
            {formatInteger(picked)}/{formatInteger(want)}
          </span>
        </span>
      ))}
    </div>
  );
}

/** The walk: a row for each product at each shelf, and below it what every order gets. */
export function WaveTable({ stops, orders, pieces, writes, onPut }: Props) {
  const numbers = new Map(orders.map(({ id, number }) => [id, number]));
  return (
    <div className="line-table is-picture ship-lines">
      <table aria-label="合并配货明细">
        <thead>
          <tr>
            <th>库位</th>
            <th>本地商品 / 分配</th>
            <th className="is-right">需求</th>
            <th className="is-right">已配</th>
            <th className="is-right">待配</th>
            <th className="is-right wave-now">本次配货</th>
          </tr>
        </thead>
        <tbody>
          {stops.map((stop) => {
            const key = keyOf(stop);
            const open = stop.want - stop.picked;
            return (
              <tr key={key}>
                <td className="code">{stop.place}</td>
                <td>
                  <ProductCell product={stop.product} />
                  <Shares stop={stop} numbers={numbers} />
                </td>
                <td className="is-right num">{formatInteger(stop.want)}</td>
                <td className="is-right num">{formatInteger(stop.picked)}</td>
                <td className={`is-right num ${open > 0 ? 'warning' : 'text3'}`}>{formatInteger(open)}</td>
                <td className="is-right wave-now">
                  {writes && open > 0 && (
                    <InputNumber
                      size="small"
                      aria-label={`${stop.place} ${stop.product.code} 本次配货`}
                      min={0}
                      max={open}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={pieces[key] ?? null}
                      onChange={(qty) => onPut(key, qty ?? 0)}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
