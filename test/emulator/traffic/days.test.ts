// Days of generated traffic, and the log that machines make of it: who reports what, in which shape, and when it arrives.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { liveThrough, type TrafficPlan, type Truth } from '../../support/servers/traffic.ts';
import { policyBody, ruleBody } from '../bodies.ts';
import { type Emulated, idOf, standing } from '../emulated.ts';

const TRAFFIC = '/api/events/network-traffic';
const START = Date.parse('2026-03-02T00:00:00Z');
const DAY = 86_400;
const MODES = ['off', 'kernel', 'user space'] as const;

type Entry = Readonly<Record<string, unknown>>;

const logOf = async (api: Emulated, query = ''): Promise<readonly Entry[]> =>
  Object(await api.get(`${TRAFFIC}?page_size=50000${query}`)).data;

const settings = {
  peer_login_expiration: 86_400,
  auto_update_version: 'disabled',
};

/** Sets the log of the account, whose other settings are of no interest. */
async function setLog(api: Emulated, enabled: boolean, groups: readonly string[] = []) {
  const [account] = [await api.get('/api/accounts')].flat();
  const extra = {
    peer_approval_enabled: false,
    user_approval_required: false,
    network_traffic_logs_enabled: enabled,
    network_traffic_logs_groups: groups,
    network_traffic_packet_counter_enabled: false,
  };
  await api.put(`/api/accounts/${idOf(account)}`, { settings: { ...settings, extra } });
}

/**
 * An account whose machines report in every mode, half of them in sums: staff uses what servers have, and an office behind two
 * gates.
 */
async function office(dialect: 'spec' | 'netbird' = 'netbird') {
  const { end, ...made } = await standingOffice(dialect);
  onTestFinished(end);
  return made;
}

async function standingOffice(dialect: 'spec' | 'netbird') {
  const { api, end } = await standing({ dialect, clock: () => new Date(START) });
  for (const policy of [await api.get('/api/policies')].flat())
    await api.remove(`/api/policies/${idOf(policy)}`);
  const machines: Record<string, TrafficPlan['machines'][string]> = {};
  const enrolled = async (name: string, count: number) => {
    const peers: string[] = [];
    for (let place = 0; place < count; place += 1) {
      const version = place % 2 === 0 ? '0.74.0' : '0.76.0';
      const id = await api.enrol(`${name}-${place}`, { version, os: 'Debian GNU/Linux 12' });
      machines[id] = MODES[(place + 1) % MODES.length] ?? 'off';
      peers.push(id);
    }
    return api.make('/api/groups', { name, peers });
  };
  const staff = await enrolled('staff', 6);
  const servers = await enrolled('servers', 6);
  const gates = await enrolled('gates', 6);
  const network = await api.make('/api/networks', { name: 'office' });
  const path = `/api/networks/${network}`;
  const router = { peer_groups: [gates], metric: 9999, masquerade: true, enabled: true };
  await api.make(`${path}/routers`, router);
  const files = await api.make('/api/groups', { name: 'files', peers: [] });
  const resource = { name: 'files', description: '', address: '10.9.0.0/24', enabled: true };
  await api.make(`${path}/resources`, { ...resource, groups: [files] });
  const domain = { name: 'wiki', description: '', address: 'wiki.example.com', enabled: true };
  await api.make(`${path}/resources`, { ...domain, groups: [files] });
  const allow = async (name: string, destinations: readonly string[], more: object) => {
    const rule = ruleBody({ sources: [staff], destinations, bidirectional: false, ...more });
    return api.make('/api/policies', policyBody([rule], { name }));
  };
  await allow('ssh', [servers], { protocol: 'tcp', ports: ['22'] });
  await allow('web', [servers], { protocol: 'tcp', ports: ['80', '443'] });
  await allow('dns', [servers], { protocol: 'udp', ports: ['53'] });
  await allow('ping', [servers], { protocol: 'icmp', ports: [] });
  await allow('files', [files], { protocol: 'tcp', ports: ['445'] });
  if (dialect === 'netbird') await setLog(api, true);
  const plan: Partial<TrafficPlan> = {
    machines,
    seed: 7,
    alive: 100,
    usage: 100,
    refused: 60,
    starts: 4,
  };
  return { api, plan, machines, staff, end };
}

