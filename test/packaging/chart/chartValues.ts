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
    'vars.OFFICE': 'a value: with "quotes" and $(MESHFORM_TOKEN)',
    timeZone: 'Europe/Amsterdam',
    serviceAccountName: 'meshform',
    'podLabels.team': 'network',
    'podAnnotations.note': 'a: b',
    'nodeSelector.zone': 'a',
    'tolerations[0].operator': 'Exists',
  },
};

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
  ['apply.args.0', { ...APPLY, 'apply.args[0]': '--url=https://other.example.com' }],
  ['apply.recordBase.account', { ...APPLY, 'apply.recordBase.enabled': true }],
  ['desiredState.git.depth', { ...RECORDED, 'desiredState.git.depth': 1 }],
  ['runAsUser', { ...LEAST, runAsUser: 0 }],
  ['vars.A', { ...LEAST, 'vars.A': 1 }],
  ['', { ...LEAST, token: 'in-the-values' }],
  ['journals', { ...LEAST, 'journals.size': '1Gi' }],
];
