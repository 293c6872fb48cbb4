import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

const OPEN_DELAY = 250;
const CLOSE_DELAY = 200;

export interface SubMenuControl {
  /** Name of the section whose drawer is open. */
  section: string | null;
  /** The drawer was opened by key or click: its search takes the focus. */
  byKey: boolean;
  hover: (section: string) => void;
  open: (section: string) => void;
  leave: () => void;
  stay: () => void;
  close: () => void;
}

/** When the sub-menu drawer opens and closes: 250 ms of hovering, at once by key, with a little patience on leaving. */
export function useSubMenu(): SubMenuControl {
  const [state, setState] = useState<{ section: string | null; byKey: boolean }>({ section: null, byKey: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = useCallback((work: () => void, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, delay);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const actions = useMemo(() => {
    const close = () => {
      clearTimeout(timer.current);
      setState({ section: null, byKey: false });
    };
    return {
      hover: (section: string) => later(() => setState({ section, byKey: false }), OPEN_DELAY),
      open: (section: string) => {
        clearTimeout(timer.current);
        setState({ section, byKey: true });
      },
      leave: () => later(close, CLOSE_DELAY),
      stay: () => clearTimeout(timer.current),
      close,
    };
  }, [later]);
  return { ...state, ...actions };
}