/** Lives through a day, and reads the log when its last reports are in. */
async function observed(api: Emulated, plan: Partial<TrafficPlan>) {
  const truth = await liveThrough(api.control, plan, {
    count: 1,
    every: DAY,
    onPoll: async () => {},
  });
  await api.control('POST', '/emulator/clock', { advance: DAY });
  return { truth, entries: await logOf(api) };
}

const at = (entry: Entry, path: string): string =>
  String(path.split('.').reduce<unknown>((value, name) => Object(value)[name], entry));

const typesOf = ({ events }: Entry): readonly string[] =>
  [events].flat().map(event => String(Object(event).type));

/** How many starts and drops a record tells. */
function countsOf(entry: Entry) {
  const drops = typesOf(entry).filter(type => type === 'TYPE_DROP').length;
  return 'window_start' in entry
    ? { starts: Number(entry.num_of_starts), drops: Number(entry.num_of_drops) }
    : { starts: typesOf(entry).filter(type => type === 'TYPE_START').length, drops };
}

/** What the records tell, and what the truth says they must, as sorted lines. */
function told(entries: readonly Entry[]): readonly string[] {
  return entries
    .flatMap(entry => {
      const port = at(entry, 'destination.address').split(':').at(-1);
      const { starts, drops } = countsOf(entry);
      const line = [entry.reporter_id, at(entry, 'source.id'), entry.protocol, port].join(' ');
      return [
        ...Array.from({ length: starts }, () => `${line} start`),
        ...Array.from({ length: drops }, () => `${line} drop`),
      ];
    })
    .toSorted();
}

function trueLines({ flows }: Truth, until: number): readonly string[] {
  return flows
    .filter(flow => Date.parse(flow.at) < until)
    .flatMap(({ source, reporters, protocol, port, isAdmitted }) =>
      reporters.map(reporter => {
        const word = isAdmitted || reporter === source ? 'start' : 'drop';
        return `${reporter} ${source} ${protocol} ${port} ${word}`;
      }),
    )
    .toSorted();
}

describe('the log of a day', () => {
  let machines: TrafficPlan['machines'];
  let truth: Truth;
  let entries: readonly Entry[];
  beforeAll(async () => {
    const made = await standingOffice('netbird');
    machines = made.machines;
    ({ truth, entries } = await observed(made.api, made.plan));
    await made.end();
  });

  it('has every reported flow, once for each reporter, in both shapes', () => {
    expect(told(entries)).toEqual(trueLines(truth, Number.POSITIVE_INFINITY));
    const sums = entries.filter(entry => 'window_start' in entry);
    expect([sums.length > 100, entries.length - sums.length > 100]).toEqual([true, true]);
    expect(sums.flatMap(typesOf)).toEqual([]);
  });

  it('names a policy, and contains drops, only from the receiving side in user space', () => {
    const accepted = new Set(truth.flows.flatMap(({ policies }) => policies));
    const seen = new Set<string>();
    for (const entry of entries) {
      const mode = machines[String(entry.reporter_id)] ?? 'off';
      const isReceiver = entry.direction === 'INGRESS';
      const isDrop = countsOf(entry).drops > 0;
      expect(mode).not.toBe('off');
      if (mode === 'kernel' || !isReceiver)
        expect([at(entry, 'policy.id'), isDrop]).toEqual(['', false]);
      else if (isDrop) expect(at(entry, 'policy.id')).toBe('');
      else if (countsOf(entry).starts > 0) expect(accepted).toContain(at(entry, 'policy.id'));
      if (mode === 'kernel') expect([entry.rx_bytes, entry.tx_packets]).toEqual([0, 0]);
      seen.add(`${mode} ${isReceiver} ${isDrop}`);
    }
    expect(seen.size).toBe(5);
  });

  it('has a resource as destination, and the machine that routed to it as its second reporter', () => {
    const routed = entries.filter(entry => at(entry, 'destination.type') !== 'PEER');
    const types = new Set(routed.map(entry => at(entry, 'destination.type')));
    expect([...types].toSorted()).toEqual(['DOMAIN_RESOURCE', 'SUBNET_RESOURCE']);
    for (const flow of truth.flows.filter(({ via }) => via !== null)) {
      const { source, via, isAdmitted, reporters } = flow;
      const able = [source, via ?? ''].filter(id => machines[id] !== 'off');
      const isUnseen = !isAdmitted && machines[via ?? ''] !== 'user space';
      expect(reporters).toEqual(isUnseen ? able.filter(id => id === source) : able);
    }
    const wiki = routed.find(entry => at(entry, 'destination.name') === 'wiki');
    expect(at(wiki ?? {}, 'destination.dns_label')).toBe('wiki.example.com');
  });
});

