// Values of the chart: some that must be accepted, and some that its schema must refuse.

/** Dotted names of values, as `helm --set` has them. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** The least that works. */
export const LEAST: Values = {
  'image.repository': 'registry.example.com:5000/team/meshform',
  'account.url': 'https://api.example.com',
  'desiredState.git.url': 'https://git.example.com/team/network.git',
  'drift.tokenSecret.name': 'meshform-reader',
};

export const APPLY: Values = {
  ...LEAST,
  'apply.enabled': true,
  'apply.tokenSecret.name': 'meshform-writer',
};

export const RECORDED: Values = {
  ...APPLY,
  'apply.recordBase.enabled': true,
  'apply.recordBase.account': 'group-all-1',
};

export const OBSERVE: Values = {
  ...LEAST,
  'drift.enabled': false,
  'account.ca.configMap': 'private-ca',
  'observe.enabled': true,
  'observe.tokenSecret.name': 'meshform-reader',
  'observe.claim': 'meshform-traffic',
  'observe.args[0]': '--keep=90d',
};

export const WORKERS: Values = {
  'image.repository': 'registry.example.com:5000/team/meshform',
  'desiredState.git.url': 'https://git.example.com/team/fleet.git',
  'desiredState.git.httpsSecret': 'robot',
  'drift.enabled': false,
  'fleetWorkers.enabled': true,
  'fleetWorkers.replicas': 3,
  'fleetWorkers.credentialsSecret.name': 'fleet-credentials',
  'fleetWorkers.databaseSecret.name': 'fleet-database',
  'fleetWorkers.secretEnv.ACME_TOKEN.name': 'acme',
  'fleetWorkers.secretEnv.ACME_TOKEN.key': 'token',
  'fleetWorkers.args[0]': '--at-once=8',
  'signingKeySecret.name': 'signing',
};

export const ACCEPTED: Readonly<Record<string, Values>> = {
  least: LEAST,
  apply: APPLY,
  'apply alone, with a claim for journals': {
    ...APPLY,
    'drift.enabled': false,
    'journals.claim': 'meshform-journals',
  },
  'a recorded base, over ssh': { ...RECORDED, 'desiredState.git.sshSecret': 'deploy-key' },
  'a recorded base, over https': { ...RECORDED, 'desiredState.git.httpsSecret': 'robot' },
  'a recorded base, with the lock in a file': {
    ...RECORDED,
    'apply.lock': 'file',
    'desiredState.git.httpsSecret': 'robot',
  },
  'an existing volume': {
    ...APPLY,
    'desiredState.git.url': '',
    'desiredState.volume.persistentVolumeClaim.claimName': 'network',
  },
  everything: {
    ...RECORDED,
    'account.ca.configMap': 'private-ca',
    'image.digest': `sha256:${'0'.repeat(64)}`,
    'image.pullSecrets[0]': 'registry',
    'apply.secretEnv.SOPS_AGE_KEY.name': 'sops',
    'apply.secretEnv.SOPS_AGE_KEY.key': 'age',
    'apply.args[0]': '--allow=DELETES_OBJECT',
    'drift.args[0]': '--base=auto',
    'sopsAllow[0]': 'hc_vault=https://vault.example.com',
    'sopsAllow[1]': 'azure_kv=https://example.vault.azure.net',
    'vars.OFFICE': 'a value: with "quotes" and $(MESHFORM_TOKEN)',
    'vars.ESCAPED': '$$(MESHFORM_TOKEN) $$ $',
    'drift.schedule': '*/15,7 0-6/2 ? JAN-mar MON-FRI',
    timeZone: 'Europe/Amsterdam',
    serviceAccountName: 'meshform',
    'podLabels.team': 'network',
    'podAnnotations.note': 'a: b',
    'nodeSelector.zone': 'a',
    'tolerations[0].operator': 'Exists',
  },
};

/** Variables that would change the programs of the image. */
const FORBIDDEN_VARIABLES = [
  'BASH_ENV',
  'ENV',
  'SSH_ASKPASS',
  'HTTPS_PROXY',
  'https_proxy',
  'SSL_CERT_FILE',
  'GIT_PASSWORD',
  'GIT_CONFIG_COUNT',
  'git_dir',
  'NODE_OPTIONS',
  'SOPS_AGE_KEY_CMD',
  'IFS',
];

const secretEnv = (name: string): Values => ({
  [`apply.secretEnv.${name}.name`]: 'other',
  [`apply.secretEnv.${name}.key`]: 'key',
});

