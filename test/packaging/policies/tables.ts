// For each policy check: the state of an account, a change that it lets pass, and mutations of that change that it must stop.

/** Texts in files, and what replaces them. */
export type Edits = readonly (readonly [text: string, by: string])[];

/** A plan that must be stopped. */
interface Mutation {
  /** What is replaced in the files that pass. */
  readonly replace: Edits;
  /** A part of the message of the check. */
  readonly stops: string;
  readonly flags?: readonly string[];
  /** Whether the files are planned for an account like a new one. */
  readonly isForNewAccount?: true;
}

/** What a policy check is tried with. */
export interface PolicyTable {
  /** The files that are applied before; the account is like a new one without them. */
  readonly live: string;
  /** Changes that pass, as replacements in `live`. */
  readonly passes: Readonly<Record<string, Edits>>;
  /** The change that is mutated; a key of `passes`. */
  readonly mutated: string;
  readonly fails: Readonly<Record<string, Mutation>>;
}

const GROUPS = `groups:
  - { name: devs, peers: [devs-1] }
  - { name: ops, peers: [ops-1] }
  - { name: prod-servers, peers: [prod-servers-1] }
  - { name: test-servers, peers: [test-servers-1] }
  - { name: prod-databases }
  - { name: routers, peers: [routers-1] }
`;
const CHECKS = `posture_checks:
  - name: recent
    checks: { nb_version_check: { min_version: "0.32.0" } }
`;
const NETWORKS = `networks:
  - name: old
    resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }]
    routers: [{ peer_groups: [routers], metric: 1, masquerade: true }]
  - name: production
    resources: [{ name: orders, address: 10.20.0.5, groups: [prod-databases] }]
    routers: [{ peer_groups: [routers], metric: 1, masquerade: true }]
`;

const SSH_LIVE = `${GROUPS}${CHECKS}${NETWORKS}service_users:
  - { name: robot, role: user, auto_groups: [] }
users:
  - { email: mia@example.com, name: Mia, role: auditor, auto_groups: [] }
setup_keys:
  - { name: ci, type: reusable, auto_groups: [devs], expires_in: 86400, usage_limit: 0 }
policies:
  - name: web
    rules:
      - { name: web, sources: [devs], destinations: [test-servers], protocol: tcp, ports: ["80"] }
  - name: ops
    source_posture_checks: [recent]
    rules:
      - { name: ssh, sources: [ops], destinations: [test-servers], protocol: tcp, ports: ["22"] }
  - name: spare
    enabled: false
    rules:
      - { name: all, sources: [devs], destinations: [prod-servers], protocol: all }
  - name: not the databases
    rules:
      - { name: all, action: drop, sources: [ops], destinations: [prod-servers], protocol: tcp, ports: ["22"] }
  - name: ops everything
    rules:
      - { name: all, sources: [ops], destinations: [prod-servers], protocol: tcp, port_ranges: [{ start: 20, end: 30 }] }
`;
const WEB = 'destinations: [test-servers], protocol: tcp, ports: ["80"]';
const GAINS_SSH = 'gains SSH to group/test-servers';

