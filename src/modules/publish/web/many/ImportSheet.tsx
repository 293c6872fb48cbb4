import { upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { takeSheet } from '../../contract/many.ts';
import { refreshDrafts } from '../refresh.ts';

async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(takeSheet, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  const words =
    found.changed === 0
      ? `${found.rows} 份草稿，没有修改`
      : `${found.rows} 份草稿，其中 ${found.changed} 份有修改，共 ${found.cells} 处`;
  return fileCheck(file, found, found.problems.length > 0 ? null : words);
}

const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(takeSheet, { body: { write: 'yes' } }, file, { quiet: true });

/** 导入批量编辑表: what was changed in it goes into its drafts, to be looked through and handed in. */
export function ImportSheet({ onClose }: { onClose: () => void }) {
  return (
    <ImportDialog<FileCheck>
      title="导入批量编辑表"
      open
      onClose={onClose}
      check={check}
      commit={commit}
      onDone={() => void refreshDrafts()}
      accept=".xlsx"
      okText="写入草稿"
      note="只修改草稿，不会提交；有一处不正确就全部不写入。清空的单元格会删除该值。"
    />
  );
}
