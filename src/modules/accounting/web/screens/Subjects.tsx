import '../accounting.css';
import { Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT_SUBJECTS } from '../../contract/fields.ts';
import {
  bookState,
  exportSubjects,
  listSubjects,
  SubjectFilter,
  SubjectRow,
  setSubjectState,
} from '../../contract/subjects.ts';
import { CREATE, CREATE_PATH, DETAIL } from '../../contract/vouchers.ts';
import { SUBJECT_READS } from '../refresh.ts';
import { SubjectDialog, TemplateDialog } from '../SubjectDialog.tsx';

const levelOf = (code: string) => code.length / 2 - 1;
const COLUMNS: ColumnOverrides<SubjectRow> = {
  name: {
    render: (row) => <span className={`accounting-level-${levelOf(row.code)}`}>{row.name}</span>,
    text: (row) => row.name,
  },
};

type Open = { of?: SubjectRow; parent?: SubjectRow };

/** 科目: the chart of accounts as a tree by code, and where the books begin. */
export default function Subjects() {
  const tab = useTab();
  const mayEdit = useAllowed(EDIT_SUBJECTS);
  const mayCreate = useAllowed(CREATE);
  const { data: book } = useCall(bookState, { body: {} });
  const [open, setOpen] = useState<Open>();
  const [template, setTemplate] = useState(false);
  const stop = useSend(setSubjectState, { refreshes: SUBJECT_READS, onSuccess: () => notice.success('已保存') });
  const toggled = ({ state }: SubjectRow) => (state === 'active' ? 'stopped' : 'active');
  const openOpening = () =>
    book?.openingId
      ? tab.open(DETAIL, { title: '期初余额', query: { id: book.openingId } })
      : tab.open(CREATE_PATH, { title: '录入期初', query: { opening: '1' } });
  const apply = mayEdit && <Button onClick={() => setTemplate(true)}>套用模板</Button>;
  return (
    <>
      <ListScreen
        name="accounting/subjects"
        title="科目"
        unit="个科目"
        density="dense"
        endpoint={listSubjects}
        exportEndpoint={exportSubjects}
        row={SubjectRow}
        filter={SubjectFilter}
        columns={COLUMNS}
        head={
          <>
            {mayCreate && book?.startMonth && (
              <Button onClick={openOpening}>{book.openingId ? '查看期初' : '录入期初'}</Button>
            )}
            {apply}
            {mayEdit && (
              <Button type="primary" onClick={() => setOpen({})}>
                新增科目
              </Button>
            )}
          </>
        }
        actions={(row) =>
          mayEdit
            ? [
                ...(row.code.length < 8 ? [{ label: '新增下级', onClick: () => setOpen({ parent: row }) }] : []),
                { label: '修改', edits: true, onClick: () => setOpen({ of: row }) },
                {
                  label: row.state === 'active' ? '停用' : '启用',
                  onClick: () => stop.mutate({ body: { id: row.id, version: row.version, state: toggled(row) } }),
                },
              ]
            : []
        }
        empty={
          <Empty title="还没有科目" text="套用小企业会计准则的科目表即可开始记账，以后可以增加下级科目。">
            {apply}
          </Empty>
        }
        note={book?.startMonth ? `账套自 ${book.startMonth} 启用，记账本位币 CNY` : undefined}
      />
      {open && <SubjectDialog {...open} onClose={() => setOpen(undefined)} />}
      {template && (
        <TemplateDialog
          startMonth={book?.startMonth ?? `${companyDay().slice(0, 4)}-01`}
          onClose={() => setTemplate(false)}
        />
      )}
    </>
  );
}
