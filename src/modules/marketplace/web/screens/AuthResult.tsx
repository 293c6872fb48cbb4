import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { ApiError, call } from '#kit/web/api/index.ts';
import { tabAddress } from '#kit/web/tabs/scope.ts';
import { authSeller } from '../../contract/stores.ts';
import '../store/store.css';

const WAITING = '正在授权，请稍候…';
const DONE = '授权成功，请返回列表并刷新';
const FAILED = '授权失败，请重试，重试时必须在店铺所在的网络环境中操作';
const ODD = '返回码异常';
const REFUSED = 400;

type Outcome = { kind: 'done' } | { kind: 'failed'; title: string; reason?: string };

/** What the consent page sends back; undefined where the seller declined or the address is not complete. */
function queryOf(search: string) {
  const query = new URLSearchParams(search);
  const state = query.get('state');
  const seller = query.get('selling_partner_id');
  const code = query.get('spapi_oauth_code');
  if (!state || !seller || !code) return undefined;
  return { state, selling_partner_id: seller, spapi_oauth_code: code };
}

function failure(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'failed', title: ODD };
  return { kind: 'failed', title: error.code === REFUSED ? FAILED : ODD, reason: error.message };
}

async function finish(search: string): Promise<Outcome> {
  const query = queryOf(search);
  if (!query) return { kind: 'failed', title: FAILED };
  try {
    await call(authSeller, { query }, { quiet: true });
    return { kind: 'done' };
  } catch (error) {
    return failure(error);
  }
}

const asked = new Map<string, Promise<Outcome>>();

/** A code works once: however often the page is drawn, an address is taken to the server once. */
function finishOnce(search: string): Promise<Outcome> {
  const known = asked.get(search);
  if (known) return known;
  const work = finish(search);
  asked.set(search, work);
  return work;
}

function Result({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'done') {
    return (
      <>
        <CheckCircleFilled className="auth-result-icon success" />
        <h1>{DONE}</h1>
        <p className="text2">首次同步已经开始，进度显示在店铺列表中。</p>
      </>
    );
  }
  return (
    <>
      <CloseCircleFilled className="auth-result-icon danger" />
      <h1>{outcome.title}</h1>
      {outcome.reason && outcome.reason !== outcome.title && <p className="text2">{outcome.reason}</p>}
    </>
  );
}

/** /authresult: where the marketplace's consent page sends the browser back to. */
export default function AuthResult() {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    let left = false;
    void finishOnce(window.location.search).then((result) => {
      if (!left) setOutcome(result);
    });
    return () => {
      left = true;
    };
  }, []);
  return (
    <main className="auth-result" aria-busy={outcome === undefined}>
      <section className="auth-result-card" role="status">
        {outcome ? (
          <Result outcome={outcome} />
        ) : (
          <>
            <Spin size="large" />
            <h1>{WAITING}</h1>
          </>
        )}
        <Button type="primary" disabled={!outcome} href={tabAddress('/amazon/storeAuth', { title: '店铺管理' })}>
          返回店铺列表
        </Button>
      </section>
    </main>
  );
}