const access: PolicyTable = {
  live: SSH_LIVE,
  passes: {
    'another port': [[WEB, WEB.replace('80', '443')]],
    'ports on both sides of SSH': [
      [
        WEB,
        'destinations: [test-servers], protocol: tcp, port_ranges: [{ start: 1, end: 21 }, { start: 23, end: 22021 }]',
      ],
    ],
    'the same port of UDP': [[WEB, 'destinations: [test-servers], protocol: udp, ports: ["22"]']],
    ICMP: [[WEB, 'destinations: [test-servers], protocol: icmp']],
    'SSH that is lost': [
      ['sources: [ops], destinations: [test-servers]', 'sources: [ops], destinations: [routers]'],
      ['ports: ["22"] }\n  - name: spare', 'ports: ["24"] }\n  - name: spare'],
    ],
    nothing: [],
  },
  mutated: 'another port',
  fails: {
    'the port of SSH instead of another': {
      replace: [['"443"', '"22"']],
      stops: GAINS_SSH,
    },
    'the port of SSH after another': {
      replace: [['"443"', '"443", "22"']],
      stops: GAINS_SSH,
    },
    'the port of the SSH server of NetBird': {
      replace: [['"443"', '"22022"']],
      stops: GAINS_SSH,
    },
    'a range with the port of SSH in it': {
      replace: [['ports: ["443"]', 'port_ranges: [{ start: 20, end: 25 }]']],
      stops: GAINS_SSH,
    },
    'a range that ends with the port of SSH': {
      replace: [['ports: ["443"]', 'port_ranges: [{ start: 1, end: 22 }]']],
      stops: GAINS_SSH,
    },
    'all ports': {
      replace: [[', ports: ["443"]', '']],
      stops: GAINS_SSH,
    },
    'all ports, written as a range': {
      replace: [['ports: ["443"]', 'port_ranges: [{ start: 1, end: 65535 }]']],
      stops: GAINS_SSH,
    },
    'all protocols': {
      replace: [['protocol: tcp, ports: ["443"]', 'protocol: all']],
      stops: GAINS_SSH,
    },
    'both directions': {
      replace: [['ports: ["443"]', 'ports: ["22"], bidirectional: true']],
      stops: 'gains SSH to group/devs',
    },
    'a new policy': {
      replace: [
        [
          '  - name: ops\n',
          '  - name: new\n    rules: [{ name: r, sources: [devs], destinations: [routers], protocol: tcp, ports: ["22"] }]\n  - name: ops\n',
        ],
      ],
      stops: 'gains SSH to',
    },
    'a machine in a group that has it': {
      replace: [['name: ops, peers: [ops-1]', 'name: ops, peers: [ops-1, devs-1]']],
      stops: GAINS_SSH,
    },
    'a machine in a group that it leads to': {
      replace: [
        [
          'name: test-servers, peers: [test-servers-1]',
          'name: test-servers, peers: [test-servers-1, routers-1]',
        ],
      ],
      stops: 'gains SSH to',
    },
    'a setup key that enrols into a group that has it': {
      replace: [['auto_groups: [devs]', 'auto_groups: [ops]']],
      stops: GAINS_SSH,
    },
    'no posture check any more': {
      replace: [['    source_posture_checks: [recent]\n', '']],
      stops: GAINS_SSH,
    },
    'a policy that is enabled': {
      replace: [['    enabled: false\n', '']],
      stops: 'gains SSH to group/prod-servers',
    },
    'a rule that drops it, for other ports': {
      replace: [
        [
          'destinations: [prod-servers], protocol: tcp, ports: ["22"]',
          'destinations: [prod-servers], protocol: tcp, ports: ["23"]',
        ],
      ],
      stops: 'gains SSH to group/prod-servers',
    },
    'a rule that drops it, deleted': {
      replace: [
        [
          '  - name: not the databases\n',
          '  - name: not the databases\n    lifecycle: { delete: true }\n',
        ],
      ],
      stops: 'gains SSH to group/prod-servers',
    },
    'a network resource': {
      replace: [
        [
          'destinations: [test-servers], protocol: tcp, ports: ["443"]',
          'destinationResource: { network_resource: old/lab }, protocol: tcp, ports: ["22"]',
        ],
      ],
      stops: 'gains SSH to network_resource/old/lab',
    },
    'a network resource in a group that it leads to': {
      replace: [
        ['address: 10.9.0.0/24, groups: []', 'address: 10.9.0.0/24, groups: [test-servers]'],
      ],
      stops: 'gains SSH to network_resource/old/lab',
    },
    'a route without access control': {
      replace: [
        [
          'policies:\n',
          'routes:\n  - { network_id: site, network: 10.8.0.0/24, peer_groups: [test-servers], groups: [devs], metric: 1, masquerade: true, keep_route: true }\npolicies:\n',
        ],
      ],
      stops: 'gains SSH to route/site',
    },
    'SSH that a machine lets in': {
      replace: [['policies:\n', 'peers: [{ name: devs-1, ssh_enabled: true }]\npolicies:\n']],
      stops: 'peer.devs-1 gets a right: ',
    },
    'the role of an administrator': {
      replace: [['role: user', 'role: admin']],
      stops: 'gets a right: role admin',
    },
    'groups that all machines of a person join': {
      replace: [['role: auditor, auto_groups: []', 'role: auditor, auto_groups: [ops]']],
      stops: 'gets a right: joins ops',
    },
    'somebody who may sign in': {
      replace: [
        [
          'service_users:\n',
          'service_users:\n  - { name: newcomer, role: admin, auto_groups: [] }\n',
        ],
      ],
      stops: 'service_user.newcomer gets a right: role admin',
    },
    'access that exists only while the plan is applied': {
      replace: [
        [
          'address: 10.9.0.0/24, groups: [] }',
          'address: 10.9.0.0/24, groups: [] }, { name: stage, address: 10.9.1.1, groups: [test-servers] }',
        ],
        [
          'destinations: [test-servers], protocol: tcp, ports: ["443"]',
          'destinationResource: { network_resource: old/stage }, protocol: tcp, ports: ["443"]',
        ],
        ['ports: ["22"] }\n  - name: spare', 'ports: ["24"] }\n  - name: spare'],
      ],
      stops: 'reaches network_resource/old/stage during the apply',
    },
    'a new account': {
      replace: [['"443"', '"22"']],
      isForNewAccount: true,
      stops: GAINS_SSH,
    },
  },
};

