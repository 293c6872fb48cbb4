import { Input, Modal } from 'antd';
import { useState } from 'react';

interface Props {
  title: string;
  text: string;
  /** A refusal leaves the dialog open; the client has said why. */
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the reason of something that cannot be done silently. */
export function ReasonDialog({ title, text, onSend, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await onSend(reason.trim());
      onClose();
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      width={480}
      title={title}
      okText="确认"
      okButtonProps={{ disabled: reason.trim() === '', danger: true }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <p className="text2">{text}</p>
      <Input.TextArea
        aria-label="原因"
        placeholder="原因"
        autoFocus
        rows={3}
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Modal>
  );
}
