import type { ReactNode } from 'react';
import { useAllowed } from './session.ts';

/** Shows its children to those who hold `code`. */
export function Allowed({ code, children }: { code: string; children: ReactNode }) {
  return useAllowed(code) ? children : null;
}
