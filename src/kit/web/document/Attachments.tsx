import { DeleteOutlined, DownloadOutlined, PaperClipOutlined } from '@ant-design/icons';
import { Button, Popconfirm, Upload } from 'antd';
import { useState } from 'react';
import { ATTACHMENT_TYPES, type Attachment, type NoteCalls } from '../../contract/document-notes.ts';
import { formatBytes } from '../../contract/format.ts';
import { download, upload, useSend } from '../api/index.ts';
import { When } from '../cells/Time.tsx';
import { useAllowed } from '../session.ts';

interface Props {
  calls: NoteCalls;
  id: string;
  files: readonly Attachment[] | undefined;
  /** Files were put to the document or taken away. */
  onChanged: () => Promise<unknown>;
}

const ACCEPT = Object.keys(ATTACHMENT_TYPES)
  .map((ending) => `.${ending}`)
  .join(',');

function Item({ calls, id, file, onChanged }: Omit<Props, 'files'> & { file: Attachment }) {
  const remove = useSend(calls.detach, { onSuccess: () => void onChanged() });
  return (
    <li>
      <PaperClipOutlined className="text2" />
      <span className="attachment-name ellipsis" title={file.name}>
        {file.name}
      </span>
      <span className="label num">{formatBytes(file.size)}</span>
      <span className="label">{file.byName}</span>
      <span className="label">
        <When at={file.at} />
      </span>
      <span className="spring" />
      <Button
        size="small"
        type="text"
        icon={<DownloadOutlined />}
        aria-label={`下载 ${file.name}`}
        onClick={() => void download(calls.attachment, { params: { id, fileId: file.fileId } }).catch(() => {})}
      />
      {file.mine && (
        <Popconfirm
          title="移除这个附件？"
          okText="移除"
          onConfirm={() => remove.mutateAsync({ body: { id, fileId: file.fileId } }).catch(() => {})}
        >
          <Button size="small" type="text" icon={<DeleteOutlined />} aria-label={`移除 ${file.name}`} />
        </Popconfirm>
      )}
    </li>
  );
}

/** The papers of a document: contracts, invoices, slips. Several files are sent one after the other. */
export function Attachments({ calls, id, files, onChanged }: Props) {
  const mayAttach = useAllowed(calls.attach.permission);
  const [waiting, setWaiting] = useState(0);
  const send = async (file: File) => {
    setWaiting((count) => count + 1);
    // The client says what was refused; the other files go on.
    await upload(calls.attach, { body: { id } }, file).catch(() => {});
    setWaiting((count) => count - 1);
    await onChanged();
  };
  return (
    <section className="attachments" aria-label="附件">
      {mayAttach && (
        <Upload.Dragger
          multiple
          accept={ACCEPT}
          showUploadList={false}
          beforeUpload={(file) => {
            void send(file);
            return false;
          }}
        >
          <p className="text2">
            {waiting > 0 ? `正在上传，还有 ${waiting} 个` : '拖动文件到这里，或点击选择'}
            <span className="label">　图片、PDF、Office、CSV、ZIP，单个不超过20MB</span>
          </p>
        </Upload.Dragger>
      )}
      {files?.length === 0 && <p className="label">还没有附件</p>}
      <ul>
        {files?.map((file) => (
          <Item key={file.fileId} calls={calls} id={id} file={file} onChanged={onChanged} />
        ))}
      </ul>
    </section>
  );
}
