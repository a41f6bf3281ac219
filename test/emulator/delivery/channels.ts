// What tests of deliveries begin with: channels and streams that lead to a receiver, and an emulator that waits for nothing.
import { channelBody, streamBody } from '../bodies.ts';
import { type Emulated, emulated } from '../emulated.ts';
import { events } from '../events.ts';

export const CHANNELS = '/api/integrations/notifications/channels';
export const STREAMS = '/api/event-streaming';

export const hook = (url: string, event_types: readonly string[], headers = {}) =>
  channelBody({ type: 'webhook', target: { url, headers }, event_types });
export const generic = (url: string, more: object = {}) =>
  streamBody({ platform: 'generic_http', config: { url, ...more } });

/** An emulator that waits for nothing: a pause is over at once, and its clock says so. */
export const hasty = (more: object = {}) => {
  let ahead = 0;
  return emulated({
    clock: () => new Date(Date.now() + ahead),
    schedule: (milliseconds, work) => {
      ahead += milliseconds;
      const immediate = setImmediate(work);
      return () => clearImmediate(immediate);
    },
    ...more,
  });
};

export const network = (api: Emulated, name: string) => api.make('/api/networks', { name });

/** What the log says, as a hook is told it: names and emails are added by whoever reads the log. */
export async function log(api: Emulated, codes: readonly string[]) {
  return (await events(api))
    .filter(({ activity_code }) => codes.includes(activity_code))
    .map(event => ({ id: String(event.id), target_id: event.target_id }));
}
export const reported = (bodies: readonly object[]) =>
  bodies.map(body => ({ id: Object(body).id, target_id: Object(body).target_id }));
