import { ExclamationCircleFilled, FileExcelOutlined, WarningFilled } from '@ant-design/icons';
import { formatInteger } from '../../contract/format.ts';
import type { ImportCheck, ImportProblem } from './types.ts';

interface Props {
  checked: ImportCheck;
  errors: number;
  warnings: number;
  onOther: () => void;
}

function Row({ problem }: { problem: ImportProblem }) {
  const bad = problem.level === 'error';
  return (
    <tr>
      <td className="num text3">{problem.line}</td>
      <td className="code">{problem.key ?? '—'}</td>
      <td>{problem.column ?? '—'}</td>
      <td className={bad ? 'danger' : 'warning'}>
        {bad ? <ExclamationCircleFilled /> : <WarningFilled />} {problem.message}
      </td>
      <td>{problem.suggestion ?? problem.value ?? '—'}</td>
    </tr>
  );
}

function Count({ value, label, tone = '' }: { value: number; label: string; tone?: string }) {
  return (
    <span className="import-count">
      <b className={`num ${tone}`}>{formatInteger(value)}</b> {label}
    </span>
  );
}

/** What the check found: counts, then each row that stops the file or must be confirmed. */
export function CheckResult({ checked, errors, warnings, onOther }: Props) {
  const { problems, problemCount = problems.length } = checked;
  return (
    <>
      <div className="import-file">
        <FileExcelOutlined className="success" />
        <b>{checked.fileName}</b>
        <span className="label">{formatInteger(checked.total)} 行</span>
        <span className="spring" />
        <button type="button" className="link" onClick={onOther}>
          换文件
        </button>
      </div>
      <div className="import-counts">
        <Count value={checked.total} label="总行数" tone="text1" />
        <Count value={checked.ok} label="可写入" tone="success" />
        <Count value={errors} label="错误" tone={errors > 0 ? 'danger' : 'text3'} />
        <Count value={warnings} label="需确认" tone={warnings > 0 ? 'warning' : 'text3'} />
      </div>
      {problems.length > 0 && (
        <div className="import-problems">
          <table>
            <thead>
              <tr>
                <th>行号</th>
                <th>记录</th>
                <th>列</th>
                <th>问题</th>
                <th>当前值或建议</th>
              </tr>
            </thead>
            <tbody>
              {problems.map((problem) => (
                <Row key={`${problem.line} ${problem.column} ${problem.message}`} problem={problem} />
              ))}
            </tbody>
          </table>
          {problemCount > problems.length && (
            <div className="label">
              只列出前 {problems.length} 条，共 {formatInteger(problemCount)} 条
            </div>
          )}
        </div>
      )}
    </>
  );
}
