import { Button, Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { Copy } from '#kit/web/cells/index.ts';
import { currentSession, useAllowed } from '#kit/web/session.ts';
import { type ApiOperation, exampleOf, type Field, fieldsOf } from './api-docs.ts';
import { useAsk } from './ask.tsx';

function Fields({ title, fields, none }: { title: string; fields: readonly Field[]; none?: ReactNode }) {
  if (fields.length === 0) return none ? <p className="text3">{none}</p> : null;
  return (
    <>
      <h3 className="api-section">{title}</h3>
      <table className="diff" aria-label={title}>
        <thead>
          <tr>
            <th>字段</th>
            <th>名称</th>
            <th>类型</th>
            <th>规则</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ path, title: name, type, required, rule }) => (
            <tr key={path}>
              <td className="code" style={{ width: 240 }}>
                {path}
                {required && <span className="danger"> *</span>}
              </td>
              <td>{name || <span className="text3">—</span>}</td>
              <td className="text2">{type}</td>
              <td className="text2">{rule}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function addressOf(operation: ApiOperation, values: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = operation.parameters.filter((each) => each.in === 'query' && values[each.name]);
  const search = new URLSearchParams(query.map((each) => [each.name, values[each.name] ?? ''])).toString();
  return search ? `${path}?${search}` : path;
}

async function send(operation: ApiOperation, values: Readonly<Record<string, string>>, body: string): Promise<string> {
  const started = performance.now();
  const response = await fetch(addressOf(operation, values), {
    method: operation.method.toUpperCase(),
    headers: {
      jsessionid: currentSession()?.id ?? '',
      ...(operation.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(operation.body ? { body } : {}),
  });
  const took = Math.round(performance.now() - started);
  const head = `HTTP ${response.status} · ${took} ms`;
  if (!response.headers.get('content-type')?.includes('json')) {
    return `${head}\n\n（文件，${(await response.blob()).size} 字节）`;
  }
  return `${head}\n\n${JSON.stringify(await response.json(), null, 2)}`;
}

/** Sends a call as the one who is logged in, with his own rights. */
function TryIt({ operation }: { operation: ApiOperation }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => JSON.stringify(exampleOf(operation.body), null, 2));
  const [reply, setReply] = useState('');
  const [busy, setBusy] = useState(false);
  const ask = useAsk();
  const run = async () => {
    setBusy(true);
    try {
      setReply(await send(operation, values, body));
    } catch (error) {
      setReply(error instanceof Error ? error.message : '网络请求失败，请检查网络');
    } finally {
      setBusy(false);
    }
  };
  const start = () => {
    if (operation.method === 'get') return void run();
    const content = '调用会以您的身份真实执行，可能修改本公司的数据，并记入操作日志。';
    ask({ title: `调用「${operation.title}」`, content, okText: '调用接口', onOk: run });
  };
  return (
    <>
      <h3 className="api-section">调用</h3>
      {operation.parameters.map(({ name, required }) => (
        <Input
          key={name}
          size="small"
          style={{ marginBottom: 6 }}
          prefix={
            <span className="label code">
              {name}
              {required ? ' *' : ''}
            </span>
          }
          aria-label={name}
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
      {operation.body && (
        <Input.TextArea
          className="code"
          aria-label="请求内容"
          autoSize={{ minRows: 3, maxRows: 14 }}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      )}
      <div style={{ display: 'flex', gap: 8, margin: '8px 0' }}>
        <Button size="small" type="primary" loading={busy} onClick={start}>
          调用接口
        </Button>
      </div>
      {reply && <pre className="api-code">{reply}</pre>}
    </>
  );
}

/** One call: address, permission, fields, and, for whoever may, a try. */
export function ApiCall({ operation }: { operation: ApiOperation }) {
  const mayRun = useAllowed('sys:apidoc:run');
  const { method, path, title, permission, parameters, body, upload, file, reply } = operation;
  const given = parameters.map(
    ({ name, required, schema }) =>
      ({ ...fieldsOf({ properties: { [name]: schema } })[0], path: name, required }) as Field,
  );
  return (
    <>
      <div className="panes-title">
        <h2>{title}</h2>
        <span className="panes-badge">{permission}</span>
      </div>
      <div className="panes-body">
        <p className="code api-path">
          <span className={`api-method is-${method}`}>{method.toUpperCase()}</span>
          {path} <Copy text={path} label="复制地址" />
        </p>
        <Fields title="参数" fields={given} />
        <Fields title={upload ? '表单（multipart/form-data，文件字段 file）' : '请求内容'} fields={fieldsOf(body)} />
        {file ? (
          <h3 className="api-section">返回文件</h3>
        ) : (
          <Fields title="返回内容（data）" fields={fieldsOf(reply)} none="返回内容没有字段。" />
        )}
        {mayRun && !upload && <TryIt operation={operation} />}
      </div>
    </>
  );
}
