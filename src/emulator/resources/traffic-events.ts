// Network traffic events in responses: every filter, the search and the pages (docs/server-behaviour.md#event-logs).
import type { FlowRecord } from '../records/logs.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { holds, isWanted, pageOf, spanIn } from '../traffic/page.ts';

const SIZE = { usual: 1000, most: 50_000 };

export const trafficEvents: Handlers = {
  listNetworkTrafficEvents: (account, request, { behaviour }) => {
    const isIn = spanIn(request, behaviour.requests === 'held to the contract');
    const found = account.flows
      .all()
      .filter(flow => isIn(beginning(flow)) && isAskedFor(flow, request))
      .toSorted(newestFirst);
    return pageOf(request, found.map(view), SIZE);
  },
};

function isAskedFor(flow: FlowRecord, request: ApiRequest): boolean {
  const { user, source, destination, events } = flow;
  const type = request.query('type');
  const searched = [user.email, source.name, destination.name, source.address, destination.address];
  return (
    isWanted(user.id, request.query('user_id')) &&
    isWanted(flow.reporter_id, request.query('reporter_id')) &&
    isWanted(flow.protocol, request.query('protocol')) &&
    isWanted(flow.connection_type, request.query('connection_type')) &&
    isWanted(flow.direction, request.query('direction')) &&
    (type === '' || events.some(event => event.type === type)) &&
    searched.some(text => holds(text, request.query('search')))
  );
}

function beginning({ events }: FlowRecord): string {
  return events[0]?.timestamp ?? '';
}

function newestFirst(one: FlowRecord, other: FlowRecord): number {
  const a = beginning(one);
  const b = beginning(other);
  return a === b ? Number(other.id) - Number(one.id) : a < b ? 1 : -1;
}

/** The direction can be filtered by, but is not shown. */
function view({ id: _, connection_type: __, ...shown }: FlowRecord) {
  return shown;
}
