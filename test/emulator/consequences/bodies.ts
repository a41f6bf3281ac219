// The objects that the tables of consequences begin with. Their ids are chosen: `g` and `h` are groups, `p` and `q` peers.

export const GROUPS = {
  '/api/groups': [
    { id: 'g', name: 'g' },
    { id: 'h', name: 'h' },
  ],
};
export const PEERS = {
  '/emulator/peers': [
    { id: 'p', name: 'p' },
    { id: 'q', name: 'q' },
  ],
};
export const NETWORK = { '/api/networks': [{ id: 'n', name: 'n' }] };

const RULE = {
  name: 'r',
  description: '',
  enabled: true,
  action: 'accept',
  bidirectional: true,
};
const TCP = { ...RULE, protocol: 'tcp' };
export const SSH = { ...RULE, protocol: 'netbird-ssh' };

/** A policy of one rule between `g`, `h` or what `rule` says. */
export const policy = (rule: object, more: object = {}) => ({
  id: 'pol',
  name: 'pol',
  description: '',
  enabled: true,
  source_posture_checks: [],
  rules: [{ ...TCP, ...rule }],
  ...more,
});
/** The same without an id, as a request has it. */
export const another = (rule: object, more: object = {}) => {
  const { id: _, ...body } = policy(rule, more);
  return body;
};
export const pointing = (id: string, type: string) => ({ id, type });

export const resource = (more: object = {}) => ({
  name: 'r',
  address: '10.0.0.1',
  enabled: true,
  groups: [],
  ...more,
});
export const router = (more: object) => ({ metric: 1, masquerade: true, enabled: true, ...more });
export const route = (more: object) => ({
  description: '',
  network_id: 'rt',
  enabled: true,
  metric: 1,
  masquerade: true,
  keep_route: false,
  network: '10.9.0.0/16',
  groups: ['h'],
  ...more,
});
export const key = (more: object = {}) => ({
  name: 'k',
  type: 'reusable',
  expires_in: 86_400,
  auto_groups: [],
  usage_limit: 0,
  ...more,
});
export const robot = (more: object = {}) => ({
  name: 'robot',
  role: 'user',
  auto_groups: [],
  is_service_user: true,
  ...more,
});
export const invite = (more: object = {}) => ({
  email: 'i@example.com',
  name: 'i',
  role: 'user',
  auto_groups: [],
  ...more,
});
export const CHECK = {
  id: 'c',
  name: 'c',
  description: '',
  checks: { nb_version_check: { min_version: '1' } },
};
export const EDR = {
  client_id: 'c',
  tenant_id: 't',
  secret: 's',
  last_synced_interval: 24,
  enabled: true,
};
