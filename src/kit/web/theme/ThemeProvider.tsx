import { App, ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { type ReactNode, useMemo } from 'react';
import { NoticeBridge } from '../notice.tsx';
import { antdTheme } from './antd-theme.ts';
import { useTheme } from './preference.ts';

dayjs.locale('zh-cn');

/** antd in the theme that the user chose, in Chinese, with the toasts that `notice` uses. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const name = useTheme();
  const theme = useMemo(() => antdTheme(name), [name]);
  return (
    <ConfigProvider locale={zhCN} theme={theme} wave={{ disabled: true }} button={{ autoInsertSpace: false }}>
      <App message={{ maxCount: 4 }} notification={{ placement: 'bottomRight' }} component={false}>
        <NoticeBridge />
        {children}
      </App>
    </ConfigProvider>
  );
}
