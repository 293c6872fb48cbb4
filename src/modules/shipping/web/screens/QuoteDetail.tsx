import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { DueDay } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, stepsOf, useNotes } from '#kit/web/document/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { Transport } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { BookingRow, type QuoteAnswerRow } from '../../contract/quote-request/answer.ts';
import { type QuoteStep, quoteNotes, quoteRequestDetail, quoteSteps } from '../../contract/quote-request/calls.ts';
import { QUOTE_ADD, QUOTE_AUDIT, QUOTE_IMPORT } from '../../contract/quote-request/fields.ts';
import { QuoteGoodsRow, type QuoteRequestRow, QuoteState, quoteRequest } from '../../contract/quote-request/request.ts';
import { AnswerDialog } from '../quote-request/AnswerDialog.tsx';
import { Answers } from '../quote-request/Answers.tsx';
import { AskTexts } from '../quote-request/AskTexts.tsx';
import { BookDialog, ChooseDialog, ExtendDialog } from '../quote-request/dialogs.tsx';
import { ImportQuotes } from '../quote-request/ImportQuotes.tsx';
import { refreshQuotes } from '../quote-request/shared.ts';
import '../shipping.css';

const WAY = ['asking', 'chosen', 'booked'];
const GOODS: ColumnOverrides<QuoteGoodsRow> = {
  order: {
    render: (row) => (
      <TabLink to={shipOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

const figuresOf = (request: QuoteRequestRow): Figure[] => [
  { key: 'boxes', label: '箱数', value: formatInteger(request.boxes) },
  { key: 'pieces', label: '件数', value: formatInteger(request.pieces) },
  { key: 'weight', label: '实重(kg)', value: request.weight ?? '—' },
  { key: 'volumetric', label: `材积重(÷${request.divisor})`, value: request.volumetric ?? '—' },
  { key: 'volume', label: '体积(m³)', value: request.volume ?? '—' },
  { key: 'answers', label: '已报价', value: `${request.answered}/${request.asked}` },
  {
    key: 'until',
    label: '截止',
    value: request.state === 'asking' || request.state === 'expired' ? <DueDay day={request.until} /> : request.until,
  },
];

const subjectOf = (row: QuoteRequestRow): string =>
  [
    `${row.warehouse} → ${[row.country, row.center, row.postalCode].filter(Boolean).join(' ')}`,
    row.mode && Transport.meta()?.states?.[row.mode]?.title,
    row.basis === 'ESTIMATED' ? '货物为预估' : '',
    row.bookingNo && `订舱号 ${row.bookingNo}`,
    row.remark,
  ]
    .filter(Boolean)
    .join(' · ');

type Dialog = 'answer' | 'import' | 'extend' | 'book' | QuoteAnswerRow;

function Buttons({ request, onOpen }: { request: QuoteRequestRow | undefined; onOpen: (dialog: Dialog) => void }) {
  const asks = request?.state === 'asking' || request?.state === 'expired';
  const isBooked = request?.state === 'booked';
  return (
    <>
      {asks && (
        <Allowed code={QUOTE_ADD}>
          <Button onClick={() => onOpen('extend')}>延期与加询</Button>
        </Allowed>
      )}
      {asks && (
        <Allowed code={QUOTE_IMPORT}>
          <Button onClick={() => onOpen('import')}>导入报价</Button>
        </Allowed>
      )}
      {asks && (
        <Allowed code={QUOTE_ADD}>
          <Button type="primary" data-edit onClick={() => onOpen('answer')}>
            录入报价
          </Button>
        </Allowed>
      )}
      {(isBooked || request?.state === 'chosen') && (
        <Allowed code={QUOTE_AUDIT}>
          <Button type={isBooked ? 'default' : 'primary'} onClick={() => onOpen('book')}>
            {isBooked ? '修改订舱' : '订舱'}
          </Button>
        </Allowed>
      )}
    </>
  );
}

/** 物流询价详情: answers beside each other, the goods, what forwarders are told, and the booking. */
export default function QuoteDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(quoteRequestDetail, { params: { id } }, { staleTime: 0 });
  const [open, setOpen] = useState<Dialog>();
  const notes = useNotes({ calls: quoteNotes, id, timeline: data?.timeline, refresh: refetch });
  const { request, goods = [], asked = [], bookings = [] } = data ?? {};
  const changed = goods.some((row) => row.changed);
  const asks = request?.state === 'asking' || request?.state === 'expired';
  const close = () => setOpen(undefined);
  const run = async (name: string, reason?: string) => {
    const body = { id, reason: reason ?? '', ...(request ? { version: request.version } : {}) };
    notice.success((await call(quoteSteps[name as QuoteStep], { body }, {})).message);
    await refreshQuotes();
  };
  const tabs: DocumentTab[] = [
    {
      key: 'answers',
      title: '报价比较',
      ...(data ? { count: data.answers.filter((row) => row.kind === 'ANSWER').length } : {}),
      content: <Answers rows={data?.answers} onChoose={asks ? setOpen : undefined} />,
    },
    {
      key: 'goods',
      title: changed ? '货物（已变化）' : '货物',
      count: goods.length,
      content: (
        <LineTable row={QuoteGoodsRow} rows={data?.goods} rowId={(row) => row.orderId} columns={GOODS} label="货物" />
      ),
    },
    { key: 'texts', title: '询价文本', count: asked.length, content: <AskTexts id={id} asked={asked} /> },
    {
      key: 'bookings',
      title: '订舱',
      count: bookings.length,
      content: <LineTable row={BookingRow} rows={data?.bookings} label="订舱" none="选中报价后登记订舱" />,
    },
    notes.tab,
  ];
  return (
    <>
      <DocumentScreen
        number={request?.number}
        state={request && QuoteState.meta()?.states?.[request.state]}
        subject={request && subjectOf(request)}
        steps={request ? stepsOf(quoteRequest, WAY, request.state === 'expired' ? 'asking' : request.state) : []}
        figures={request && figuresOf(request)}
        error={error}
        onRetry={() => void refetch()}
        head={<Buttons request={request} onOpen={setOpen} />}
        tabs={tabs}
        side={notes.side}
        actions={data?.actions ?? []}
        onAction={run}
      />
      <ImportQuotes open={open === 'import'} onClose={close} />
      {request && open === 'answer' && <AnswerDialog request={request} asked={asked} onClose={close} />}
      {request && open === 'extend' && <ExtendDialog request={request} onClose={close} />}
      {request && open === 'book' && (
        <BookDialog request={request} booking={bookings.find((one) => one.state !== 'cancelled')} onClose={close} />
      )}
      {request && typeof open === 'object' && (
        <ChooseDialog request={request} answer={open} changed={changed} onClose={close} />
      )}
    </>
  );
}
