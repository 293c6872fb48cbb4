import { Activity } from 'react';
import { routeFor } from '../menu.ts';
import { pathOf } from '../tabs.ts';
import { useFrame } from './frame-context.ts';
import { TabPage } from './TabPage.tsx';

/** The pages of all tabs; those not in front rest, with their state, inside a hidden Activity. */
export function Sheet() {
  const { tabs, routes } = useFrame();
  return (
    <main className="frame-sheet">
      {tabs.state.list.map((tab) => {
        const front = tab.title === tabs.state.active;
        if (!front && !(tab.visited && (tab.keepAlive || tab.dirty))) return null;
        return (
          <Activity key={`${tab.title} ${tab.revision}`} mode={front ? 'visible' : 'hidden'}>
            <TabPage tab={tab} front={front} route={routeFor(routes, pathOf(tab.address))} />
          </Activity>
        );
      })}
    </main>
  );
}
