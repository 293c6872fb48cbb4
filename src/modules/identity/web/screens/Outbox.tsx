import { Modal } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { CHANNELS, listOutbox, OutboxFilter, OutboxRow, openOutbox, outboxChannels } from '../../contract/outbox.ts';

const NOTHING = <Empty title="发件箱是空的" text="没有配置服务的渠道要发出的消息会保存在这里，保留 30 天。" />;

/** Tells which channels end here. */
function Channels() {
  const { data } = useCall(outboxChannels, {});
  if (!data) return null;
  const titles = (which: boolean) =>
    data.filter(({ ready }) => ready === which).map(({ channel }) => CHANNELS[channel].title);
  const [kept, sent] = [titles(false), titles(true)];
  return (
    <span className="note">
      {kept.length > 0 && `未配置服务、存入发件箱：${kept.join('、')}`}
      {sent.length > 0 && `　已配置、直接发送：${sent.join('、')}`}
    </span>
  );
}

/** 发件箱 (operator): messages that did not leave the product, because nobody delivers to their channel. */
export default function Outbox() {
  const [message, setMessage] = useState<{ target: string; subject: string | null; text: string }>();
  const open = useSend(openOutbox, { onSuccess: setMessage });
  const look = (row: OutboxRow) => open.mutate({ params: { id: row.id } });
  const actions = (row: OutboxRow): RowAction[] => [{ label: '查看', onClick: () => look(row) }];
  return (
    <>
      <ListScreen
        name="identity/outbox"
        title="发件箱"
        unit="条消息"
        endpoint={listOutbox}
        row={OutboxRow}
        filter={OutboxFilter}
        actions={actions}
        empty={NOTHING}
        head={<Channels />}
      />
      <Modal
        title={message?.subject ?? `发往 ${message?.target ?? ''}`}
        open={message !== undefined}
        footer={null}
        onCancel={() => setMessage(undefined)}
      >
        <p style={{ whiteSpace: 'pre-wrap' }}>{message?.text}</p>
        <p>接收方 {message?.target}。本次查看已记入操作日志。</p>
      </Modal>
    </>
  );
}
