import {
  CheckCircleFilled,
  CloseCircleFilled,
  MinusCircleOutlined,
  SearchOutlined,
  WarningFilled,
} from '@ant-design/icons';
import { Input } from 'antd';
import { type ReactNode, useState } from 'react';
import type { StoreRow } from '../../contract/stores.ts';
import { accountsOf, type Mark, markOfAll } from './health.ts';

const ICONS: Record<Mark, { icon: ReactNode; text: string }> = {
  good: { icon: <CheckCircleFilled className="success" />, text: '正常' },
  attention: { icon: <WarningFilled className="warning" />, text: '需要处理' },
  trouble: { icon: <CloseCircleFilled className="danger" />, text: '异常' },
  off: { icon: <MinusCircleOutlined className="text3" />, text: '未启用' },
};

function Item({
  name,
  text,
  mark,
  on,
  onClick,
}: {
  name: string;
  text: string;
  mark: Mark;
  on: boolean;
  onClick: () => void;
}) {
  return (
    <li>
      <button type="button" className={`stores-item${on ? ' is-on' : ''}`} aria-pressed={on} onClick={onClick}>
        <span className="stores-text">
          <span className="stores-name ellipsis" style={{ display: 'block' }}>
            {name}
          </span>
          <span className="text3">{text}</span>
        </span>
        <span title={ICONS[mark].text} role="img" aria-label={ICONS[mark].text}>
          {ICONS[mark].icon}
        </span>
      </button>
    </li>
  );
}

function regionsOf(store: StoreRow): string {
  return [...new Set(store.regionslist.map((account) => account.regionname))].join('、') || '尚未授权';
}

interface Props {
  stores: readonly StoreRow[];
  /** Chosen store; undefined for all. */
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** The company's stores with how each of them is. */
export function StoreRail({ stores, value, onChange }: Props) {
  const [word, setWord] = useState('');
  const shown = stores.filter((store) => store.gname.toLowerCase().includes(word.trim().toLowerCase()));
  const accounts = accountsOf(stores);
  const sites = accounts.reduce((sum, account) => sum + account.countrysList.length, 0);
  return (
    <nav className="stores-rail" aria-label="店铺">
      <Input
        size="small"
        prefix={<SearchOutlined className="text3" />}
        placeholder="搜索店铺"
        aria-label="搜索店铺"
        allowClear
        value={word}
        onChange={(event) => setWord(event.target.value)}
      />
      <ul>
        <Item
          name="全部店铺"
          text={`${accounts.length} 个账号 · ${sites} 个站点`}
          mark={markOfAll(accounts)}
          on={value === undefined}
          onClick={() => onChange(undefined)}
        />
        {shown.map((store) => (
          <Item
            key={store.groupid}
            name={store.gname}
            text={regionsOf(store)}
            mark={markOfAll(store.regionslist)}
            on={value === store.groupid}
            onClick={() => onChange(store.groupid)}
          />
        ))}
      </ul>
    </nav>
  );
}
