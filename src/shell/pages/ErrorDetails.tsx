import { Copy } from '#kit/web/cells/index.ts';
import { useAllowed } from '#kit/web/session.ts';

interface Props {
  error: Error;
  componentStack: string | undefined;
}

/** A code that only operators of the product hold. */
const OPERATOR = 'sys:platform:view';

/** What broke and where, for those who can do something about it: during development, and for operators. */
export function ErrorDetails({ error, componentStack }: Props) {
  const operator = useAllowed(OPERATOR);
  if (!import.meta.env.DEV && !operator) return null;
  const text = [`${error.name}: ${error.message}`, window.location.pathname, error.stack, componentStack]
    .filter((part) => part !== undefined)
    .join('\n\n');
  return (
    <details className="error-details" open>
      <summary>
        错误详情 <Copy text={text} />
      </summary>
      <pre>
        {error.name}: {error.message}
      </pre>
      {error.stack && <pre>{error.stack}</pre>}
      {componentStack && (
        <>
          <h2>组件</h2>
          <pre>{componentStack.trim()}</pre>
        </>
      )}
    </details>
  );
}
