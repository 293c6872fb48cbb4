import { MoonOutlined, SunOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { toggleTheme, useTheme } from '#kit/web/theme/preference.ts';
import { Brand } from './Brand.tsx';
import { Filing } from './Filing.tsx';
import { LoginArt } from './LoginArt.tsx';
import './login.css';

interface Props {
  title: string;
  subtitle: string;
  /** Room for forms with two fields side by side. */
  wide?: boolean;
  children: ReactNode;
}

/** The pages before the frame: words on the left, a box on the right, the filing numbers below. */
export function DoorPage({ title, subtitle, wide = false, children }: Props) {
  const theme = useTheme();
  return (
    <div className="login">
      <aside className="login-left">
        <LoginArt />
        <Brand />
        <div className="login-words">
          <p className="login-motto">
            从第一个产品想法，
            <br />
            到最后一分钱结算
          </p>
          <p>产品、采购、仓储、发货、广告、财务，在同一套数据里完成。</p>
        </div>
        <div className="login-facts">
          <span>北美 · 欧洲 · 远东</span>
          <span>21 个亚马逊站点</span>
          <span>每个数字都能追到来源</span>
        </div>
      </aside>
      <main className="login-right">
        <button
          type="button"
          className="icon-button login-theme"
          aria-label={theme === 'light' ? '切换到深色' : '切换到浅色'}
          onClick={toggleTheme}
        >
          {theme === 'light' ? <MoonOutlined /> : <SunOutlined />}
        </button>
        <div className={wide ? 'login-box is-wide' : 'login-box'}>
          <h1>{title}</h1>
          <p>{subtitle}</p>
          {children}
        </div>
        <Filing />
      </main>
    </div>
  );
}