const POSTURE_LIVE = `${GROUPS}${CHECKS}${NETWORKS}  - name: production-site
    resources: [{ name: printer, address: 10.21.0.9, groups: [] }]
    routers: [{ peer_groups: [routers], metric: 1, masquerade: true }]
policies:
  - name: web
    source_posture_checks: [recent]
    rules:
      - { name: web, sources: [devs], destinations: [prod-servers], protocol: tcp, ports: ["80"] }
  - name: test
    rules:
      - { name: web, sources: [devs], destinations: [test-servers], protocol: tcp, ports: ["80"] }
  - name: spare
    enabled: false
    rules:
      - { name: all, sources: [ops], destinations: [prod-servers], protocol: tcp, ports: ["80"] }
`;

const NOT_ENOUGH = 'needs only posture checks that are not enough for production';
const WEAK_CHECK = [
  '  - name: recent\n',
  '  - name: weak\n    checks: { nb_version_check: { min_version: "0.1.0" } }\n  - name: recent\n',
] as const;
const WEB_WITH_CHECK = '  - name: web\n    source_posture_checks: [recent]\n';
const weakPolicy = (to: string, more = ''): string =>
  `  - name: other\n    source_posture_checks: [weak]\n${more}    rules: [{ name: r, sources: [devs], ${to}, protocol: tcp, ports: ["80"] }]\n`;

