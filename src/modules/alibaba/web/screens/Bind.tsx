import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, messageOf, useCall } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Banner, Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { BIND, BuyerRow, beginConsent, finishConsent, listBuyers, removeBuyer } from '../../contract/index.ts';
import { refreshAlibaba } from '../refresh.ts';

async function bind(): Promise<void> {
  const { url } = await call(beginConsent, {}, {});
  window.location.assign(url);
}

/** Consents that were ended here: a screen that is built anew meanwhile would break off the call that ends one. */
const ended = new Set<string>();

/** Ends a consent that came back in the address, once. Why the last one did not come to its end is told in place. */
function useConsent(): string | undefined {
  const { address, rewrite } = useTab();
  const [problem, setProblem] = useState<string>();
  const [path = '', text] = address.split('?');
  const search = new URLSearchParams(text);
  const code = search.get('code');
  const state = search.get('state');
  useEffect(() => {
    if (!code || !state || ended.has(state)) return;
    ended.add(state);
    const finish = async () => {
      await call(finishConsent, { body: { code, state } }, { quiet: true }).then(
        () => notice.success('1688账号已授权'),
        (error: unknown) => setProblem(messageOf(error)),
      );
      await refreshAlibaba();
      // A code works once: it does not stay in the address.
      rewrite(path);
    };
    void finish();
  }, [code, state, path, rewrite]);
  return problem;
}

/** 1688账号: with which accounts the company buys there. */
export default function Bind() {
  const problem = useConsent();
  const mayBind = useAllowed(BIND);
  const { data, error, isError, refetch } = useCall(listBuyers, {}, { staleTime: 0 });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="1688账号没有取到。" />;
  const remove = async (row: BuyerRow) => {
    await call(removeBuyer, { body: { id: row.id } }, {});
    notice.success(`已解除 ${row.loginId}`);
    await refreshAlibaba();
  };
  const columns: ColumnOverrides<BuyerRow> = {
    boundByName: {
      render: (row) => (
        <>
          {row.boundByName}
          {mayBind && row.state !== 'removed' && (
            <>
              {' '}
              <button type="button" className="link" onClick={() => void bind().catch(() => undefined)}>
                {row.state === 'lost' ? '重新授权' : '续期'}
              </button>{' '}
              <button type="button" className="link" onClick={() => void remove(row).catch(() => undefined)}>
                解除
              </button>
            </>
          )}
        </>
      ),
    },
  };
  const button = (
    <Allowed code={BIND}>
      <Button type="primary" onClick={() => void bind().catch(() => undefined)}>
        授权1688账号
      </Button>
    </Allowed>
  );
  return (
    <div className="page-document">
      <div className="document-head">
        <h1>1688账号</h1>
        <span className="document-subject">授权后可以下单，并每五分钟同步一次订单的付款、发货和物流</span>
        <span className="spring" />
        {button}
      </div>
      {problem && <Banner>1688账号没有授权成功：{problem}</Banner>}
      <div className="document-content">
        {data?.length === 0 ? (
          <Empty title="还没有1688账号" text="授权后可以把采购单直接下到1688，并跟踪付款、发货和物流。">
            {button}
          </Empty>
        ) : (
          <LineTable row={BuyerRow} rows={data} columns={columns} label="1688账号" />
        )}
      </div>
    </div>
  );
}
