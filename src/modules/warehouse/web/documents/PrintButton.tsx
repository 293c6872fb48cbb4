import { PrinterOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { download } from '#kit/web/api/index.ts';
import { overseasCalls } from '../../contract/documents/overseas.ts';
import type { WebKind } from './kinds.ts';

/** The sheet of a document and the labels of its pieces, as PDF. */
export function PrintButton({ kind, id, disabled }: { kind: WebKind; id: string; disabled: boolean }) {
  const print = (what: 'print' | 'labels') => void download(kind.calls[what], { params: { id } }).catch(() => {});
  return (
    <Dropdown
      disabled={disabled}
      trigger={['click']}
      menu={{
        items: [
          { key: 'print', label: '单据', onClick: () => print('print') },
          { key: 'labels', label: 'SKU标签', onClick: () => print('labels') },
          ...(kind.name === 'warehouse/overseas'
            ? [
                {
                  key: 'marks',
                  label: '箱唛',
                  onClick: () => void download(overseasCalls.marks, { params: { id } }).catch(() => {}),
                },
              ]
            : []),
        ],
      }}
    >
      <Button icon={<PrinterOutlined />}>打印</Button>
    </Dropdown>
  );
}