const posture: PolicyTable = {
  live: POSTURE_LIVE,
  passes: {
    'another port, with a posture check': [
      [
        'destinations: [prod-servers], protocol: tcp, ports: ["80"] }\n  - name: test',
        'destinations: [prod-servers], protocol: tcp, ports: ["443"] }\n  - name: test',
      ],
    ],
    'another port, not of production': [
      [
        'destinations: [test-servers], protocol: tcp, ports: ["80"]',
        'destinations: [test-servers], protocol: tcp, ports: ["443"]',
      ],
    ],
    'a new posture check': [
      [
        '  - name: recent\n',
        '  - name: newer\n    checks: { nb_version_check: { min_version: "0.50.0" } }\n  - name: recent\n',
      ],
    ],
    nothing: [],
  },
  mutated: 'another port, with a posture check',
  fails: {
    'another posture check, which lets more in': {
      replace: [
        [
          '  - name: recent\n',
          '  - name: weak\n    checks: { nb_version_check: { min_version: "0.1.0" } }\n  - name: recent\n',
        ],
        ['source_posture_checks: [recent]', 'source_posture_checks: [weak]'],
      ],
      stops: 'policy.web would lose the posture check recent',
    },
    'no posture check': {
      replace: [['    source_posture_checks: [recent]\n', '']],
      stops: 'group/devs reaches group/prod-servers without a posture check',
    },
    'a new policy without one': {
      replace: [
        [
          '  - name: test\n',
          '  - name: new\n    rules: [{ name: r, sources: [ops], destinations: [prod-servers], protocol: icmp }]\n  - name: test\n',
        ],
      ],
      stops: 'group/ops reaches group/prod-servers without a posture check',
    },
    'a policy that is enabled': {
      replace: [['    enabled: false\n', '']],
      stops: 'group/ops reaches group/prod-servers without a posture check',
    },
    'all machines as destinations': {
      replace: [
        ['sources: [devs], destinations: [test-servers]', 'sources: [devs], destinations: [All]'],
      ],
      stops: 'without a posture check',
    },
    'a rule in the other direction, for both': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers], protocol: tcp, ports: ["80"]',
          'sources: [prod-servers], destinations: [test-servers], protocol: tcp, ports: ["80"], bidirectional: true',
        ],
      ],
      stops: 'group/test-servers reaches group/prod-servers without a posture check',
    },
    'a machine by its name': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs], destinationResource: { peer: prod-servers-1 }',
        ],
      ],
      stops: 'without a posture check',
    },
    'a network resource of a group': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs], destinations: [prod-databases]',
        ],
      ],
      stops: 'group/devs reaches network_resource/production/orders without a posture check',
    },
    'a network resource by its name': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs], destinationResource: { network_resource: production/orders }',
        ],
        ['groups: [prod-databases] }', 'groups: [] }'],
      ],
      stops: 'group/devs reaches network_resource/production/orders without a posture check',
    },
    'a network resource whose name is no plain word': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs], destinationResource: { network_resource: production/web shop }',
        ],
        [
          'groups: [prod-databases] }]',
          'groups: [prod-databases] }, { name: web shop, address: 10.20.0.9, groups: [] }]',
        ],
      ],
      stops: 'group/devs reaches network_resource["production/web shop"] without a posture check',
    },
    'a machine of production in a group that is reached without one': {
      replace: [
        [
          'name: test-servers, peers: [test-servers-1]',
          'name: test-servers, peers: [test-servers-1, prod-servers-1]',
        ],
      ],
      stops: 'without a posture check',
    },
    'a network resource that leaves its group, and can be reached in another': {
      replace: [['groups: [prod-databases] }', 'groups: [test-servers] }']],
      stops: 'would leave prod-databases',
    },
    'a network resource that moves to another network': {
      replace: [
        [
          'resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }]',
          'resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }, { name: orders, address: 10.20.0.5, groups: [test-servers], lifecycle: { was: production/orders } }]',
        ],
        ['    resources: [{ name: orders, address: 10.20.0.5, groups: [prod-databases] }]\n', ''],
      ],
      stops: 'would leave prod-databases',
    },
    'a network resource of no group that moves to another network': {
      replace: [
        [
          'resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }]',
          'resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }, { name: printer, address: 10.21.0.9, groups: [test-servers], lifecycle: { was: production-site/printer } }]',
        ],
        ['    resources: [{ name: printer, address: 10.21.0.9, groups: [] }]\n', ''],
      ],
      stops: 'would no longer be production',
    },
    'a policy with a weaker check in the place of one that is deleted': {
      replace: [
        [
          '  - name: recent\n',
          '  - name: weak\n    checks: { nb_version_check: { min_version: "0.1.0" } }\n  - name: recent\n',
        ],
        [
          '  - name: web\n    source_posture_checks: [recent]\n',
          '  - name: other\n    source_posture_checks: [weak]\n',
        ],
        [
          '  - name: test\n',
          '  - name: web\n    source_posture_checks: [recent]\n    lifecycle: { delete: true }\n    rules: [{ name: web, sources: [devs], destinations: [prod-servers], protocol: tcp, ports: ["80"] }]\n  - name: test\n',
        ],
      ],
      stops: `policy.other ${NOT_ENOUGH}`,
    },
    'a policy with a weaker check in the place of one that is disabled': {
      replace: [
        WEAK_CHECK,
        [
          WEB_WITH_CHECK,
          `${weakPolicy('destinations: [prod-servers]')}${WEB_WITH_CHECK}    enabled: false\n`,
        ],
      ],
      stops: `policy.other ${NOT_ENOUGH}`,
    },
    'a policy with a weaker check in the place of one that is narrowed': {
      replace: [
        WEAK_CHECK,
        [WEB_WITH_CHECK, `${weakPolicy('destinations: [prod-servers]')}${WEB_WITH_CHECK}`],
        ['["443"]', '["1"]'],
      ],
      stops: `policy.other ${NOT_ENOUGH}`,
    },
    'a policy with a weaker check to a resource, in the place of one to its group': {
      replace: [
        WEAK_CHECK,
        [
          WEB_WITH_CHECK,
          weakPolicy('destinationResource: { network_resource: production/orders }') +
            WEB_WITH_CHECK,
        ],
        [
          'sources: [devs], destinations: [prod-servers]',
          'sources: [devs], destinations: [test-servers]',
        ],
      ],
      stops: `policy.other ${NOT_ENOUGH}`,
    },
    'a policy with a weaker check beside one that stays': {
      replace: [
        WEAK_CHECK,
        [WEB_WITH_CHECK, `${weakPolicy('destinations: [prod-servers]')}${WEB_WITH_CHECK}`],
      ],
      stops: `policy.other ${NOT_ENOUGH}`,
    },
    'a disabled policy with a weaker check, which can be enabled later': {
      replace: [
        WEAK_CHECK,
        [
          WEB_WITH_CHECK,
          weakPolicy('destinations: [prod-servers]', '    enabled: false\n') + WEB_WITH_CHECK,
        ],
      ],
      stops: `policy.other ${NOT_ENOUGH}`,
    },
    'a network resource that is deleted, and created in another network': {
      replace: [
        [
          'resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }]',
          'resources: [{ name: lab, address: 10.9.0.0/24, groups: [] }, { name: shop, address: 10.20.0.5, groups: [test-servers] }]',
        ],
        ['groups: [prod-databases] }]', 'groups: [prod-databases], lifecycle: { delete: true } }]'],
      ],
      stops: 'would leave prod-databases',
    },
    'a network with another name': {
      replace: [
        ['  - name: production\n', '  - name: stage\n    lifecycle: { was: production }\n'],
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs], destinationResource: { network_resource: stage/orders }',
        ],
      ],
      stops: 'network.stage would no longer be production',
    },
    'a group with another name': {
      replace: [
        ['{ name: prod-databases }', '{ name: databases, lifecycle: { was: prod-databases } }'],
        ['groups: [prod-databases]', 'groups: [databases]'],
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs], destinations: [databases]',
        ],
      ],
      stops: 'group.databases would no longer be production',
    },
    'a machine that leaves its group, and can be reached in another': {
      replace: [
        [
          '  - { name: prod-servers, peers: [prod-servers-1] }\n  - { name: test-servers, peers: [test-servers-1] }',
          '  - { name: prod-servers, peers: [], lifecycle: { exact: [peers] } }\n  - { name: test-servers, peers: [test-servers-1, prod-servers-1] }',
        ],
      ],
      stops: 'prod-servers-1 would leave group.prod-servers',
    },
    'a weaker posture check': {
      replace: [['0.32.0', '0.1.0']],
      stops: 'posture_check.recent would be changed',
    },
    'a posture check of another kind': {
      replace: [
        [
          'nb_version_check: { min_version: "0.32.0" }',
          'os_version_check: { linux: { min_kernel_version: "1.0" } }',
        ],
      ],
      stops: 'posture_check.recent would be changed',
    },
    'a new account': {
      replace: [['    source_posture_checks: [recent]\n', '']],
      isForNewAccount: true,
      stops: 'without a posture check',
    },
  },
};

