import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { ApiError } from '#kit/web/api/index.ts';
import { tabAddress } from '#kit/web/tabs/scope.ts';
import './store.css';

const WAITING = '正在授权，请稍候…';
const DONE = '授权成功，请返回列表并刷新';
const FAILED = '授权失败，请重试，重试时必须在店铺所在的网络环境中操作';
const ODD = '返回码异常';
const REFUSED = 400;

type Outcome = { kind: 'done' } | { kind: 'failed'; title: string; reason?: string };

function failure(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'failed', title: ODD };
  return { kind: 'failed', title: error.code === REFUSED ? FAILED : ODD, reason: error.message };
}

/** Takes what the consent page sent back to the server; undefined where it sent no code. */
export type Finish = (query: URLSearchParams) => Promise<unknown> | undefined;

async function outcomeOf(search: string, finish: Finish): Promise<Outcome> {
  const query = new URLSearchParams(search);
  const work = finish(query);
  if (!work) {
    const declined = query.get('error') === 'access_denied';
    return { kind: 'failed', title: FAILED, ...(declined ? { reason: '卖家取消了授权' } : {}) };
  }
  try {
    await work;
    return { kind: 'done' };
  } catch (error) {
    return failure(error);
  }
}

const asked = new Map<string, Promise<Outcome>>();

/** A code works once: however often the page is drawn, an address is taken to the server once. */
function finishOnce(address: string, search: string, finish: Finish): Promise<Outcome> {
  const known = asked.get(address);
  if (known) return known;
  const work = outcomeOf(search, finish);
  asked.set(address, work);
  return work;
}

function Result({ outcome, next }: { outcome: Outcome; next: string }) {
  if (outcome.kind === 'done') {
    return (
      <>
        <CheckCircleFilled className="auth-result-icon success" />
        <h1>{DONE}</h1>
        <p className="text2">{next}</p>
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

/** Where a consent page sends the browser back to: waiting, then how it went, and the way to the list. */
export function ConsentResult({ finish, next }: { finish: Finish; next: string }) {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    let left = false;
    const { pathname, search } = window.location;
    void finishOnce(`${pathname}${search}`, search, finish).then((result) => {
      if (!left) setOutcome(result);
    });
    return () => {
      left = true;
    };
  }, [finish]);
  return (
    <main className="auth-result" aria-busy={outcome === undefined}>
      <section className="auth-result-card" role="status">
        {outcome ? (
          <Result outcome={outcome} next={next} />
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