describe('as time passes, the log', () => {
  it('shows nothing before it happened, everything ten minutes later, and a flow with its start first', async () => {
    const { api, plan } = await office();
    const truth: Truth = Object(await api.control('POST', '/emulator/traffic-days', plan));
    expect(await logOf(api)).toEqual([]);
    const stories = new Map<string, Set<string>>();
    const STEP = 7200;
    for (let past = STEP; past <= DAY; past += STEP) {
      await api.control('POST', '/emulator/clock', { advance: STEP });
      const now = START + past * 1000;
      const entries = await logOf(api);
      for (const entry of entries) {
        const { receive_timestamp, events, flow_id } = entry;
        const known = [events].flat().map(event => String(Object(event).timestamp));
        for (const time of receive_timestamp === undefined ? known : [receive_timestamp])
          expect(Date.parse(String(time))).toBeLessThanOrEqual(now);
        const types = stories.get(String(flow_id)) ?? new Set();
        stories.set(String(flow_id), types.add(typesOf(entry).join()));
      }
      const lines = Map.groupBy(told(entries), line => line);
      // A sum waits for the end of its window, which is five minutes long.
      for (const [line, all] of Map.groupBy(trueLines(truth, now - 900_000), one => one))
        expect(lines.get(line)?.length ?? 0, line).toBeGreaterThanOrEqual(all.length);
    }
    const seen = new Set([...stories.values()].map(types => [...types].join(' then ')));
    expect([...seen].toSorted()).toEqual([
      '',
      'TYPE_DROP',
      'TYPE_START',
      'TYPE_START then TYPE_START,TYPE_END',
      'TYPE_START,TYPE_END',
    ]);
  });

  it('keeps seven days', async () => {
    const { api, plan } = await office();
    await observed(api, plan);
    const before = (await logOf(api)).length;
    expect(before).toBeGreaterThan(0);
    await api.control('POST', '/emulator/clock', { advance: 5 * DAY - 3600 });
    const late = await logOf(api);
    expect(late.length).toBeGreaterThan(before / 2);
    await api.control('POST', '/emulator/clock', { advance: 2 * DAY });
    expect(await logOf(api)).toEqual([]);
  });
});

describe('the settings of the account', () => {
  it('disable the log, whatever happens', async () => {
    const { api, plan } = await office();
    await setLog(api, false);
    const { truth, entries } = await observed(api, plan);
    expect(entries).toEqual([]);
    expect(truth.flows.length).toBeGreaterThan(100);
    expect(truth.flows.flatMap(({ reporters }) => reporters)).toEqual([]);
    expect(truth.machines.filter(({ isReporting }) => isReporting)).toEqual([]);
  });

  it('limit who reports to the members of groups', async () => {
    const { api, plan, staff } = await office();
    await setLog(api, true, [staff]);
    const { truth, entries } = await observed(api, plan);
    const members = [Object(await api.get(`/api/groups/${staff}`)).peers].flat().map(idOf);
    const reporters = new Set(entries.map(({ reporter_id }) => String(reporter_id)));
    expect(reporters.size).toBeGreaterThan(2);
    expect(members).toEqual(expect.arrayContaining([...reporters]));
    expect(new Set(truth.flows.flatMap(flow => flow.reporters))).toEqual(reporters);
  });

  it('do not exist under spec: the log is enabled, and has every flow', async () => {
    const { api, plan } = await office('spec');
    const { truth, entries } = await observed(api, plan);
    expect(told(entries)).toEqual(trueLines(truth, Number.POSITIVE_INFINITY));
    expect(entries.filter(entry => 'window_start' in entry)).toEqual([]);
  });
});

