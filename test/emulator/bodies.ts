// Request bodies that the specification allows, each with what a test wants to be different.

export const resourceBody = (more: object = {}) => ({
  name: 'orders-db',
  description: 'a database',
  address: '10.20.0.5',
  enabled: true,
  groups: [],
  ...more,
});

export const routerBody = (more: object = {}) => ({
  metric: 100,
  masquerade: true,
  enabled: true,
  ...more,
});

export const routeBody = (more: object = {}) => ({
  description: 'office',
  network_id: 'office',
  enabled: true,
  metric: 9999,
  masquerade: true,
  keep_route: false,
  ...more,
});

export const ruleBody = (more: object = {}) => ({
  name: 'rule',
  description: '',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  sources: [],
  destinations: [],
  ...more,
});

export const policyBody = (rules: readonly object[], more: object = {}) => ({
  name: 'policy',
  description: '',
  enabled: true,
  rules,
  ...more,
});

export const checkBody = (checks: object, more: object = {}) => ({
  name: 'check',
  description: '',
  checks,
  ...more,
});

export const channelBody = (more: object = {}) => ({
  type: 'email',
  target: { emails: ['ops@example.com'] },
  event_types: ['user.join'],
  enabled: true,
  ...more,
});

export const peerBody = (more: object = {}) => ({
  name: 'laptop',
  ssh_enabled: false,
  login_expiration_enabled: false,
  inactivity_expiration_enabled: false,
  ...more,
});

/** A support bundle, its parameters as a test wants them. */
export const jobBody = (parameters: object = {}, type = 'bundle') => ({
  workload: {
    type,
    parameters: {
      bundle_for: false,
      bundle_for_time: 1,
      log_file_count: 1,
      anonymize: true,
      ...parameters,
    },
  },
});

export const userBody = (more: object = {}) => ({
  email: 'ada@example.com',
  name: 'Ada',
  role: 'user',
  auto_groups: [],
  is_service_user: false,
  ...more,
});

export const userUpdate = (more: object = {}) => ({
  role: 'user',
  auto_groups: [],
  is_blocked: false,
  ...more,
});

export const inviteBody = (more: object = {}) => ({
  email: 'grace@example.com',
  name: 'Grace',
  role: 'user',
  auto_groups: [],
  ...more,
});

export const setupKeyBody = (more: object = {}) => ({
  name: 'build machines',
  type: 'reusable',
  expires_in: 86_400,
  auto_groups: [],
  usage_limit: 0,
  ...more,
});

export const providerBody = (more: object = {}) => ({
  type: 'oidc',
  name: 'company',
  issuer: 'https://login.example.com',
  client_id: 'overlay',
  client_secret: 'secret',
  ...more,
});

export const tenantBody = (more: object = {}) => ({
  name: 'customer',
  domain: 'customer.example.com',
  groups: [],
  ...more,
});

export const allocationBody = (more: object = {}) => ({
  name: 'web',
  enabled: true,
  port_ranges: [{ start: 80, end: 81, protocol: 'tcp' }],
  ...more,
});

export const streamBody = (more: object = {}) => ({
  platform: 'datadog',
  config: { api_key: 'secret', api_url: 'https://logs.example.com' },
  enabled: true,
  ...more,
});

/** The settings of each integration of an endpoint-detection provider. */
export const EDR_BODIES = {
  A: {
    api_token: 'secret',
    api_url: 'https://edr.example.com',
    groups: [],
    last_synced_interval: 24,
    match_attributes: { infected: false, network_status: 'connected' },
  },
  B: {
    client_id: 'c',
    tenant_id: 't',
    secret: 'secret',
    groups: [],
    last_synced_interval: 48,
  },
  C: {
    api_key: 'secret',
    api_secret: 'secret',
    groups: [],
    last_synced_interval: 24,
    match_attributes: { firewall_status: 'Enabled' },
  },
  D: {
    client_id: 'secret',
    secret: 'secret',
    cloud_id: 'eu-1',
    groups: [],
    zta_score_threshold: 50,
  },
} as const;

export const scimBody = (more: object = {}) => ({ prefix: 'corp', provider: 'generic', ...more });

export const directoryABody = (more: object = {}) => ({
  client_secret: 'c2VjcmV0',
  client_id: 'c',
  tenant_id: 't',
  host: 'directory.example.com',
  ...more,
});

export const directoryBBody = (more: object = {}) => ({
  service_account_key: 'c2VjcmV0',
  customer_id: 'c',
  ...more,
});
