import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { DocumentScreen, type DocumentTab, FactColumns, Facts, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type SelfStep, selfDetail, selfNotes, selfSteps } from '../../contract/self/calls.ts';
import { type SelfState, selfDoc } from '../../contract/self/doc.ts';
import { SELF_LABEL, Urgency } from '../../contract/self/fields.ts';
import type { Recipient, SelfWay } from '../../contract/self/input.ts';
import { LabelRow, listLabels } from '../../contract/self/label.ts';
import { SelfLineRow, type SelfRow } from '../../contract/self/rows.ts';
import { BackDialog, WayDialog, WeighDialog } from '../self/dialogs.tsx';
import { LabelDialog } from '../self/LabelDialog.tsx';
import { VerdictDialog, VoidDialog } from '../self/label-dialogs.tsx';
import { PickDialog } from '../self/PickDialog.tsx';
import { SelfButtons, type SelfDialog } from '../self/SelfButtons.tsx';
import { lookAt, refreshSelf } from '../self/shared.ts';
import '../shipping.css';

/** The usual way; what stands still does so in its place of it. */
function wayOf(state: SelfState): SelfState[] {
  const first = state === 'short' ? 'short' : 'pending';
  return [first, 'printing', 'ready', 'out', state === 'trouble' ? 'trouble' : 'shipped'];
}

function figuresOf(document: SelfRow): Figure[] {
  const { urgency, skus, qty, weightG } = document;
  return [
    { key: 'skus', label: 'SKU数', value: formatInteger(skus) },
    { key: 'qty', label: '数量', value: formatInteger(qty) },
    { key: 'weight', label: '重量(g)', value: weightG === null ? '—' : formatInteger(weightG) },
    { key: 'urgency', label: '发货时效', value: Urgency.meta()?.states?.[urgency]?.title ?? '—' },
  ];
}

const subjectOf = ({ store, warehouse, country, orders, problem }: SelfRow): string =>
  [`${warehouse} → ${country || '—'}`, store?.name, orders, problem].filter(Boolean).join(' · ');

const fee = (amount: string | null, currency: string) => (amount === null ? '—' : `${amount} ${currency}`);

/** Where it goes and how. */
function Way({ to, way, document }: { to: Recipient; way: SelfWay; document: SelfRow }) {
  const { recipient, phone, country, region, city, street, postalCode } = to;
  return (
    <FactColumns>
      <Facts
        title="收件人"
        facts={
          document.origin === 'OFFLINE'
            ? [
                { label: '收件人', value: recipient },
                { label: '电话', value: phone || '—' },
                { label: '地址', value: [street, city, region, postalCode, country].filter(Boolean).join('，') },
              ]
            : [
                { label: '收件国', value: country || '—' },
                { label: '州', value: region || '—' },
                { label: '邮编前缀', value: postalCode || '—' },
              ]
        }
      />
      <Facts
        title="物流"
        facts={[
          { label: '物流渠道', value: document.channel || '—' },
          { label: '承运商', value: way.carrier || '—' },
          { label: '运单号', value: way.trackingNo || '—' },
          { label: '尺寸(cm)', value: document.size || '—' },
          { label: '预估运费', value: fee(way.estimatedFee, way.currency) },
          { label: '实际运费', value: fee(way.actualFee, way.currency) },
        ]}
      />
    </FactColumns>
  );
}

/** Every label that was asked for. */
function Labels({ id }: { id: string }) {
  const { data } = useCall(listLabels, { params: { id } }, { staleTime: 0 });
  const [newest] = data ?? [];
  return (
    <>
      <LineTable row={LabelRow} rows={data} label="面单" />
      {newest?.state === 'bought' && !newest.hasFile && (
        <Allowed code={SELF_LABEL}>
          <Button onClick={() => lookAt(id)}>取回面单文件</Button>
        </Allowed>
      )}
    </>
  );
}

/** 自发货单详情: what goes, to whom, where it stands, and what can be done now. */
export default function SelfDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(selfDetail, { params: { id } }, { staleTime: 0 });
  const [open, setOpen] = useState<SelfDialog>();
  const notes = useNotes({ calls: selfNotes, id, timeline: data?.timeline, refresh: refetch });
  const { document, lines } = data ?? {};
  const run = async (name: string, reason?: string) => {
    const body = { id, ...(document ? { version: document.version } : {}), ...(reason ? { reason } : {}) };
    notice.success((await call(selfSteps[name as SelfStep], { body }, {})).message);
    await refreshSelf();
  };
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '发货明细',
      ...(lines ? { count: lines.length } : {}),
      content: <LineTable row={SelfLineRow} rows={lines} density="picture" label="发货明细" />,
    },
    { key: 'way', title: '收件与物流', content: data && <Way {...data} /> },
    ...(document && document.labelState !== 'none'
      ? [{ key: 'labels', title: '面单', content: <Labels id={id} /> }]
      : []),
    notes.tab,
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <DocumentScreen
        number={document?.number}
        state={document && selfDoc.states[document.state]}
        subject={document && subjectOf(document)}
        steps={document ? stepsOf(selfDoc, wayOf(document.state), document.state) : []}
        figures={document && figuresOf(document)}
        error={error}
        onRetry={() => void refetch()}
        head={<SelfButtons document={document} onOpen={setOpen} />}
        tabs={tabs}
        side={notes.side}
        actions={data?.actions ?? []}
        onAction={run}
      />
      {data && document && open === 'way' && <WayDialog document={document} way={data.way} onClose={close} />}
      {data && document && open === 'label' && <LabelDialog document={document} way={data.way} onClose={close} />}
      {document && open === 'void' && <VoidDialog document={document} onClose={close} />}
      {document && open === 'verdict' && <VerdictDialog document={document} onClose={close} />}
      {document && open === 'weigh' && <WeighDialog document={document} onClose={close} />}
      {document && open === 'pick' && <PickDialog document={document} onClose={close} />}
      {data && document && open === 'back' && (
        <BackDialog document={document} warehouseId={data.input.warehouseId} onClose={close} />
      )}
    </>
  );
}
