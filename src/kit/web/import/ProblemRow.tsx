import { ExclamationCircleFilled, WarningFilled } from '@ant-design/icons';
import { Input } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import type { ImportCorrection, ImportProblem } from './types.ts';

export interface RowProps {
  problem: ImportProblem;
  /** What the user has put right in this line since, if anything. */
  correction: ImportCorrection | undefined;
  /** Undefined where the import takes no corrections. */
  onCorrect: ((field: string, value: string) => void) | undefined;
  onDrop: () => void;
  onUndo: (field: string) => void;
}

function Editor({
  problem,
  first,
  onSave,
  onClose,
}: {
  problem: ImportProblem;
  first: string;
  onSave: (text: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(first);
  const save = () => {
    if (text !== first || text !== (problem.value ?? '')) onSave(text);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    else if (event.key === 'Escape') onClose();
    else return;
    // Esc gives up the cell, not the dialog.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Input
      size="small"
      autoFocus
      value={text}
      aria-label={`第 ${problem.line} 行 ${problem.column ?? ''}`}
      placeholder={problem.suggestion ?? undefined}
      onChange={(event) => setText(event.target.value)}
      onFocus={(event) => event.target.select()}
      onKeyDown={onKeyDown}
      onBlur={save}
    />
  );
}

function Value({ problem, after }: { problem: ImportProblem; after: string | undefined }) {
  const before = problem.value || '空';
  if (after !== undefined) {
    return (
      <>
        <s className="text3">{before}</s> → <b className="accent">{after || '空'}</b>
      </>
    );
  }
  return (
    <>
      <span className="code">{before}</span>
      {problem.suggestion && <span className="text3 import-hint">{problem.suggestion}</span>}
    </>
  );
}

/** One row that is not good yet: why, what stands there, and the ways to put it right without leaving the dialog. */
export function ProblemRow({ problem, correction, onCorrect, onDrop, onUndo }: RowProps) {
  const [editing, setEditing] = useState(false);
  const bad = problem.level === 'error';
  const { field, fix } = problem;
  const given = field ? correction?.values[field] : undefined;
  // What was put right before the last check and is still not good is the row's value now.
  const after = given === problem.value ? undefined : given;
  const dropped = correction?.drop ?? false;
  const settled = dropped || after !== undefined;

  const ways = () => {
    if (!onCorrect || !field || editing) return null;
    if (settled) {
      return (
        <button type="button" className="link" onClick={() => onUndo(field)}>
          撤销
        </button>
      );
    }
    return (
      <>
        {fix != null && (
          <button type="button" className="link" onClick={() => onCorrect(field, fix)}>
            采用建议
          </button>
        )}
        <button type="button" className="link" onClick={() => setEditing(true)}>
          就地修改
        </button>
        <button type="button" className="link is-quiet" onClick={onDrop}>
          不导入
        </button>
      </>
    );
  };

  return (
    <tr className={settled ? 'is-settled' : undefined}>
      <td className="num text3">{problem.line}</td>
      <td className="code import-key ellipsis" title={problem.key ?? undefined}>
        {problem.key || '—'}
      </td>
      <td className={bad ? 'danger' : 'warning'}>
        {bad ? <ExclamationCircleFilled /> : <WarningFilled />} {problem.message}
        {problem.column && <span className="text3 import-hint">{problem.column}</span>}
      </td>
      <td>
        {editing && field ? (
          <Editor
            problem={problem}
            first={after ?? problem.value ?? ''}
            onSave={(text) => onCorrect?.(field, text)}
            onClose={() => setEditing(false)}
          />
        ) : dropped ? (
          <span className="text3">不导入此行</span>
        ) : (
          <Value problem={problem} after={after} />
        )}
      </td>
      <td>
        <span className="import-ways">{ways()}</span>
      </td>
    </tr>
  );
}
