import { Switch } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { listPlatforms, type PlatformRow, switchPlatform } from '../../contract/platforms.ts';
import { PlatformMark } from '../PlatformMark.tsx';
import '../system.css';

interface TileProps {
  row: PlatformRow;
  mayEdit: boolean;
  busy: boolean;
  onSwitch: (enabled: boolean) => void;
}

function Tile({ row, mayEdit, busy, onSwitch }: TileProps) {
  return (
    <div className={`platform${row.enabled ? ' is-on' : ''}`}>
      <PlatformMark code={row.code} />
      <div className="platform-text">
        <div className="strong ellipsis">{row.name}</div>
        <div className="label">
          {row.enabled ? '已启用' : '未开放'}
          {row.stores > 0 && ` · ${row.stores} 个已授权店铺`}
        </div>
      </div>
      <Switch
        checked={row.enabled}
        disabled={!mayEdit}
        loading={busy}
        aria-label={`启用 ${row.name}`}
        onChange={onSwitch}
      />
    </div>
  );
}

/** 平台管理: which marketplaces the picker offers, for all companies. */
export default function Platforms() {
  const mayEdit = useAllowed('sys:platform:edit');
  const platforms = useCall(listPlatforms, {});
  const send = useSend(switchPlatform, {
    refreshes: [listPlatforms],
    onSuccess: (_, { params, body }) => {
      const name = platforms.data?.find((row) => row.code === params.code)?.name ?? params.code;
      notice.success(body.enabled ? `${name} 已启用` : `${name} 已关闭`);
    },
  });
  return (
    <div className="page-list">
      <ListHead title="平台管理" />
      {platforms.isError ? (
        <ErrorState error={platforms.error} onRetry={() => void platforms.refetch()} />
      ) : (
        <div className="platforms">
          {platforms.data?.map((row) => (
            <Tile
              key={row.code}
              row={row}
              mayEdit={mayEdit}
              busy={send.isPending && send.variables.params.code === row.code}
              onSwitch={(enabled) => send.mutate({ params: { code: row.code }, body: { enabled } })}
            />
          ))}
        </div>
      )}
    </div>
  );
}
