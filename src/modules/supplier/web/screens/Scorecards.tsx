import '../supplier.css';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { cacheKey, call, queryClient, useCall, uuid } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import {
  applyProposals,
  countScores,
  exportScores,
  keepGrades,
  listScores,
  ScoreFilter,
  ScoreRow,
  type Skipped,
  scoreQuarters,
} from '../../contract/grading.ts';
import { GRADE, type Grade } from '../../contract.ts';
import { TONES } from '../GradeHistory.tsx';
import { GradingDialog } from '../GradingDialog.tsx';
import { GRADES, LockDialog } from '../LockDialog.tsx';
import { SupplierDrawer } from '../SupplierDrawer.tsx';

const keyOf = ({ supplierId, quarter }: ScoreRow) => `${supplierId} ${quarter}`;
const idsOf = (rows: readonly ScoreRow[]) => rows.map(({ supplierId, quarter }) => ({ supplierId, quarter }));
const refresh = () => Promise.all(GRADES.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
const gradeTag = (grade: Grade | null) => (grade ? <Tag tone={TONES[grade]} title={grade} /> : '—');

/** What was done, and of whom it was not done and why. */
function report(done: string, skipped: Skipped): void {
  if (skipped.length === 0) notice.success(done);
  else
    Modal.info({
      title: done,
      content: (
        <ul className="supplier-skipped">
          {skipped.map(({ supplier, quarter, why }) => (
            <li key={`${supplier} ${quarter}`}>
              {supplier} {quarter}：{why}
            </li>
          ))}
        </ul>
      ),
    });
}

async function applyTo(rows: readonly ScoreRow[]): Promise<void> {
  const input = { body: { ids: idsOf(rows) } };
  const { applied, skipped } = await call(applyProposals, input, { idempotencyKey: uuid() });
  report(`已调整 ${applied} 家供应商的等级`, skipped);
  await refresh();
}

function askApply(rows: readonly ScoreRow[]): void {
  const blocked = rows.filter((row) => row.grade === 'D').map((row) => row.supplier);
  Modal.confirm({
    title: `按建议调整 ${rows.length} 家供应商的等级`,
    content: blocked.length > 0 ? `${blocked.join('、')} 将降为 D 级，不能再下单。` : null,
    okText: '应用建议',
    // What was refused the client has said.
    onOk: () => applyTo(rows).catch(() => undefined),
  });
}

const unfit = (row: ScoreRow) => (row.state === 'proposed' ? undefined : '没有待处理的建议');

/** 供应商评分: the scorecards of a quarter, and what becomes of the grades. */
export default function Scorecards() {
  const { data, isError, error, refetch } = useCall(scoreQuarters, {}, { staleTime: 60_000 });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <span className="skeleton" />;
  return <Loaded {...data} />;
}

interface Quarters {
  running: string;
  /** With proposals that nobody has decided about. */
  waiting: string | null;
  quarters: readonly string[];
}

function Loaded({ running, waiting, quarters }: Quarters) {
  const mayGrade = useAllowed(GRADE);
  const [defaults] = useState({ quarter: waiting ?? running });
  const [supplier, setSupplier] = useState<string>();
  const [setting, setSetting] = useState(false);
  const [keeping, setKeeping] = useState<readonly ScoreRow[]>();
  const [locking, setLocking] = useState<ScoreRow>();
  const open = (row: ScoreRow) => setSupplier(row.supplierId);
  return (
    <>
      <ListScreen
        name="supplier/scores"
        title="供应商评分"
        unit="家"
        density="dense"
        endpoint={listScores}
        exportEndpoint={exportScores}
        row={ScoreRow}
        filter={ScoreFilter}
        rowId={keyOf}
        defaults={defaults}
        options={{
          quarter: quarters.map((value) => ({ value, label: value === running ? `${value}（本季度）` : value })),
        }}
        tabs={{ field: 'state', counts: countScores }}
        columns={{
          currentGrade: { render: (row) => gradeTag(row.currentGrade), text: (row) => row.currentGrade },
          grade: { render: (row) => gradeTag(row.grade), text: (row) => row.grade ?? '' },
        }}
        onOpen={open}
        {...(mayGrade
          ? {
              batch: [
                { label: '应用建议', primary: true, unfit, onClick: askApply },
                { label: '维持原等级', unfit, onClick: (rows: ScoreRow[]) => setKeeping(rows) },
              ],
            }
          : {})}
        actions={(row) => [
          { label: '查看', onClick: () => open(row) },
          ...(mayGrade ? [{ label: row.locked ? '解锁' : '锁定', onClick: () => setLocking(row) }] : []),
        ]}
        head={<Button onClick={() => setSetting(true)}>评级设置</Button>}
        empty={<Empty title="还没有供应商评分" text="采购行到期后，每晚计算一次本季度的评分。" />}
        note="每晚更新；季度定稿后不再变化"
      />
      <SupplierDrawer id={supplier} first="score" onClose={() => setSupplier(undefined)} />
      {setting && <GradingDialog onClose={() => setSetting(false)} />}
      {locking && (
        <LockDialog
          supplier={{ id: locking.supplierId, name: locking.supplier, locked: locking.locked }}
          onClose={() => setLocking(undefined)}
        />
      )}
      {keeping && (
        <ReasonDialog
          title={`${keeping.length} 家供应商维持原等级`}
          okText="维持原等级"
          onSend={async (reason) => {
            const input = { body: { ids: idsOf(keeping), reason } };
            const { kept, skipped } = await call(keepGrades, input, { quiet: true, idempotencyKey: uuid() });
            report(`${kept} 家供应商维持原等级`, skipped);
            await refresh();
          }}
          onClose={() => setKeeping(undefined)}
        >
          本季度的建议不再处理，等级不变。
        </ReasonDialog>
      )}
    </>
  );
}
