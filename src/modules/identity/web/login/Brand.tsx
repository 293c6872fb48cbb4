/** Mark and name of the product on the dark ground of the login page. */
export function Brand() {
  return (
    <div className="login-brand">
      <span>
        <svg width="20" height="20" viewBox="8 8 20 20" fill="currentColor" aria-hidden="true">
          <path d="M16 8.5h4v4h-4zM11.2 13.7h4v4h-4zM16 13.7h4v4h-4zM20.8 13.7h4v4h-4zM8 19h20l-2.6 6.2a3 3 0 0 1-2.8 1.8h-9.2a3 3 0 0 1-2.8-1.8z" />
        </svg>
      </span>
      <span>跨境电商 ERP</span>
    </div>
  );
}
