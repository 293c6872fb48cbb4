import '../accounting.css';
import { Button, Input, Segmented } from 'antd';
import { useState } from 'react';
import { download, useCall, useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT_SUBJECTS, SubjectKind } from '../../contract/fields.ts';
import { bookState, exportSubjects, listSubjects, type SubjectRow, setSubjectState } from '../../contract/subjects.ts';
import { CREATE, CREATE_PATH, DETAIL } from '../../contract/vouchers.ts';
import { SUBJECT_READS } from '../refresh.ts';
import { SubjectDialog, TemplateDialog } from '../SubjectDialog.tsx';
import { SubjectTree } from '../SubjectTree.tsx';

const KINDS = [
  { value: '', label: '全部' },
  ...Object.entries(SubjectKind.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title })),
];

type Open = { of?: SubjectRow; parent?: SubjectRow };

/** 科目: the chart of accounts as a tree by code, and where the books begin. */
export default function Subjects() {
  const tab = useTab();
  const mayEdit = useAllowed(EDIT_SUBJECTS);
  const mayCreate = useAllowed(CREATE);
  const { data: book } = useCall(bookState, { body: {} });
  const [kind, setKind] = useState('');
  const [keyword, setKeyword] = useState('');
  const known = SubjectKind.safeParse(kind).data;
  const filter = { ...(known ? { kind: known } : {}), ...(keyword ? { keyword } : {}) };
  const { data, error, isError, refetch } = useCall(listSubjects, { body: { filter } }, { keep: true });
  const [open, setOpen] = useState<Open>();
  const [template, setTemplate] = useState(false);
  const stop = useSend(setSubjectState, { refreshes: SUBJECT_READS, onSuccess: () => notice.success('已保存') });
  const toggled = ({ state }: SubjectRow) => (state === 'active' ? 'stopped' : 'active');
  const openOpening = () =>
    book?.openingId
      ? tab.open(DETAIL, { title: '期初余额', query: { id: book.openingId } })
      : tab.open(CREATE_PATH, { title: '录入期初', query: { opening: '1' } });
  const apply = mayEdit && <Button onClick={() => setTemplate(true)}>套用模板</Button>;
  const actions = (row: SubjectRow) => [
    ...(row.code.length < 8 ? [{ label: '新增下级', onClick: () => setOpen({ parent: row }) }] : []),
    { label: '修改', edits: true, onClick: () => setOpen({ of: row }) },
    {
      label: row.state === 'active' ? '停用' : '启用',
      onClick: () => stop.mutate({ body: { id: row.id, version: row.version, state: toggled(row) } }),
    },
  ];
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text={error.message} />;
    if (book && !book.startMonth) {
      return (
        <Empty title="还没有科目" text="套用小企业会计准则的科目表即可开始记账，以后可以增加下级科目。">
          {apply}
        </Empty>
      );
    }
    return <SubjectTree rows={data} actions={mayEdit ? actions : undefined} />;
  };
  return (
    <div className="page-list">
      <ListHead title="科目">
        <Button onClick={() => void download(exportSubjects, { body: { filter } }).catch(() => undefined)}>导出</Button>
        {mayCreate && book?.startMonth && (
          <Button onClick={openOpening}>{book.openingId ? '查看期初' : '录入期初'}</Button>
        )}
        {apply}
        {mayEdit && (
          <Button type="primary" onClick={() => setOpen({})}>
            新增科目
          </Button>
        )}
      </ListHead>
      <div className="accounting-bar">
        <Segmented value={kind} options={KINDS} onChange={setKind} />
        <Input.Search
          aria-label="编码/名称"
          placeholder="编码/名称"
          style={{ width: 220 }}
          allowClear
          maxLength={50}
          onSearch={(text) => setKeyword(text.trim())}
        />
        {book?.startMonth && <span className="label">账套自 {book.startMonth} 启用，记账本位币 CNY</span>}
      </div>
      <div className="accounting-body">{body()}</div>
      {open && <SubjectDialog {...open} onClose={() => setOpen(undefined)} />}
      {template && (
        <TemplateDialog
          startMonth={book?.startMonth ?? `${companyDay().slice(0, 4)}-01`}
          onClose={() => setTemplate(false)}
        />
      )}
    </div>
  );
}
