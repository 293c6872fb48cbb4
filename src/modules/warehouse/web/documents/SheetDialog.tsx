import { PrinterOutlined } from '@ant-design/icons';
import { Modal } from 'antd';
import { useRef } from 'react';
import type { LineRow } from '../../contract/documents/fields.ts';
import type { Head, WebKind } from './kinds.ts';
import { sheetHtml } from './sheet.ts';

interface Props {
  kind: WebKind;
  head: Head;
  lines: readonly LineRow[];
  onClose: () => void;
}

/** The sheet before it is printed. */
export function SheetDialog({ kind, head, lines, onClose }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  return (
    <Modal
      title={`打印${kind.sheet.title}`}
      open
      width={860}
      okText="打印"
      okButtonProps={{ icon: <PrinterOutlined /> }}
      cancelText="关闭"
      onOk={() => frame.current?.contentWindow?.print()}
      onCancel={onClose}
    >
      <iframe
        ref={frame}
        className="sheet-frame"
        title={kind.sheet.title}
        sandbox="allow-same-origin allow-modals"
        srcDoc={sheetHtml(kind, head, lines)}
      />
    </Modal>
  );
}
