import { App, ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { type ReactNode, useMemo } from 'react';
import { NoticeBridge } from '../notice.tsx';
import { antdTheme } from './antd-theme.ts';
import { useStillness, useTheme } from './preference.ts';

dayjs.locale('zh-cn');

/** antd in the theme that the user chose, in Chinese. */
function Themed({ children }: { children: ReactNode }) {
  const name = useTheme();
  const still = useStillness();
  const theme = useMemo(() => antdTheme(name, still), [name, still]);
  return (
    <ConfigProvider locale={zhCN} theme={theme} wave={{ disabled: true }} button={{ autoInsertSpace: false }}>
      {children}
    </ConfigProvider>
  );
}

// What a call opens instead of an element, such as Modal.confirm, is drawn outside the page's tree.
ConfigProvider.config({ holderRender: (children) => <Themed>{children}</Themed> });

/** The page in the theme that the user chose, with the toasts that `notice` uses. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <Themed>
      <App message={{ maxCount: 4 }} notification={{ placement: 'bottomRight' }} component={false}>
        <NoticeBridge />
        {children}
      </App>
    </Themed>
  );
}
