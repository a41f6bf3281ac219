// Validates the lists of an account, in the form of the API's GET responses. Only the fields on
// which access depends are checked.
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';

type Fault = string;
type Form = (value: Json, path: string) => readonly Fault[];

const PROTOCOLS = ['all', 'tcp', 'udp', 'icmp', 'netbird-ssh'];
const TYPES = ['peer', 'host', 'subnet', 'domain'];

/** The faults of `account`, by path; empty if there are none. */
export function answerFaults(account: Json): readonly Fault[] {
  return ACCOUNT(account, '');
}

const wrong = (path: string, what: string): readonly Fault[] => [
  `${quoted(path || '.')} is ${what}`,
];
const typed =
  (type: string, what: string): Form =>
  (value, path) =>
    typeof value === type ? [] : wrong(path, `not ${what}`);

const text = typed('string', 'a string');
const flag = typed('boolean', 'true or false');
const number = typed('number', 'a number');

const id: Form = (value, path) =>
  (typeof value === 'string' && value !== '') || Number.isSafeInteger(value)
    ? []
    : wrong(path, 'not an id');

const oneOf =
  (words: readonly string[]): Form =>
  (value, path) =>
    typeof value === 'string' && words.includes(value)
      ? []
      : wrong(path, `none of ${words.join(', ')}`);

// The server writes null for an empty list.
const list =
  (item: Form): Form =>
  (value, path) => {
    if (value === null) return [];
    if (!isList(value)) return wrong(path, 'not a list');
    return value.flatMap((one, index) => item(one, `${path}[${index}]`));
  };

const object =
  (required: Readonly<Record<string, Form>>, optional: Readonly<Record<string, Form>> = {}): Form =>
  (value, path) => {
    if (!isObject(value)) return wrong(path, 'not an object');
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    return [
      ...Object.entries(required).flatMap(([name, form]) => {
        const given = value[name];
        return given === undefined ? wrong(at(name), 'missing') : form(given, at(name));
      }),
      ...Object.entries(optional).flatMap(([name, form]) => {
        const given = value[name];
        return given === undefined || given === null ? [] : form(given, at(name));
      }),
    ];
  };

// The ids of objects in a list must be distinct.
const distinct =
  (form: Form): Form =>
  (value, path) => {
    const faults = list(form)(value, path);
    if (faults.length > 0 || !isList(value)) return faults;
    const seen = new Set<string>();
    for (const item of value) {
      const name = String((item as Fields).id);
      if (seen.has(name)) return wrong(path, `a list with two objects of the id ${quoted(name)}`);
      seen.add(name);
    }
    return [];
  };

// A reference is an id, or an object with an id.
const ref: Form = (value, path) =>
  isObject(value) ? object({ id })(value, path) : id(value, path);

const PEER = object(
  { id },
  {
    name: text,
    version: text,
    os: text,
    kernel_version: text,
    country_code: text,
    city_name: text,
    connection_ip: text,
    ip: text,
    ipv6: text,
    dns_label: text,
    extra_dns_labels: list(text),
    user_id: text,
    approval_required: flag,
    login_expired: flag,
    ephemeral: flag,
  },
);
const GROUP = object({ id, name: text }, { peers: list(ref), resources: list(ref) });
const SINGLE = object({}, { id: text, type: oneOf(['', ...TYPES]) });
const RANGE = object({ start: number, end: number });
const RULE = object(
  { protocol: oneOf(PROTOCOLS) },
  {
    id,
    name: text,
    enabled: flag,
    action: oneOf(['accept', 'drop']),
    bidirectional: flag,
    ports: list(text),
    port_ranges: list(RANGE),
    sources: list(ref),
    destinations: list(ref),
    sourceResource: SINGLE,
    destinationResource: SINGLE,
  },
);
const POLICY = object(
  { id, rules: list(RULE) },
  { name: text, enabled: flag, source_posture_checks: list(ref) },
);
const CHECK = object({ id, checks: object({}) }, { name: text });
const ROUTE = object(
  { id },
  {
    network_id: text,
    enabled: flag,
    network: text,
    domains: list(text),
    peer: text,
    peer_groups: list(ref),
    groups: list(ref),
    access_control_groups: list(ref),
  },
);
const RESOURCE = object({ id, address: text }, { name: text, enabled: flag, groups: list(ref) });
const ROUTER = object({ id }, { enabled: flag, peer: text, peer_groups: list(ref) });
const NETWORK = object(
  { id },
  { name: text, resources: distinct(RESOURCE), routers: distinct(ROUTER) },
);
const RECORD = object({ id, name: text, type: text, content: text });
const ZONE = object(
  { id, domain: text },
  {
    enabled: flag,
    enable_search_domain: flag,
    distribution_groups: list(ref),
    records: distinct(RECORD),
  },
);
const LOCK = object({}, { enabled: flag });
const SERVICE = object(
  { id, domain: text },
  {
    enabled: flag,
    mode: oneOf(['', 'http', 'tcp', 'udp', 'tls']),
    private: flag,
    access_groups: list(ref),
    targets: list(
      object(
        { target_id: text, target_type: text },
        {
          host: text,
          port: number,
          protocol: text,
          enabled: flag,
          options: object({}, { direct_upstream: flag }),
        },
      ),
    ),
    auth: object(
      {},
      {
        password_auth: LOCK,
        pin_auth: LOCK,
        header_auths: list(LOCK),
        bearer_auth: object({}, { enabled: flag, distribution_groups: list(ref) }),
      },
    ),
    access_restrictions: object({}),
  },
);
const ENROLMENT = object({ id }, { name: text, email: text, auto_groups: list(ref) });

const ACCOUNT = object(
  { peers: distinct(PEER), groups: distinct(GROUP), policies: distinct(POLICY) },
  {
    posture_checks: distinct(CHECK),
    networks: distinct(NETWORK),
    routes: distinct(ROUTE),
    zones: distinct(ZONE),
    services: distinct(SERVICE),
    users: distinct(ENROLMENT),
    setup_keys: distinct(ENROLMENT),
  },
);