describe('the generated traffic', () => {
  it('is the same for the same seed, and different for a different seed', async () => {
    const { api, plan } = await office();
    const snapshot = await api.control('GET', '/emulator/snapshot');
    const made = async (more: object) => {
      await api.control('PUT', '/emulator/snapshot', snapshot);
      return api.control('POST', '/emulator/traffic-days', { ...plan, ...more });
    };
    const first = await made({});
    expect(await made({})).toEqual(first);
    expect(await made({ seed: 8 })).not.toEqual(first);
  });

  it('lets machines use the next day what they use today, although others join', async () => {
    const { api, plan } = await office();
    const steady = { ...plan, away: 0, refused: 0 };
    const usesOf = ({ flows }: Truth) =>
      new Set(flows.map(one => JSON.stringify([one.source, one.destination, one.port])));
    const before = usesOf(
      Object(await api.control('POST', '/emulator/traffic-days', { ...steady, days: 12 })),
    );
    await api.enrol('newcomer');
    const after = usesOf(
      Object(await api.control('POST', '/emulator/traffic-days', { ...steady, days: 12 })),
    );
    expect([...after].toSorted()).toEqual([...before].toSorted());
  });

  it('has no traffic of disconnected machines', async () => {
    const { api, plan } = await office();
    const { flows, machines }: Truth = Object(
      await api.control('POST', '/emulator/traffic-days', { ...plan, away: 50 }),
    );
    const away = machines.filter(({ isConnected }) => !isConnected).map(({ id }) => id);
    expect(away.length).toBeGreaterThan(3);
    for (const { source, via, destination } of flows) {
      expect(away).not.toContain(source);
      expect(away).not.toContain(via);
      expect(away).not.toContain(destination.id);
    }
    const peers = [await api.get('/api/peers')].flat().map(Object);
    const shown = peers.filter(({ connected }) => !connected).map(idOf);
    expect(shown.toSorted()).toEqual(away.toSorted());
  });

  it('says which machines reported on each day', async () => {
    const { api, plan } = await office();
    const truth: Truth = Object(
      await api.control('POST', '/emulator/traffic-days', { ...plan, days: 3, quiet: 40 }),
    );
    const expected = new Set(
      truth.flows.flatMap(flow => flow.reporters.map(id => `${id} ${flow.at.slice(0, 10)}`)),
    );
    const said = truth.machines.filter(one => one.isReporting).map(({ id, day }) => `${id} ${day}`);
    expect(said.toSorted()).toEqual([...expected].toSorted());
    expect(truth.machines).toHaveLength(18 * 3);
  });
});

it('a contradictory plan is refused with the reason', async () => {
  const { api } = await office();
  const refusalOf = async (path: string, body: object) => {
    const method = path.endsWith('log') ? 'PUT' : 'POST';
    const { status, body: said } = await api.call(method, path, body, `Token ${api.controlsToken}`);
    return [status, Object(said).message];
  };
  const days = '/emulator/traffic-days';
  expect(await refusalOf(days, { usage: 101 })).toEqual([422, 'usage must be from 0 to 100']);
  expect(await refusalOf(days, { days: 0 })).toEqual([422, 'days must be from 1 to 366']);
  expect(await refusalOf(days, { machines: { x: 'off' } })).toEqual([422, 'peer id x not found']);
  const [peer] = [await api.get('/api/peers')].flat().map(idOf);
  expect(await refusalOf(days, { machines: { [String(peer)]: 'on' } })).toEqual([
    422,
    `machines.${peer} must be one of off, kernel, user space`,
  ]);
  expect(await refusalOf('/emulator/traffic-log', { repeats: -1 })).toEqual([
    422,
    'repeats must be from 0 to 100000',
  ]);
});
