import { LeftOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { ApiError, call, messageOf, useCall, uuid } from '#kit/web/api/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import { carrierDetail, carrierSuppliers, saveCarrier } from '../../contract/transport/calls.ts';
import { CarrierForm, ChannelInput } from '../../contract/transport/carrier.ts';
import { toOptions } from '../choices.ts';
import { ChannelDialog } from '../transport/ChannelDialog.tsx';
import { DETAIL_PATH, refreshCarriers } from '../transport/shared.ts';
import '../transport/transport.css';

const SHOWN = [
  'name',
  'mode',
  'country',
  'zone',
  'daysMin',
  'daysMax',
  'billUnit',
  'divisor',
  'weightStep',
  'roundPer',
  'minBillable',
  'splitRate',
  'breakUp',
  'disabled',
] as const;

/** 新增 or 编辑物流商: `id` in the address names a known one. */
export default function CarrierEdit() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id');
  const found = useCall(carrierDetail, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 0 });
  if (found.isError) {
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} text="这家物流商没有取到。" />;
  }
  if (id !== null && !found.data) return null;
  const { row, form, channels = [] } = found.data ?? {};
  const known = row && { id: row.id, version: row.version };
  const inputs = channels.map(({ card: _, ...channel }) => channel);
  return <Editor key={`${id}${row?.version ?? ''}`} known={known} form={form} channels={inputs} />;
}

interface Props {
  known: { id: string; version: number } | undefined;
  form: CarrierForm | undefined;
  channels: ChannelInput[];
}

function Editor({ known, form: start, channels: given }: Props) {
  const tab = useTab();
  const [before, setBefore] = useState(given);
  const form = useForm(CarrierForm, start ?? { disabled: false });
  const [channels, setChannels] = useState(before);
  /** Place of the channel that is open in the dialog; behind the last one for a new one. */
  const [open, setOpen] = useState<number>();
  const [busy, setBusy] = useState(false);
  const { data: suppliers = [] } = useCall(carrierSuppliers, {}, { staleTime: 60_000 });
  useDirty(form.dirty || channels !== before);
  const save = async () => {
    const values = form.check();
    if (!values || busy) return;
    setBusy(true);
    try {
      const body = { ...values, ...known, channels };
      const { id } = await call(saveCarrier, { body }, { quiet: true, idempotencyKey: uuid() });
      form.reset(form.values);
      setBefore(channels);
      notice.success(`物流商【${values.name}】已保存`);
      await refreshCarriers();
      tab.open(DETAIL_PATH, { title: values.name, query: { id }, replace: true });
    } catch (error) {
      if (!form.refuse(error) && error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{known ? `编辑${start?.name ?? ''}` : '新增物流商'}</h1>
      </div>
      <div className="document-content">
        <div className="trans-form">
          <SchemaForm
            form={form}
            fields={{
              name: { span: 2 },
              terms: { span: 2, placeholder: '如 月结30天' },
              supplierId: { span: 2, placeholder: '可不选', options: toOptions(suppliers) },
              remark: { span: 3 },
              disabled: { help: '停用后不参与比价' },
            }}
          />
        </div>
        <section className="trans-section" aria-label="渠道">
          <div className="trans-head">
            <h2>渠道</h2>
            <span className="label">点击一行修改；不再使用的渠道请停用，历史价卡保留</span>
            <span className="spring" />
            <Button size="small" icon={<PlusOutlined />} onClick={() => setOpen(channels.length)}>
              添加渠道
            </Button>
          </div>
          <LineTable
            row={ChannelInput}
            rows={channels}
            only={SHOWN}
            label="渠道"
            none="还没有渠道"
            rowId={(row, index) => row.id ?? `new ${index}`}
            onOpen={(row) => setOpen(channels.indexOf(row))}
          />
        </section>
      </div>
      <footer className="action-bar">
        <span className="spring" />
        <Button type="primary" data-save loading={busy} onClick={() => void save()}>
          保存
        </Button>
      </footer>
      {open !== undefined && (
        <ChannelDialog
          channel={channels[open]}
          onPut={(channel) =>
            setChannels(
              open === channels.length
                ? [...channels, channel]
                : channels.map((one, at) => (at === open ? { ...one, ...channel } : one)),
            )
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}
