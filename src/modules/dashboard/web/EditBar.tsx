import { Button, Popconfirm } from 'antd';
import { useState } from 'react';
import { AddCards } from '#kit/web/cards/grid.ts';
import { useAllowed } from '#kit/web/session.ts';
import { CARDS, type CardKey } from '../contract/card-list.ts';
import { TEMPLATE } from '../contract/layout.ts';
import { TemplateDialog } from './TemplateDialog.tsx';
import type { HomeLayout } from './use-layout.ts';

/** The line above the cards while they are arranged. */
export function EditBar({ layout }: { layout: HomeLayout }) {
  const [adding, setAdding] = useState(false);
  const [naming, setNaming] = useState(false);
  const templates = useAllowed(TEMPLATE);
  return (
    <>
      <b>编辑布局</b>
      <span className="label ellipsis">拖动标题移动，拖动右下角调整大小；也可以用方向键和 Shift+方向键</span>
      <span className="spring" />
      <Button size="small" onClick={() => setAdding(true)}>
        添加卡片
      </Button>
      {templates && (
        <Button size="small" onClick={() => setNaming(true)}>
          存为角色模板
        </Button>
      )}
      <Popconfirm
        title="恢复默认布局"
        description="自己的位置、大小和卡片筛选将不再保留。"
        okText="恢复默认"
        onConfirm={layout.reset}
      >
        <Button size="small">恢复默认</Button>
      </Popconfirm>
      <Button size="small" onClick={layout.cancel}>
        取消
      </Button>
      <Button size="small" type="primary" data-save loading={layout.busy} onClick={layout.save}>
        保存布局
      </Button>
      <AddCards
        open={adding}
        choices={layout.absent.map((key) => ({ id: key, title: CARDS[key].title, text: CARDS[key].text }))}
        onAdd={(id) => layout.add(id as CardKey)}
        onClose={() => setAdding(false)}
      />
      {naming && <TemplateDialog cards={layout.cards} onClose={() => setNaming(false)} />}
    </>
  );
}
