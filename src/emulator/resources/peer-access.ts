// The peers that a peer can reach, and temporary access to a peer (docs/server-behaviour.md#peers).

import { ipv6Of } from '../addresses/identity.ts';
import { fqdn } from '../audit/object-meta.ts';
import type { Environment } from '../environment.ts';
import { enrol } from '../peers/enrolment.ts';
import { accessiblePeers } from '../reach/accessible.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { RuleRecord } from '../records/topology.ts';
import { ok, refused } from '../request/answer.ts';
import { list, object, text } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { denied, internalError, invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { findPeer, maySee } from './peers.ts';

const BODY = object({ name: text, wg_pub_key: text, rules: list(text) });

const MAX_PORT = 65_535;

export const peerAccess: Handlers = {
  listAccessiblePeers: (account, request, environment) => {
    const peer = account.peers.get(request.path('peerId'));
    const isSeen = peer === undefined ? request.may('peers', 'read') : maySee(request, peer);
    if (!isSeen) throw denied('user may not read that peer');
    // For a peer in no other network map, the server responds that it reaches no peer.
    const reached = peer === undefined ? [] : accessiblePeers(account, peer, environment);
    return ok(reached.map(one => view(account, one, environment)));
  },

  createTemporaryAccess: (account, request, environment) => {
    const { name, rules, wg_pub_key } = request.body(BODY);
    const target = findPeer(account, request);
    if (name === '') throw invalid('a peer needs a name');
    const wanted = rules.map(rule => allowed(rule));
    const isLate = environment.behaviour.mistakes === 'internal errors';
    const bad = rules.find((_, index) => wanted[index] === undefined);
    if (bad !== undefined && !isLate) throw invalid(`invalid rule: ${bad}`);
    const guest = temporaryPeer(
      account,
      { name, wg_pub_key, user_id: request.caller.id },
      environment,
    );
    // The server of this dialect detects the error too late: by then the peer exists, and it is kept.
    if (bad !== undefined) return refused(internalError());
    for (const one of wanted)
      if (one !== undefined) letIn(account, { guest, target, ...one }, environment);
    return ok({ name: guest.name, id: guest.id, rules });
  },
};

/** Creates a peer without a machine, of which only the name and the public key are known. */
function temporaryPeer(
  account: Account,
  {
    name,
    wg_pub_key,
    user_id,
  }: { readonly name: string; readonly wg_pub_key: string; readonly user_id: string },
  environment: Environment,
): PeerRecord {
  const connected = environment.behaviour.ephemeralPeers === 'deleted when they disconnect';
  const nothing = { connection_ip: '', os: '', kernel_version: '', version: '', ui_version: '' };
  const machine = {
    ...nothing,
    hostname: name,
    serial_number: '',
    country_code: '',
    city_name: '',
    geoname_id: 0,
    extra_dns_labels: [],
    network_addresses: [],
    processes: [],
  };
  return enrol(
    account,
    {
      name,
      user_id,
      wg_pub_key,
      machine,
      groups: [],
      ip: '',
      isTemporary: true,
      ephemeral: true,
      connected,
      ssh_enabled: false,
    },
    environment,
  );
}

type Allowed = Pick<RuleRecord, 'protocol' | 'port_ranges'>;

/** The traffic in a text such as `tcp/80`, `udp/1000-2000` or `icmp`; undefined if the text is invalid. */
function allowed(rule: string): Allowed | undefined {
  if (rule === 'all' || rule === 'icmp') return { protocol: rule, port_ranges: [] };
  const [, protocol = '', first = '', last = first] =
    rule.match(/^(tcp|udp|netbird-ssh)\/(\d{1,5})(?:-(\d{1,5}))?$/) ?? [];
  const start = Number(first);
  const end = Number(last);
  const isRange = protocol !== '' && start >= 1 && start <= end && end <= MAX_PORT;
  return isRange ? { protocol, port_ranges: [{ start, end }] } : undefined;
}

interface Access extends Allowed {
  readonly guest: PeerRecord;
  readonly target: PeerRecord;
}

/** Creates a policy for each rule. The policies are deleted with the temporary peer. */
function letIn(
  account: Account,
  { guest, target, protocol, port_ranges }: Access,
  environment: Environment,
): void {
  const id = environment.newId();
  const name = `Temporary access policy for peer ${guest.name}`;
  const rule = 'Temporary access rule';
  const isWhole = port_ranges.length === 0 && environment.behaviour.rules === 'one';
  account.policies.put({
    id,
    name,
    description: name,
    enabled: true,
    source_posture_checks: null,
    rules: [
      {
        id,
        name: rule,
        description: rule,
        enabled: true,
        ports: [],
        protocol,
        action: 'accept',
        bidirectional: false,
        port_ranges: isWhole ? [{ start: 0, end: 0 }] : port_ranges,
        authorized_groups: {},
        sources: [],
        destinations: [],
        sourceResource: { id: guest.id, type: 'peer' },
        destinationResource: { id: target.id, type: 'peer' },
      },
    ],
  });
  account.log({ code: 'policy.add', target: id, meta: { name } });
}

function view(account: Account, peer: PeerRecord, environment: Environment) {
  const { id, name, ip, user_id, connected, last_seen } = peer;
  const { os, country_code, city_name, geoname_id } = peer.machine;
  return {
    id,
    name,
    ip,
    ...ipv6Of(account, peer, environment),
    dns_label: fqdn(account, peer),
    user_id,
    os,
    country_code,
    city_name,
    geoname_id,
    connected,
    last_seen,
  };
}
