import { FileExcelOutlined } from '@ant-design/icons';
import { Segmented } from 'antd';
import { useState } from 'react';
import { formatInteger } from '../../contract/format.ts';
import { ProblemRow } from './ProblemRow.tsx';
import type { ImportCheck, ImportCorrection, ImportPreview, ImportProblem } from './types.ts';

interface Props {
  checked: ImportCheck;
  /** Size of the file in words. */
  size: string;
  errors: number;
  warnings: number;
  corrections: readonly ImportCorrection[];
  /** Undefined where the import takes no corrections. */
  onCorrect: ((line: number, field: string, value: string) => void) | undefined;
  onDrop: (line: number) => void;
  onUndo: (line: number, field: string) => void;
  onOther: () => void;
}

function Count({ value, label, tone = '' }: { value: number; label: string; tone?: string }) {
  return (
    <span className="import-count">
      <b className={`num ${tone}`}>{formatInteger(value)}</b> {label}
    </span>
  );
}

function Problems(props: Props & { problems: readonly ImportProblem[] }) {
  const { problems, corrections, onCorrect, onDrop, onUndo, checked } = props;
  const { problemCount = problems.length } = checked;
  return (
    <div className="import-rows">
      <table>
        <thead>
          <tr>
            <th>行号</th>
            <th>记录</th>
            <th>问题</th>
            <th>当前值或建议</th>
            <th>处理</th>
          </tr>
        </thead>
        <tbody>
          {problems.map((problem) => (
            <ProblemRow
              key={`${problem.line} ${problem.column} ${problem.message}`}
              problem={problem}
              correction={corrections.find((one) => one.line === problem.line)}
              onCorrect={onCorrect && ((field, value) => onCorrect(problem.line, field, value))}
              onDrop={() => onDrop(problem.line)}
              onUndo={(field) => onUndo(problem.line, field)}
            />
          ))}
        </tbody>
      </table>
      {problemCount > problems.length && (
        <div className="label">
          只列出前 {formatInteger(problems.length)} 条，共 {formatInteger(problemCount)} 条
        </div>
      )}
    </div>
  );
}

function Preview({ preview, total }: { preview: ImportPreview; total: number }) {
  return (
    <div className="import-rows">
      <table>
        <thead>
          <tr>
            {preview.titles.map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row) => (
            <tr key={row.join('\t')}>
              {preview.titles.map((title, index) => (
                <td key={title}>{row[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {total > preview.rows.length && <div className="label">预览前 {preview.rows.length} 行</div>}
    </div>
  );
}

type View = 'problems' | 'preview';

/** What the check found: counts, then each row that stops the file or must be confirmed, or the first rows to be written. */
export function CheckResult(props: Props) {
  const { checked, size, errors, warnings, onOther } = props;
  const { problems, preview } = checked;
  const [chosen, setChosen] = useState<View>('problems');
  const view: View = problems.length === 0 || (preview && chosen === 'preview') ? 'preview' : 'problems';
  const options: { value: View; label: string }[] = [
    { value: 'problems', label: `错误与确认 ${formatInteger(problems.length)}` },
    { value: 'preview', label: `预览 ${formatInteger(checked.ok)}` },
  ];
  return (
    <>
      <div className="import-file">
        <FileExcelOutlined className="success" />
        <b className="ellipsis" title={checked.fileName}>
          {checked.fileName}
        </b>
        <span className="label">
          {size} · {formatInteger(checked.total + (checked.dropped ?? 0))} 行
        </span>
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
        {checked.dropped ? <Count value={checked.dropped} label="不导入" tone="text3" /> : null}
        <span className="spring" />
        {problems.length > 0 && preview && preview.rows.length > 0 && (
          <Segmented size="small" options={options} value={view} onChange={setChosen} />
        )}
      </div>
      {view === 'problems' ? (
        <Problems {...props} problems={problems} />
      ) : (
        preview && preview.rows.length > 0 && <Preview preview={preview} total={checked.ok} />
      )}
    </>
  );
}