const OPEN_LIVE = `${GROUPS}policies:
  - name: web
    rules:
      - { name: web, sources: [devs], destinations: [test-servers], protocol: tcp, ports: ["80"] }
  - name: spare
    enabled: false
    rules:
      - { name: all, sources: [All], destinations: [All], protocol: all }
`;
const WEB_RULE = 'sources: [devs], destinations: [test-servers], protocol: tcp, ports: ["443"]';

const open: PolicyTable = {
  live: OPEN_LIVE,
  passes: {
    'another port': [['["80"]', '["443"]']],
    'from everybody to a group': [['sources: [devs]', 'sources: [All]']],
    'a rule that drops everything': [
      [
        WEB_RULE.replace('443', '80'),
        'action: drop, sources: [All], destinations: [All], protocol: all',
      ],
    ],
    'a rule that is disabled': [
      [
        WEB_RULE.replace('443', '80'),
        'enabled: false, sources: [All], destinations: [All], protocol: all',
      ],
    ],
    nothing: [],
  },
  mutated: 'another port',
  fails: {
    'everybody to everybody': {
      replace: [
        ['sources: [devs], destinations: [test-servers]', 'sources: [All], destinations: [All]'],
      ],
      stops: 'policy.web lets everybody reach everybody',
    },
    'everybody among others': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: [devs, All], destinations: [test-servers, All]',
        ],
      ],
      stops: 'policy.web lets everybody reach everybody',
    },
    'a second rule': {
      replace: [
        [
          `- { name: web, ${WEB_RULE} }`,
          `- { name: web, ${WEB_RULE} }\n      - { name: ping, sources: [All], destinations: [All], protocol: icmp }`,
        ],
      ],
      stops: 'policy.web lets everybody reach everybody',
    },
    'a policy that is enabled': {
      replace: [['    enabled: false\n', '']],
      stops: 'policy.spare lets everybody reach everybody',
    },
    'everybody, by the id of the group': {
      replace: [
        [
          'sources: [devs], destinations: [test-servers]',
          'sources: ["id:ALL"], destinations: ["id:ALL"]',
        ],
      ],
      stops: 'policy.web lets everybody reach everybody',
    },
    'all protocols': {
      replace: [[WEB_RULE, 'sources: [All], destinations: [All], protocol: all']],
      stops: 'policy.web lets everybody reach everybody',
    },
    'a policy that is enabled, and whose rules the files leave to the account': {
      replace: [
        [
          '    enabled: false\n    rules:\n      - { name: all, sources: [All], destinations: [All], protocol: all }',
          '    lifecycle: { ignore: [rules] }\n    rules:\n      - { name: all, sources: [devs], destinations: [devs], protocol: all }',
        ],
      ],
      stops: 'policy.spare is changed, and the plan does not show its rules',
    },
    'a new account': {
      replace: [
        ['sources: [devs], destinations: [test-servers]', 'sources: [All], destinations: [All]'],
      ],
      isForNewAccount: true,
      stops: 'policy.web lets everybody reach everybody',
    },
  },
};

