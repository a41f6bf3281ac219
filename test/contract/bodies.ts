// Bodies that the specification allows, written from it: by what operations are named for, and by operation.

export const RULE = {
  name: 'r',
  enabled: true,
  action: 'accept',
  bidirectional: true,
  protocol: 'tcp',
};

/** What bodies of one kind hold: the required fields alone, and every field there is besides. */
interface Bodies {
  readonly required: object;
  readonly optional: object;
}

const SCOPE = { group_prefixes: ['eng'], user_group_prefixes: [], connector_id: 'c' };

const EDR = { groups: ['g'], last_synced_interval: 24 };

/** Bodies that a creation and an update share, by what their operations are named for. */
export const KINDS: Readonly<Record<string, Bodies>> = {
  Group: {
    required: { name: 'g' },
    optional: { peers: ['p'], resources: [{ id: 'r', type: 'host' }] },
  },
  Network: { required: { name: 'n' }, optional: { description: '' } },
  NetworkResource: {
    required: { name: 'r', address: '10.0.0.1', enabled: true, groups: [] },
    optional: { description: 'd' },
  },
  NetworkRouter: {
    required: { metric: 1, masquerade: false, enabled: true },
    optional: { peer_groups: ['g'] },
  },
  IngressPortAllocation: {
    required: { name: 'a', enabled: true },
    optional: { port_ranges: [{ start: 80, end: 81, protocol: 'tcp' }] },
  },
  Route: {
    required: {
      description: '',
      network_id: 'n',
      enabled: true,
      metric: 9999,
      masquerade: true,
      groups: ['g'],
      keep_route: false,
    },
    optional: {
      peer: 'p',
      network: '10.0.0.0/8',
      access_control_groups: ['g'],
      skip_auto_apply: true,
    },
  },
  IdentityProvider: {
    required: { type: 'oidc', name: 'i', issuer: 'https://a.b', client_id: 'c', client_secret: '' },
    optional: {},
  },
  Policy: {
    required: { name: 'p', enabled: true, rules: [RULE] },
    optional: { description: 'd', source_posture_checks: ['c'] },
  },
  PostureCheck: {
    required: { name: 'c', description: '' },
    optional: { checks: { nb_version_check: { min_version: '1.0' } } },
  },
  EdrProviderA: {
    required: { ...EDR, api_token: 't', api_url: 'u', match_attributes: { infected: false } },
    optional: { enabled: false },
  },
  EdrProviderB: {
    required: { ...EDR, client_id: 'c', tenant_id: 't', secret: 's' },
    optional: { enabled: false },
  },
  EdrProviderC: {
    required: { ...EDR, api_key: 'k', api_secret: 's', match_attributes: {} },
    optional: { enabled: true },
  },
  EdrProviderD: {
    required: {
      groups: [],
      client_id: 'c',
      secret: 's',
      cloud_id: 'eu-1',
      zta_score_threshold: 0,
    },
    optional: { enabled: true },
  },
  NotificationChannel: {
    required: { type: 'email', event_types: ['user.join'], enabled: true },
    optional: { target: { emails: ['a@example.com'] } },
  },
  EventStream: {
    required: { platform: 'datadog', config: { api_key: 'k' }, enabled: true },
    optional: {},
  },
};

/** Bodies of one operation alone. */
export const OPERATIONS: Readonly<Record<string, Bodies>> = {
  createToken: { required: { name: 't', expires_in: 30 }, optional: {} },
  createUser: {
    required: { role: 'user', auto_groups: [], is_service_user: true },
    optional: { email: 'a@example.com', name: 'n' },
  },
  updateUser: { required: { role: 'user', auto_groups: [], is_blocked: false }, optional: {} },
  changePassword: {
    required: { old_password: 'old', new_password: 'New pass 1' },
    optional: {},
  },
  createUserInvite: {
    required: { email: 'a@example.com', name: 'n', role: 'user', auto_groups: [] },
    optional: { expires_in: 3600 },
  },
  regenerateUserInvite: { required: {}, optional: { expires_in: 3600 } },
  acceptUserInvite: { required: { password: 'New pass 1' }, optional: {} },
  updatePeer: {
    required: {
      name: 'p',
      ssh_enabled: true,
      login_expiration_enabled: false,
      inactivity_expiration_enabled: false,
    },
    optional: { approval_required: true, ip: '100.64.0.1' },
  },
  createTemporaryAccess: {
    required: { name: 'n', wg_pub_key: 'k', rules: ['tcp/80'] },
    optional: {},
  },
  createJob: {
    required: {
      workload: {
        type: 'bundle',
        parameters: {
          bundle_for: false,
          bundle_for_time: 1,
          log_file_count: 1,
          anonymize: true,
        },
      },
    },
    optional: {},
  },
  createIngressPeer: { required: { peer_id: 'p', enabled: true, fallback: false }, optional: {} },
  updateIngressPeer: { required: { enabled: true, fallback: false }, optional: {} },
  createSetupKey: {
    required: {
      name: 'k',
      type: 'reusable',
      expires_in: 86400,
      auto_groups: [],
      usage_limit: 0,
    },
    optional: { ephemeral: true, allow_extra_dns_labels: true },
  },
  updateSetupKey: { required: { revoked: true, auto_groups: [] }, optional: {} },
  createMspTenant: {
    required: { name: 't', domain: 'd.example', groups: [{ id: 'g', role: 'admin' }] },
    optional: {},
  },
  updateMspTenant: { required: { name: 't', groups: [] }, optional: {} },
  unlinkMspTenant: { required: { owner: 'u' }, optional: {} },
  changeMspTenantSubscription: { required: { priceID: 'p' }, optional: {} },
  answerMspTenantInvite: { required: { value: 'accept' }, optional: {} },
  createScimIntegration: { required: { prefix: 'p', provider: 'generic' }, optional: SCOPE },
  updateScimIntegration: { required: {}, optional: { ...SCOPE, enabled: false, prefix: 'p' } },
  createDirectorySyncA: {
    required: { client_secret: 'cw==', client_id: 'c', tenant_id: 't', host: 'h' },
    optional: { ...SCOPE, sync_interval: 300 },
  },
  updateDirectorySyncA: {
    required: {},
    optional: {
      ...SCOPE,
      enabled: true,
      client_secret: 'cw==',
      client_id: 'c',
      tenant_id: 't',
      sync_interval: 300,
    },
  },
  createDirectorySyncB: {
    required: { service_account_key: 'cw==', customer_id: 'c' },
    optional: { ...SCOPE, sync_interval: 300 },
  },
  updateDirectorySyncB: {
    required: {},
    optional: {
      ...SCOPE,
      enabled: true,
      service_account_key: 'cw==',
      customer_id: 'c',
      sync_interval: 300,
    },
  },
};
