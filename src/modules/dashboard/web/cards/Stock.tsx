import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Bars, type BarTone } from '#kit/web/charts/index.ts';
import { stock } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

const TONES: Record<string, BarTone> = { out: 'bad', low: 'warning', more: 'off' };
/** Bars that are a tab of the stock list; the others open it whole. */
const TABS = ['out', 'low'];

/** Stock now: pieces, SKUs that ran or run out, SKUs by days of cover. */
export function StockCard({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(stock, { body: { filter } }, { keep: true });
  const { data } = query;
  const figures = data && [
    { name: '可售', value: data.fulfillable, unit: '件', tab: undefined, tone: '' },
    { name: '在途', value: data.inbound, unit: '件', tab: undefined, tone: '' },
    { name: '断货', value: data.out, unit: 'SKU', tab: 'out', tone: data.out > 0 ? 'danger' : '' },
    {
      name: '将断货',
      value: data.low,
      unit: 'SKU',
      tab: 'low',
      tone: data.low > 0 ? 'warning' : '',
      tip: '可售不足 14 天',
    },
    {
      name: '冗余',
      value: data.excess,
      unit: 'SKU',
      tab: undefined,
      tone: '',
      tip: '可售超过 180 天，或近 30 天无销量',
    },
  ];
  return (
    <Card title="库存概览" scope="按可售天数的 SKU 数" query={query}>
      {data === null && <div className="card-state">无查看库存的权限</div>}
      {figures && (
        <div className="home-figures is-tight">
          {figures.map((figure) => (
            <div key={figure.name} title={'tip' in figure ? figure.tip : undefined}>
              <span className="label">{figure.name}</span>
              <button
                type="button"
                className={`drill strong home-value ${figure.tone}`}
                onClick={() => links.stock(figure.tab)}
              >
                {formatInteger(figure.value)} <span className="label">{figure.unit}</span>
              </button>
            </div>
          ))}
        </div>
      )}
      {data && (
        <Bars
          label="SKU 数"
          bars={data.bars.map((bar) => ({ name: bar.name, value: bar.skus, tone: TONES[bar.key] ?? 'normal' }))}
          onPick={(index) => {
            const key = data.bars[index]?.key ?? '';
            links.stock(TABS.includes(key) ? key : undefined);
          }}
        />
      )}
      {data && data.still > 0 && (
        <span className="label home-note">另有 {formatInteger(data.still)} 个 SKU 有库存、近 30 天无销量</span>
      )}
    </Card>
  );
}
