import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { metaOf } from '#kit/contract/columns.ts';
import { useCall } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { PhonePage } from '#kit/web/phone/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { countMcf, listMcf, type McfFilter, type McfRow } from '../../contract/orders.ts';
import { McfState } from '../../contract/states.ts';
import { PhoneOrder } from '../PhoneOrder.tsx';
import '../mcf.css';

const TABS = [
  { key: 'open', title: '进行中' },
  { key: 'shipped', title: '已发货' },
  { key: 'trouble', title: '异常' },
  { key: 'all', title: '全部' },
] as const;
type Tab = (typeof TABS)[number]['key'];
/** Cards that are added at a time, up to what one page of the list holds. */
const MORE = 20;
const MOST = 100;

const filterOf = (tab: Tab): McfFilter => (tab === 'all' ? {} : { tab });

function Card({ row, onOpen }: { row: McfRow; onOpen: () => void }) {
  return (
    <button type="button" className="phone-card" onClick={onOpen}>
      <span className="phone-card-head">
        <b className="ellipsis">{row.number}</b>
        <State value={row.state} states={metaOf(McfState).states} />
      </span>
      <span className="phone-card-summary">
        {row.product.name || row.product.code} × {row.units}
      </span>
      {row.tracking !== null && <span className="phone-card-summary">{row.tracking}</span>}
      <span className="label phone-card-foot">
        <span className="ellipsis">
          {row.orderNo} · {row.country} {row.region}
        </span>
        <When at={row.orderedAt} />
      </span>
    </button>
  );
}

function Cards({ onOpen }: { onOpen: (id: string) => void }) {
  const [tab, setTab] = useState<Tab>('open');
  const [shown, setShown] = useState(MORE);
  const { data: counts } = useCall(countMcf, { body: { filter: {} } }, { staleTime: 0 });
  const body = { filter: filterOf(tab), pagesize: shown };
  const { data, error, refetch } = useCall(listMcf, { body }, { staleTime: 0, keep: true });
  const left = (data?.total ?? 0) - (data?.records.length ?? 0);
  return (
    <>
      <nav className="phone-tabs" aria-label="状态">
        {TABS.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            aria-current={key === tab}
            onClick={() => {
              setTab(key);
              setShown(MORE);
            }}
          >
            {title}
            {(counts?.[key] ?? 0) > 0 && <b>{counts?.[key]}</b>}
          </button>
        ))}
      </nav>
      <main>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.records.length === 0 && <Empty title="这里没有订单" text="新建和导入请在电脑上操作。" />}
        {data?.records.map((row) => (
          <Card key={row.id} row={row} onOpen={() => onOpen(row.id)} />
        ))}
        {left > 0 && shown < MOST && (
          <Button block className="phone-more" onClick={() => setShown(shown + MORE)}>
            再看 {Math.min(MORE, left)} 单
          </Button>
        )}
      </main>
    </>
  );
}

/** 多渠道订单 on a phone: cards, and one order with its parcels. */
export default function McfPhone() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const id = query.get('id');
  return (
    <PhonePage title="多渠道订单" onBack={() => (id ? setQuery({}, { replace: true }) : navigate('/home'))}>
      {id ? <PhoneOrder id={id} /> : <Cards onOpen={(next) => setQuery({ id: next })} />}
    </PhonePage>
  );
}
