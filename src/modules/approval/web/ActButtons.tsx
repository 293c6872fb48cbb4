import { Button, Dropdown } from 'antd';
import { useState } from 'react';
import type { InstanceView } from '../contract/instance.ts';
import { ActDialog } from './ActDialog.tsx';
import { ACTS, type ActName } from './acts.ts';

/** What the caller may do now: in the row of buttons, and behind 更多. */
function offered({ allowed, state, path }: InstanceView): { main: ActName[]; more: ActName[] } {
  const main: ActName[] = [];
  const more: ActName[] = [];
  if (allowed.takeBack) main.push('takeBack');
  if (allowed.withdraw) main.push('withdraw');
  if (allowed.urge) main.push('urge');
  if (allowed.taskId && !allowed.handles) {
    more.push('transfer', 'sign');
    main.push('return', 'reject', 'approve');
  } else if (allowed.taskId) {
    more.push('transfer');
    main.push('approve');
  }
  if (allowed.unsign.length > 0) more.push('unsign');
  more.push('copy');
  if (allowed.reassign && path.some((step) => step.state === 'now')) more.push('reassign');
  if (allowed.terminate) more.push('terminate');
  return { main, more: state === 'running' || state === 'suspended' ? more : ['copy'] };
}

/** The acts on an approval as buttons, the one to agree last. */
export function ActButtons({ view, onDone }: { view: InstanceView; onDone: () => void }) {
  const [act, setAct] = useState<ActName>();
  const { main, more } = offered(view);
  const words = (name: ActName) => (name === 'approve' && view.allowed.handles ? '办理完成' : ACTS[name].title);
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: more.map((name) => ({ key: name, label: words(name) })),
          onClick: ({ key }) => setAct(key as ActName),
        }}
      >
        <Button>更多</Button>
      </Dropdown>
      {main.map((name) => (
        <Button
          key={name}
          type={name === 'approve' ? 'primary' : 'default'}
          danger={name === 'reject'}
          onClick={() => setAct(name)}
        >
          {words(name)}
        </Button>
      ))}
      {act && <ActDialog key={act} view={view} act={act} onClose={() => setAct(undefined)} onDone={onDone} />}
    </>
  );
}
