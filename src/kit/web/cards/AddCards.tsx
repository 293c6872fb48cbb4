import { Button, Drawer } from 'antd';

interface Choice {
  id: string;
  title: string;
  text: string;
}

interface Props {
  open: boolean;
  /** Cards that are not on the page. */
  choices: readonly Choice[];
  onAdd: (id: string) => void;
  onClose: () => void;
}

/** 添加卡片: what the page could show as well. */
export function AddCards({ open, choices, onAdd, onClose }: Props) {
  return (
    <Drawer title="添加卡片" size={360} open={open} onClose={onClose} mask={false}>
      {choices.length === 0 && <div className="card-state">所有卡片都在页面上</div>}
      <ul className="card-list is-lined card-choices">
        {choices.map(({ id, title, text }) => (
          <li key={id}>
            <span>
              <b>{title}</b>
              <span className="label">{text}</span>
            </span>
            <span className="spring" />
            <Button size="small" aria-label={`添加「${title}」`} onClick={() => onAdd(id)}>
              添加
            </Button>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
