import { useState } from 'react';
import { Navigate } from 'react-router';
import { currentSession, takeSessionEnd } from '#kit/web/session.ts';
import { DoorPage } from '../login/DoorPage.tsx';
import { LoginForm } from '../login/LoginForm.tsx';

/** /login: a stored session goes on to /home at once. */
export default function Login() {
  // Asked once: a session that starts on this page leaves by its own way.
  const [known] = useState(() => currentSession() !== null);
  const [end] = useState(takeSessionEnd);
  if (known) return <Navigate to="/home" replace />;
  return (
    <DoorPage title="登录" subtitle="使用手机号或邮箱登录">
      {end && (
        <div className={`note ${end.wanted ? 'is-success' : 'is-warning'} login-reason`} role="status">
          {end.text}
        </div>
      )}
      <LoginForm />
    </DoorPage>
  );
}
