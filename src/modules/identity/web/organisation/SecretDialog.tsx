import { Button, Modal } from 'antd';
import { Copy } from '#kit/web/cells/index.ts';

export interface SecretLine {
  label: string;
  value: string;
}

interface Props {
  title: string;
  lines: readonly SecretLine[] | undefined;
  note: string;
  onClose: () => void;
}

/** Something that is shown this once: a password or a secret that the server made up. */
export function SecretDialog({ title, lines, note, onClose }: Props) {
  return (
    <Modal
      title={title}
      open={lines !== undefined}
      width={560}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          已记下
        </Button>
      }
    >
      <div className="secret-box">
        {lines?.map((line) => (
          <div key={line.label + line.value} style={{ display: 'contents' }}>
            <span className="label">{line.label}</span>
            <span>
              <span className="code">{line.value}</span> <Copy text={line.value} />
            </span>
          </div>
        ))}
      </div>
      <div className="note is-warning">{note}</div>
    </Modal>
  );
}
