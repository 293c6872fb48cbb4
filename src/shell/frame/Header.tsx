import { MoonOutlined, SearchOutlined, SunOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { TaskRing } from '#kit/web/tasks/TaskRing.tsx';
import { toggleTheme, useTheme } from '#kit/web/theme/preference.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { HelpLink } from './HelpLink.tsx';
import { Messages } from './Messages.tsx';
import { TabBar } from './TabBar.tsx';

function ThemeButton() {
  const theme = useTheme();
  const title = theme === 'light' ? '切换到深色' : '切换到浅色';
  return (
    <Tooltip title={title}>
      <button type="button" className="icon-button" aria-label={title} onClick={toggleTheme}>
        {theme === 'light' ? <MoonOutlined /> : <SunOutlined />}
      </button>
    </Tooltip>
  );
}

/** The 48 px line: tabs at left; search, tasks, messages, help, theme and account at right. */
export function Header({ onSearch }: { onSearch: () => void }) {
  return (
    <header className="frame-header">
      <TabBar />
      <div className="frame-header-right">
        <button type="button" className="frame-search" onClick={onSearch}>
          <SearchOutlined />
          <span>搜索页面、SKU、订单、单据</span>
          <kbd>Ctrl K</kbd>
        </button>
        <TaskRing />
        <Messages />
        <HelpLink />
        <ThemeButton />
        <AccountMenu />
      </div>
    </header>
  );
}
