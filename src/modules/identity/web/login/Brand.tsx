import { Logo } from '#kit/web/Logo.tsx';

/** Mark and name of the product on the dark ground of the login page. */
export function Brand() {
  return (
    <div className="login-brand">
      <span>
        <Logo />
      </span>
      <span>跨境电商 ERP</span>
    </div>
  );
}
