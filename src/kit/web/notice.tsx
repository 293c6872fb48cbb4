import { App } from 'antd';
import type { MessageInstance } from 'antd/es/message/interface';
import { useLayoutEffect } from 'react';

let toasts: MessageInstance | undefined;

/** Lends the toasts of the current theme to code outside React. Rendered once, inside the theme provider. */
export function NoticeBridge() {
  const { message } = App.useApp();
  useLayoutEffect(() => {
    toasts = message;
  }, [message]);
  return null;
}

/** Short messages at the top of the page. The same text shown twice at once is one toast. */
export const notice = {
  success: (text: string) => void toasts?.success({ content: text, key: text }),
  error: (text: string) => void toasts?.error({ content: text, key: text, duration: 5 }),
  warning: (text: string) => void toasts?.warning({ content: text, key: text }),
  info: (text: string) => void toasts?.info({ content: text, key: text }),
};
