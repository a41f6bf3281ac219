// What services of the reverse proxy open, whatever the policies say: everybody on the internet may call those without a lock.
import type { Account } from './account.ts';
import type { Protocol } from './world.ts';

/** Whether a service leads everybody to a port of a machine or of a network resource. */
export function isOpened(
  { services = [] }: Account,
  id: string,
  [protocol, port]: readonly [Protocol, number],
): boolean {
  return services.some(
    ({ enabled, targets }) =>
      enabled &&
      protocol === 'tcp' &&
      targets.some(one => one.enabled && one.target_id === id && one.port === port),
  );
}
