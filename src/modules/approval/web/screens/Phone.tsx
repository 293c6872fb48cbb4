import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useCall } from '#kit/web/api/index.ts';
import { Money, Tag, When } from '#kit/web/cells/index.ts';
import { PhonePage } from '#kit/web/phone/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { deskCount, deskList, readInstance } from '../../contract/desk.ts';
import { type DeskRow, InstanceState, Tab } from '../../contract/instance.ts';
import { ActButtons } from '../ActButtons.tsx';
import { ApprovalView, StateTag } from '../ApprovalView.tsx';
import { WHOLE } from '../phone.ts';
import '../phone.css';

const TABS = Object.entries(Tab.meta()?.states ?? {}) as [Tab, { title: string }][];
/** Cards that are added at a time. */
const MORE = 20;

function Card({ row, onOpen }: { row: DeskRow; onOpen: () => void }) {
  const state = InstanceState.meta()?.states?.[row.state];
  return (
    <button type="button" className="phone-card" onClick={onOpen}>
      <span className="phone-card-head">
        <b className="ellipsis">{row.docTitle}</b>
        {state && <Tag tone={state.tone} title={state.title} />}
      </span>
      <span className="phone-card-summary">{row.summary}</span>
      {row.amount !== null && (
        <span className="phone-card-amount">
          <Money amount={row.amount} currency={row.currency ?? row.base} />
        </span>
      )}
      <span className="label phone-card-foot">
        <span className="ellipsis">
          {row.initiatorName} · {row.number}
        </span>
        <When at={row.submittedAt} />
      </span>
    </button>
  );
}

interface Place {
  tab: Tab;
  pages: number;
}

/** One page of cards; the last of them offers the next. */
function CardPage({ tab, page, last, onOpen, onMore }: CardPageProps) {
  const { data, error, refetch } = useCall(
    deskList,
    { body: { filter: { tab }, currentpage: page, pagesize: MORE } },
    { staleTime: 0, keep: page === 1 },
  );
  const total = data?.total ?? 0;
  const left = total - page * MORE;
  return (
    <>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {page === 1 && data?.records.length === 0 && <Empty title="这里没有单据" text="轮到你审批时会收到消息提醒。" />}
      {data?.records.map((row) => (
        <Card key={row.id} row={row} onOpen={() => onOpen(row.instanceId)} />
      ))}
      {last && left > 0 && (
        <Button block className="phone-more" onClick={onMore}>
          {left > MORE ? `再看 ${MORE} 单` : `再看 ${left} 单`}
        </Button>
      )}
      {last && page > 1 && data && left <= 0 && <p className="label">共 {total} 单，已全部显示</p>}
    </>
  );
}

interface CardPageProps {
  tab: Tab;
  page: number;
  last: boolean;
  onOpen: (id: string) => void;
  onMore: () => void;
}

interface CardsProps {
  place: Place;
  onPlace: (place: Place) => void;
  onOpen: (id: string) => void;
}

/** What waits for the reader and what he had to do with, as cards, as many as he asked for. */
function Cards({ place: { tab, pages }, onPlace, onOpen }: CardsProps) {
  const { data: counts } = useCall(deskCount, { body: {} }, { staleTime: 0 });
  return (
    <>
      <nav className="phone-tabs" aria-label="范围">
        {TABS.map(([key, { title }]) => (
          <button key={key} type="button" aria-current={key === tab} onClick={() => onPlace({ tab: key, pages: 1 })}>
            {title}
            {key === 'todo' && (counts?.todo ?? 0) > 0 && <b>{counts?.todo}</b>}
          </button>
        ))}
      </nav>
      <main>
        {Array.from({ length: pages }, (_, index) => index + 1).map((page) => (
          <CardPage
            key={`${tab} ${page}`}
            tab={tab}
            page={page}
            last={page === pages}
            onOpen={onOpen}
            onMore={() => onPlace({ tab, pages: pages + 1 })}
          />
        ))}
      </main>
    </>
  );
}

/** One approval from top to bottom, with what can be done about it within reach of a thumb. */
function Detail({ id, onDone }: { id: string; onDone: () => void }) {
  const navigate = useNavigate();
  const { data: view, error, refetch } = useCall(readInstance, { params: { id } }, { staleTime: 0 });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!view) return null;
  const { path, id: docId } = view.route;
  return (
    <>
      <main>
        <div className="phone-card-head">
          <b>
            {view.docTitle} {view.number}
          </b>
          <StateTag state={view.state} />
        </div>
        <ApprovalView view={view} />
        <Button block onClick={() => navigate(`${path}?id=${docId}&${WHOLE}=1`)}>
          查看完整单据
        </Button>
      </main>
      <footer className="phone-acts">
        <ActButtons view={view} onDone={onDone} />
      </footer>
    </>
  );
}

/** 审批 on a phone: one column outside the frame. */
export default function Phone() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const id = query.get('id');
  // Kept while an approval is open: its reader comes back to where he was.
  const [place, setPlace] = useState<Place>({ tab: 'todo', pages: 1 });
  const list = () => setQuery({}, { replace: true });
  return (
    <PhonePage title={id ? '审批详情' : '审批'} onBack={() => (id ? list() : navigate('/home'))}>
      {id ? (
        <Detail id={id} onDone={list} />
      ) : (
        <Cards place={place} onPlace={setPlace} onOpen={(next) => setQuery({ id: next })} />
      )}
    </PhonePage>
  );
}
