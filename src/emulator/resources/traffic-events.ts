// Network traffic events in responses: every filter, the search and the pages (docs/server-behaviour.md#event-logs).
import type { Environment } from '../environment.ts';
import type { FlowRecord } from '../records/logs.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { holds, isWanted, pageOf, spanIn } from '../traffic/logPage.ts';
import { faultsAt, isEach, recordsIn } from '../traffic/traffic-log.ts';

const SIZE = { usual: 1000, most: 50_000 };

export const trafficEvents: Handlers = {
  listNetworkTrafficEvents: (account, request, environment) => {
    const isStrict = environment.behaviour.requests === 'checked against the contract';
    const isIn = spanIn(request, isStrict);
    const faults = faultsAt(account);
    const found = recordsIn(account, faults, environment)
      .filter(flow => isIn(beginning(flow)) && isAskedFor(flow, request, environment))
      .toSorted(newestFirst)
      .flatMap((flow, place) => (isEach(faults.repeats, place) ? [flow, flow] : [flow]));
    const isFlat = ({ id }: FlowRecord) =>
      environment.behaviour.trafficEvents !== 'one event for each flow' &&
      isEach(faults.flat, Number(id));
    const shown = (flow: FlowRecord) => (isFlat(flow) ? flatView(flow) : view(flow));
    const pageFaults = {
      pages: faults.pages,
      isBlank: isEach(faults.blanks, faults.requests),
    };
    return pageOf(request, found, shown, { ...SIZE, faults: pageFaults });
  },
};

function isAskedFor(flow: FlowRecord, request: ApiRequest, { behaviour }: Environment): boolean {
  const { user, source, destination } = flow;
  const type = request.query('type');
  const search = request.query('search');
  // These parameters are not in the specification; dialect `spec` ignores unknown parameters.
  const side = (name: string) =>
    behaviour.trafficEvents === 'one event for each flow' ? '' : request.query(name);
  const searched = [user.email, source.name, destination.name, source.address, destination.address];
  return (
    isWanted(user.id, request.query('user_id')) &&
    isWanted(flow.reporter_id, request.query('reporter_id')) &&
    isWanted(flow.protocol, request.query('protocol')) &&
    isWanted(flow.connection_type, request.query('connection_type')) &&
    isWanted(flow.direction, request.query('direction')) &&
    isWanted(source.id, side('source_id')) &&
    isWanted(destination.id, side('destination_id')) &&
    (type === '' || typesOf(flow).includes(type)) &&
    (search === '' || searched.some(text => holds(text, search)))
  );
}

/** The types of the events of a flow, or of the flows in a sum. */
function typesOf({ events, sums }: FlowRecord): readonly string[] {
  if (sums === undefined) return events.map(({ type }) => type);
  return [
    ...(sums.num_of_starts > 0 ? ['TYPE_START'] : []),
    ...(sums.num_of_ends > 0 ? ['TYPE_END'] : []),
    ...(sums.num_of_drops > 0 ? ['TYPE_DROP'] : []),
  ];
}

function beginning({ events, sums }: FlowRecord): string {
  return sums?.window_start ?? events[0]?.timestamp ?? '';
}

function newestFirst(one: FlowRecord, other: FlowRecord): number {
  const a = beginning(one);
  const b = beginning(other);
  return a === b ? Number(other.id) - Number(one.id) : a < b ? 1 : -1;
}

/** A flow in a response. The type of the connection is only for filters, and is not shown. */
function view({ id, connection_type: _, sums, lag: __, arrives: ___, ...shown }: FlowRecord) {
  return sums === undefined ? shown : { id, ...shown, ...sums };
}

/** A flow in a response without nested objects for user, policy and ICMP, as in an example of the documentation. */
function flatView(flow: FlowRecord) {
  const { user, policy, icmp, ...shown } = view(flow);
  return {
    ...shown,
    user_id: user.id,
    user_email: user.email,
    user_name: user.name,
    policy_id: policy.id,
    policy_name: policy.name,
    icmp_type: icmp.type,
    icmp_code: icmp.code,
  };
}
