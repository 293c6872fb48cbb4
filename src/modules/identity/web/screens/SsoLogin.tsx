import { Spin } from 'antd';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#kit/web/api/index.ts';
import { currentSession, saveSession, takeReturnUrl } from '#kit/web/session.ts';
import { ssoIsRun } from '../../contract/session.ts';
import '../login/login.css';

/** A session id that came in the address is stored and taken out of it, so that it stays out of the history. */
function takeSessionFromAddress(): boolean {
  const search = new URLSearchParams(window.location.search);
  const id = search.get('jsessionid');
  if (!id) return false;
  search.delete('jsessionid');
  const rest = search.toString();
  window.history.replaceState(null, '', window.location.pathname + (rest ? `?${rest}` : ''));
  saveSession({ id, loginType: 'sso' });
  return true;
}

/** Where to go: an address of the auth server, or "false" for a login on this page. */
async function authServer(): Promise<string> {
  try {
    return await call(ssoIsRun, { body: {} }, { quiet: true });
  } catch {
    return 'false';
  }
}

/** /ssologin: a session in the address, else the stored one, else the auth server, else /login. */
export default function SsoLogin() {
  const navigate = useNavigate();
  useEffect(() => {
    let left = false;
    if (takeSessionFromAddress() || currentSession()) {
      void navigate(takeReturnUrl(), { replace: true });
      return;
    }
    void authServer().then((address) => {
      if (left) return;
      if (!/^https?:\/\//.test(address)) return void navigate('/login', { replace: true });
      localStorage.setItem('authserver', address);
      window.location.assign(`${address.replace(/\/$/, '')}/getJSession`);
    });
    return () => {
      left = true;
    };
  }, [navigate]);
  return (
    <main className="sso" aria-busy="true">
      <Spin />
      <span>登录信息检查中…</span>
    </main>
  );
}
