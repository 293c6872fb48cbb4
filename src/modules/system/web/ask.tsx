import { App } from 'antd';

interface Question {
  title: string;
  content: string;
  okText: string;
  danger?: boolean;
  onOk: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back; refusals are shown by the call itself. */
export function useAsk(): (question: Question) => void {
  const { modal } = App.useApp();
  return ({ title, content, okText, danger = false, onOk }) => {
    modal.confirm({ title, content, okText, okButtonProps: { danger }, onOk: () => onOk().catch(() => {}) });
  };
}
