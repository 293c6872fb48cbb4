import { useCall } from '#kit/web/api/index.ts';
import { Money, StoreName } from '#kit/web/cells/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { proveSettled, type SettledFilter, type SettledProof } from '../contract/settled.ts';

const PARTS = [
  { key: 'total', title: '文件合计', sign: '' },
  { key: 'rows', title: '各行合计', sign: '=' },
  { key: 'balances', title: '往来', sign: '+' },
] as const;

function Equation({ proof }: { proof: SettledProof }) {
  return (
    <div className="settled-proof">
      <StoreName store={proof.store} />
      {PARTS.map(({ key, title, sign }) => (
        <span key={key}>
          <span className="text2">
            {sign} {title}{' '}
          </span>
          <Money amount={proof[key]} currency={proof.currency} />
        </span>
      ))}
      <Proof total={proof.gap} lines="0" currency={proof.currency} text="核对一致" off="核对不一致" />
    </div>
  );
}

/** For a single settlement: what its file paid out is its rows and its balances. */
export function SettledProofs({ filter }: { filter: SettledFilter }) {
  const asked = Boolean(filter.settlementId);
  const { data, isError, error, refetch } = useCall(proveSettled, { body: { filter } }, { enabled: asked });
  if (!asked) return null;
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data?.proofs.map((proof) => <Equation key={proof.documentId} proof={proof} />);
}
