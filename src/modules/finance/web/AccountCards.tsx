import { Money, Tag } from '#kit/web/cells/index.ts';
import { type AccountRow, Method } from '../contract/accounts.ts';

const METHODS = Method.meta()?.states ?? {};

interface Props {
  accounts: readonly AccountRow[];
  current: string | undefined;
  onPick: (id: string) => void;
  onEdit: ((account: AccountRow) => void) | undefined;
}

/** What is in each account; one click looks at one of them, another one at all again. */
export function AccountCards({ accounts, current, onPick, onEdit }: Props) {
  return (
    <div className="finance-accounts">
      {accounts.map((one) => (
        <div
          key={one.id}
          className={`finance-account${one.id === current ? ' is-on' : ''}${one.disabled ? ' is-off' : ''}`}
        >
          <button
            type="button"
            className="finance-account-main"
            aria-pressed={one.id === current}
            onClick={() => onPick(one.id)}
          >
            <span className="finance-account-name ellipsis">{one.name}</span>
            <span className="label ellipsis">
              {METHODS[one.method]?.title} · {one.currency}
              {one.tail && ` · 尾号${one.tail}`}
            </span>
            <b className="finance-account-balance num">
              <Money amount={one.balance} currency={one.currency} good="up" />
            </b>
          </button>
          <span className="finance-account-foot">
            {one.isDefault && <Tag tone="running" title="默认" />}
            {one.disabled && <Tag tone="off" title="停用" />}
            {/[1-9]/.test(one.overdraft) && (
              <span className="label">
                可透支 <Money amount={one.overdraft} currency={one.currency} />
              </span>
            )}
            <span className="spring" />
            {onEdit && (
              <button type="button" className="link" onClick={() => onEdit(one)}>
                设置
              </button>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
