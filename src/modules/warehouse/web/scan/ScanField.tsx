import { CameraOutlined, EditOutlined } from '@ant-design/icons';
import { useLayoutEffect, useRef, useState } from 'react';
import { Camera, canSee } from './Camera.tsx';

const CAMERA = 'scanCamera';

interface Props {
  placeholder: string;
  /** Words under the field, e.g. why a code was refused. */
  hint?: string | undefined;
  onCode: (code: string) => void;
}

/** Where codes come in: a scanner that types, the camera, or a person. The field takes what is typed wherever the focus is. */
export function ScanField({ placeholder, hint, onCode }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [typing, setTyping] = useState(false);
  const [seeing, setSeeing] = useState(() => canSee && localStorage.getItem(CAMERA) === 'on');
  // Before the page is drawn: who sees it scans at once, and no letter of a code may be lost.
  useLayoutEffect(() => {
    // A wedge scanner types into whatever has the focus.
    const catchKeys = (event: KeyboardEvent) => {
      const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (!inField && event.key.length === 1 && !event.ctrlKey && !event.metaKey) field.current?.focus();
    };
    field.current?.focus();
    document.addEventListener('keydown', catchKeys);
    return () => document.removeEventListener('keydown', catchKeys);
  }, []);
  const toggle = () => {
    localStorage.setItem(CAMERA, seeing ? 'off' : 'on');
    setSeeing(!seeing);
  };
  const send = (code: string) => {
    setText('');
    if (code.trim()) onCode(code.trim());
  };
  return (
    <div className="scan-field">
      {seeing && <Camera onCode={send} />}
      <div className="scan-entry">
        <input
          ref={field}
          aria-label="扫描"
          placeholder={placeholder}
          value={text}
          // Without it the keyboard of a phone would cover half of the page at every scan.
          inputMode={typing ? 'text' : 'none'}
          enterKeyHint="done"
          autoComplete="off"
          autoCapitalize="off"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            send(text);
          }}
        />
        <button
          type="button"
          aria-label="手动输入"
          aria-pressed={typing}
          onClick={() => {
            setTyping(!typing);
            field.current?.blur();
            setTimeout(() => field.current?.focus(), 50);
          }}
        >
          <EditOutlined />
        </button>
        {canSee && (
          <button type="button" aria-label="摄像头" aria-pressed={seeing} onClick={toggle}>
            <CameraOutlined />
          </button>
        )}
      </div>
      {hint && (
        <p className="scan-hint" role="status">
          {hint}
        </p>
      )}
    </div>
  );
}
