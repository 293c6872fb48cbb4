import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, download, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Copy, DueDay } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type ClaimStep, claimDetail, claimNotes, claimPack, claimSteps } from '../../contract/claim/calls.ts';
import { ClaimPayment, type ClaimRow, COST, claimCase } from '../../contract/claim/claim.ts';
import { ADD } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { CheckDialog, FileDialog, PayDialog } from '../claim/dialogs.tsx';
import { refreshClaims } from '../claim/refresh.ts';
import '../shipping.css';

const WAY = ['found', 'toClaim', 'filed', 'paid'];
const DIALOGS = { check: CheckDialog, file: FileDialog, pay: PayDialog };
type Dialog = keyof typeof DIALOGS;

const figuresOf = (claim: ClaimRow, seesCost: boolean): Figure[] => [
  { key: 'shipped', label: '已发', value: formatInteger(claim.shipped) },
  { key: 'received', label: '已接收', value: formatInteger(claim.received) },
  { key: 'qty', label: claim.kind === 'SHORT' ? '少收' : '多收', value: formatInteger(claim.qty) },
  ...(seesCost && claim.value !== null
    ? [{ key: 'value', label: '货值', value: formatMoney(claim.value, 'CNY') }]
    : []),
  { key: 'deadline', label: '截止日', value: <DueDay day={claim.deadline} none="—" /> },
  { key: 'paidQty', label: '赔付数量', value: formatInteger(claim.paidQty) },
  {
    key: 'paid',
    label: '赔付金额',
    value: claim.paid.map(({ amount, currency }) => formatMoney(amount, currency)).join(' + ') || '—',
  },
];

function Subject({ claim }: { claim: ClaimRow }) {
  return (
    <>
      {[
        `${claim.store.name}-${claim.store.country}`,
        claim.shipmentNo,
        claim.msku,
        claim.caseNo && `案件 ${claim.caseNo}`,
      ]
        .filter(Boolean)
        .join(' · ')}
      {' · '}
      <span className="claim-order">
        <TabLink to={shipOrder.detail} title={claim.order} query={{ id: claim.orderId }}>
          {claim.order}
        </TabLink>
      </span>
    </>
  );
}

/** What can be done with a discrepancy beside its plain steps. */
function Buttons({ claim, onOpen }: { claim: ClaimRow | undefined; onOpen: (dialog: Dialog) => void }) {
  const is = (...states: ClaimRow['state'][]) => claim !== undefined && states.includes(claim.state);
  const short = claim?.kind === 'SHORT';
  const offers: { key: Dialog; label: string; when: boolean; primary: boolean }[] = [
    { key: 'check', label: '核查', when: is('found', 'toClaim'), primary: is('found') },
    { key: 'file', label: '提交索赔', when: short && is('found', 'toClaim', 'refused'), primary: is('toClaim') },
    { key: 'pay', label: '登记赔付', when: short && is('filed', 'partly'), primary: false },
  ];
  return (
    <>
      <Allowed code={ADD}>
        {offers
          .filter(({ when }) => when)
          .map(({ key, label, primary }) => (
            <Button key={key} type={primary ? 'primary' : 'default'} onClick={() => onOpen(key)}>
              {label}
            </Button>
          ))}
      </Allowed>
      {short && (
        <Button onClick={() => void download(claimPack, { params: { id: claim?.id ?? '' } })}>下载证据包</Button>
      )}
    </>
  );
}

/** 货件差异详情: what differs, the papers, the text of the case, and what was paid. */
export default function ClaimDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(claimDetail, { params: { id } }, { staleTime: 0 });
  const [open, setOpen] = useState<Dialog>();
  const notes = useNotes({ calls: claimNotes, id, timeline: data?.timeline, refresh: refetch });
  const seesCost = useAllowed(COST);
  const { claim, payments, text = '' } = data ?? {};
  const run = async (name: string, reason?: string) => {
    const body = { id, reason: reason ?? '', ...(claim ? { version: claim.version } : {}) };
    notice.success((await call(claimSteps[name as ClaimStep], { body }, {})).message);
    await refreshClaims();
  };
  const tabs: DocumentTab[] = [
    {
      key: 'payments',
      title: '赔付',
      ...(payments ? { count: payments.length } : {}),
      content: <LineTable row={ClaimPayment} rows={payments} rowId={(row) => row.id} label="赔付" />,
    },
    ...(claim?.kind === 'SHORT'
      ? [
          {
            key: 'text',
            title: '案件文本',
            content: (
              <div className="claim-text">
                <Copy text={text} />
                <pre lang="en">{text}</pre>
              </div>
            ),
          },
        ]
      : []),
    { ...notes.tab, title: '证据' },
  ];
  const Opened = open && DIALOGS[open];
  return (
    <>
      <DocumentScreen
        number={claim?.number}
        state={claim && claimCase.states[claim.state]}
        subject={claim && <Subject claim={claim} />}
        steps={claim ? stepsOf(claimCase, WAY, claim.state) : []}
        figures={claim && figuresOf(claim, seesCost)}
        error={error}
        onRetry={() => void refetch()}
        head={<Buttons claim={claim} onOpen={setOpen} />}
        tabs={tabs}
        side={notes.side}
        actions={data?.actions ?? []}
        onAction={run}
      />
      {Opened && claim && <Opened claim={claim} onClose={() => setOpen(undefined)} />}
    </>
  );
}
