import { InfoCircleFilled } from '@ant-design/icons';
import { Button, Input, Modal, Tooltip } from 'antd';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { OfferedAction } from '../../contract/document.ts';
import { useTab } from '../tabs/scope.ts';

interface Props {
  actions: readonly OfferedAction[];
  /** Takes an action; a refusal leaves the dialog open. */
  onAction: (name: string, reason?: string) => Promise<unknown>;
  /** What pressing the primary one will do; its own consequence where left out. */
  consequence?: ReactNode;
  /** Between consequence and actions. */
  extra?: ReactNode;
}

function Reason({
  action,
  onSend,
  onClose,
}: {
  action: OfferedAction;
  onSend: (reason: string) => Promise<void>;
  onClose: () => void;
}) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const send = () => {
    setBusy(true);
    void onSend(reason.trim()).finally(() => setBusy(false));
  };
  return (
    <Modal
      open
      width={480}
      title={action.title}
      okText={action.title}
      okButtonProps={{ disabled: !reason.trim(), danger: !action.primary }}
      confirmLoading={busy}
      onOk={send}
      onCancel={onClose}
    >
      {action.consequence && <p className="text2">{action.consequence}</p>}
      <div className="field">
        <label className="field-label" htmlFor={id}>
          原因<i aria-hidden="true">*</i>
        </label>
        <Input.TextArea
          id={id}
          autoFocus
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </Modal>
  );
}

/** Ctrl+Enter takes the primary action of the document in front. */
function usePrimaryKey(primary: OfferedAction | undefined, take: (action: OfferedAction) => void): void {
  const { active } = useTab();
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!active || !primary || primary.blocked) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      latest.current(primary);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, primary]);
}

/** The bar at the foot of a document: consequence at left, actions at right, the primary one last. */
export function ActionBar({ actions, onAction, consequence, extra }: Props) {
  const [busy, setBusy] = useState<string | null>(null);
  const [asking, setAsking] = useState<OfferedAction | null>(null);
  const primary = actions.find((action) => action.primary);

  const run = async (action: OfferedAction, reason?: string) => {
    setBusy(action.name);
    try {
      await onAction(action.name, reason);
      setAsking(null);
    } catch {
      // The client has said why.
    } finally {
      setBusy(null);
    }
  };
  const take = (action: OfferedAction) => {
    if (busy) return;
    if (action.reason) setAsking(action);
    else void run(action);
  };
  usePrimaryKey(primary, take);
  if (actions.length === 0 && !consequence && !extra) return null;

  const words = consequence ?? primary?.blocked ?? primary?.consequence;
  return (
    <footer className="action-bar">
      {words && (
        <span className="action-bar-words">
          <InfoCircleFilled className="accent" />
          {words}
        </span>
      )}
      <span className="spring" />
      {extra}
      {[...actions.filter((action) => action !== primary), ...(primary ? [primary] : [])].map((action) => (
        <Tooltip key={action.name} title={action.blocked ?? action.consequence}>
          <Button
            data-save={action.name === 'save' || undefined}
            type={action === primary ? 'primary' : 'default'}
            loading={busy === action.name}
            disabled={action.blocked !== undefined || (busy !== null && busy !== action.name)}
            onClick={() => take(action)}
          >
            {action.title}
          </Button>
        </Tooltip>
      ))}
      {primary && <kbd>Ctrl Enter</kbd>}
      {asking && <Reason action={asking} onSend={(reason) => run(asking, reason)} onClose={() => setAsking(null)} />}
    </footer>
  );
}