/** Each is one change to values that are accepted, and the path that the refusal must name. */
export const REFUSED: readonly (readonly [path: string, values: Values])[] = [
  ['image.repository', { ...LEAST, 'image.repository': '' }],
  ['image.repository', { ...LEAST, 'image.repository': 'team/meshform@sha256:0' }],
  ['image.digest', { ...LEAST, 'image.digest': 'sha256:12' }],
  ['account.url', { ...LEAST, 'account.url': '' }],
  ['account.url', { ...LEAST, 'account.url': 'https://user:secret@api.example.com' }],
  ['desiredState', { ...LEAST, 'desiredState.git.url': '' }],
  ['desiredState', { ...LEAST, 'desiredState.volume.configMap.name': 'network' }],
  ['desiredState.git.url', { ...LEAST, 'desiredState.git.url': 'https://me:token@example.com/n' }],
  ['desiredState.path', { ...LEAST, 'desiredState.path': '../etc' }],
  ['desiredState.git.revision', { ...LEAST, 'desiredState.git.revision': '--upload-pack=sh' }],
  [
    'desiredState.git',
    { ...LEAST, 'desiredState.git.sshSecret': 'a', 'desiredState.git.httpsSecret': 'b' },
  ],
  ['drift.schedule', { ...LEAST, 'drift.schedule': 'hourly' }],
  ['drift.tokenSecret.name', { ...LEAST, 'drift.tokenSecret.name': '' }],
  ['apply.tokenSecret.name', { ...LEAST, 'apply.enabled': true }],
  ['apply.enabled', { ...APPLY, 'apply.enabled': 'yes' }],
  ['apply.secretEnv', { ...APPLY, 'apply.secretEnv.MESHFORM_URL.name': 'other' }],
  ['apply.secretEnv', { ...APPLY, 'apply.secretEnv.NODE_OPTIONS.name': 'other' }],
  ['apply.secretEnv', { ...RECORDED, 'apply.secretEnv.RECORDED_ACCOUNT.name': 'other' }],
  ['', { ...LEAST, 'podLabels.app\\.kubernetes\\.io/name': 'other' }],
  ['journals.claim', { ...LEAST, 'journals.claim': 'a\n  hostPath: { path: / }' }],
  ['journals.claim', { ...LEAST, 'journals.claim': 'a'.repeat(254) }],
  ['observe.claim', { ...OBSERVE, 'observe.claim': '' }],
  ['observe.tokenSecret.name', { ...OBSERVE, 'observe.tokenSecret.name': '' }],
  ['account.url', { ...WORKERS, 'drift.enabled': true, 'drift.tokenSecret.name': 'a' }],
  ['signingKeySecret.name', { ...WORKERS, 'signingKeySecret.name': '' }],
  [
    'fleetWorkers.credentialsSecret.name',
    { ...WORKERS, 'fleetWorkers.credentialsSecret.name': '' },
  ],
  ['fleetWorkers.databaseSecret.name', { ...WORKERS, 'fleetWorkers.databaseSecret.name': '' }],
  ['fleetWorkers.args.0', { ...WORKERS, 'fleetWorkers.args[0]': '--database=postgresql://other' }],
  ['fleetWorkers.args.0', { ...WORKERS, 'fleetWorkers.args[0]': '--token=x' }],
  ['fleetWorkers.replicas', { ...WORKERS, 'fleetWorkers.replicas': -1 }],
  ['fleetWorkers.graceSeconds', { ...WORKERS, 'fleetWorkers.graceSeconds': 0 }],
  ['fleetWorkers.secretEnv', { ...WORKERS, 'fleetWorkers.secretEnv.PGPASSWORD.name': 'other' }],
  ['fleetWorkers.secretEnv', { ...WORKERS, 'fleetWorkers.secretEnv.NODE_OPTIONS.name': 'other' }],
  ['desiredState', { ...WORKERS, 'desiredState.git.url': '' }],
  ['observe.args.0', { ...OBSERVE, 'observe.args[0]': '--store=/tmp' }],
  ['apply.args.0', { ...APPLY, 'apply.args[0]': '--url=https://other.example.com' }],
  [
    'apply.recordBase.account',
    { ...APPLY, 'apply.recordBase.enabled': true, 'apply.lock': 'file' },
  ],
  ['apply.lock', { ...APPLY, 'apply.lock': 'git' }],
  ['apply.args.0', { ...APPLY, 'apply.args[0]': '--lock=file' }],
  ['desiredState.git.depth', { ...RECORDED, 'desiredState.git.depth': 1 }],
  ['runAsUser', { ...LEAST, runAsUser: 0 }],
  ['vars.A', { ...LEAST, 'vars.A': 1 }],
  ['', { ...LEAST, token: 'in-the-values' }],
  ['journals', { ...LEAST, 'journals.size': '1Gi' }],
  ...['--token=x', '--token', '--undo', '--resume', 'x', '--', '-y', '--help'].map(
    arg => ['apply.args.0', { ...APPLY, 'apply.args[0]': arg }] as const,
  ),
  ['drift.args.0', { ...LEAST, 'drift.args[0]': '--token=x' }],
  ...FORBIDDEN_VARIABLES.map(name => ['', { ...APPLY, ...secretEnv(name) }] as const),
  ...['ssh://u:pw@h/x', 'https://u:pw@h/x', 'https://u@h/x', 'ssh://h/u:pw@h/x', 'file:///x'].map(
    url => ['desiredState.git.url', { ...LEAST, 'desiredState.git.url': url }] as const,
  ),
  ['account.url', { ...LEAST, 'account.url': 'https://$(MESHFORM_TOKEN).example.com' }],
  ['account.url', { ...LEAST, 'account.url': 'https://example.com/$(MESHFORM_TOKEN)' }],
  ['runAsUser', { ...LEAST, runAsUser: 4294967296 }],
  ...['99 99 99 99 99', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 7'].map(
    schedule => ['drift.schedule', { ...LEAST, 'drift.schedule': schedule }] as const,
  ),
  ['drift.schedule', { ...LEAST, 'drift.schedule': '*/0 * * * *' }],
  ['podLabels.x', { ...LEAST, 'podLabels.x': 'a b' }],
  ['podLabels.x', { ...LEAST, 'podLabels.x': 'a'.repeat(64) }],
  ['', { ...LEAST, 'podLabels.a b': 'x' }],
  ...['a..b', 'a.lock', 'a.'].map(
    account =>
      [
        'apply.recordBase.account',
        { ...RECORDED, 'apply.lock': 'file', 'apply.recordBase.account': account },
      ] as const,
  ),
  ...['a..b', 'a/.b', 'a//b', 'a/', 'a.lock', 'a@{1}'].map(
    revision =>
      ['desiredState.git.revision', { ...LEAST, 'desiredState.git.revision': revision }] as const,
  ),
  ['journals.claim', { ...LEAST, 'journals.claim': 'a..b' }],
];