const deletions: PolicyTable = {
  live: `${GROUPS}${NETWORKS}`,
  passes: {
    'a new network': [['networks:\n', 'networks:\n  - name: new\n']],
    'a network that is renamed': [
      ['  - name: old\n', '  - name: renamed\n    lifecycle: { was: old }\n'],
    ],
    'a network that is forgotten': [
      [
        NETWORKS.slice(NETWORKS.indexOf('  - name: old'), NETWORKS.indexOf('  - name: production')),
        '',
      ],
    ],
    nothing: [],
  },
  mutated: 'a new network',
  fails: {
    'a network that is deleted': {
      replace: [['  - name: old\n', '  - name: old\n    lifecycle: { delete: true }\n']],
      stops: 'network.old would be deleted',
    },
    'a network that is not in the files, pruned': {
      replace: [
        [
          NETWORKS.slice(
            NETWORKS.indexOf('  - name: old'),
            NETWORKS.indexOf('  - name: production'),
          ),
          '',
        ],
      ],
      flags: ['--prune', 'unmanaged'],
      stops: 'network.old would be deleted',
    },
    'a network with another name, pruned': {
      replace: [['  - name: old\n', '  - name: older\n']],
      flags: ['--prune', 'unmanaged'],
      stops: 'network.old would be deleted',
    },
  },
};

/** By file in `examples/policies`. */
export const TABLES: Readonly<Record<string, PolicyTable>> = {
  'access.rego': access,
  'deletions.rego': deletions,
  'open.rego': open,
  'posture.rego': posture,
};
