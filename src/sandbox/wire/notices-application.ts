import { iso } from './clock.ts';
import { idOf, type Notice } from './notices.ts';
import type { World } from './world.ts';

/** What applications are told about themselves, into the queue that they named in the developer's console. */
export function applicationNotices(world: World): Notice[] {
  return world.settings.apps.flatMap((app) =>
    world.secrets.events(app).map(({ type, key, at, payload }) => {
      const id = idOf('notice', type, key);
      const body = {
        notificationVersion: '1.0',
        notificationType: type,
        payloadVersion: '2023-11-30',
        eventTime: iso(at),
        payload,
        notificationMetadata: {
          applicationId: app.applicationId,
          subscriptionId: idOf('subscription', type, app.clientId),
          publishTime: iso(world.now()),
          notificationId: id,
        },
      };
      return { id, at, body };
    }),
  );
}
