import { MoonOutlined, SunOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { currentSession, takeSessionReason } from '#kit/web/session.ts';
import { toggleTheme, useTheme } from '#kit/web/theme/preference.ts';
import { Brand } from '../login/Brand.tsx';
import { Filing } from '../login/Filing.tsx';
import { LoginArt } from '../login/LoginArt.tsx';
import { LoginForm } from '../login/LoginForm.tsx';
import '../login/login.css';

/** /login: a stored session goes on to /home at once. */
export default function Login() {
  const theme = useTheme();
  // Asked once: a session that starts on this page leaves by its own way.
  const [known] = useState(() => currentSession() !== null);
  const [reason] = useState(takeSessionReason);
  if (known) return <Navigate to="/home" replace />;
  return (
    <div className="login">
      <aside className="login-left">
        <LoginArt />
        <Brand />
        <div className="login-words">
          <h1>
            从第一个产品想法，
            <br />
            到最后一分钱结算
          </h1>
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
        <div className="login-box">
          <h2>登录</h2>
          <p>使用手机号或邮箱登录</p>
          {reason && <div className="note is-warning login-reason">{reason}</div>}
          <LoginForm />
        </div>
        <Filing />
      </main>
    </div>
  );
}
