import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect } from 'react';
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

/**
 * Ends a consent that came back in the address, once, and says why where it did not come to its end. Call and answer live in
 * the cache, beside the screen: one that is built anew meanwhile neither breaks the call off nor loses what it said.
 */
function useConsent(): string | undefined {
  const { address, rewrite } = useTab();
  const [path = '', text] = address.split('?');
  const search = new URLSearchParams(text);
  const code = search.get('code') ?? '';
  const state = search.get('state') ?? '';
  const { isSuccess, error } = useQuery({
    queryKey: ['alibaba.consent', state],
    queryFn: async () => {
      const bound = await call(finishConsent, { body: { code, state } }, { quiet: true });
      notice.success('1688账号已授权');
      await refreshAlibaba();
      return bound;
    },
    enabled: code !== '' && state !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // A code works once: it does not stay in the address.
  useEffect(() => {
    if (isSuccess) rewrite(path);
  }, [isSuccess, path, rewrite]);
  return error ? messageOf(error) : undefined;
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
